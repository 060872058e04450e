// What kind of fact a ledger line, a sale or a payout is, in the design's words and colours.
import { SlidersHorizontal } from "lucide-react";
import type { LedgerLine } from "#features/accounts/contract.ts";
import type { PayoutView } from "#features/payouts/contract.ts";
import type { SaleView } from "#features/sales/contract.ts";
import { Chip } from "#web/ui/chip.tsx";

export function LineChip({ line }: { readonly line: LedgerLine }) {
  switch (line.kind) {
    case "sale":
      return <Chip kind="credit">Sale</Chip>;
    case "refund":
      return <Chip kind="debit">Refund</Chip>;
    case "correction":
      return <Chip kind="correction">Correction</Chip>;
    case "payout":
      return <PayoutLineChip type={line.type} />;
    case "adjustment":
      return (
        <Chip kind="neutral" icon={SlidersHorizontal}>
          Adjustment
        </Chip>
      );
    default:
      return <Chip kind="neutral">Entry</Chip>;
  }
}

function PayoutLineChip({ type }: { readonly type: string }) {
  if (type === "PayoutRequested") {
    return <Chip kind="pending">Payout requested</Chip>;
  }
  return type === "PayoutPaid" ? (
    <Chip kind="done">Payout paid</Chip>
  ) : (
    <Chip kind="correction">Payout deleted</Chip>
  );
}

export function SaleChip({ status }: Pick<SaleView, "status">) {
  if (status === "sold") {
    return <Chip kind="done">Sold</Chip>;
  }
  return <Chip kind="correction">{status === "refunded" ? "Refunded" : "Partly refunded"}</Chip>;
}

export function PayoutChip({ status }: Pick<PayoutView, "status">) {
  if (status === "pending") {
    return <Chip kind="pending">Requested</Chip>;
  }
  return status === "paid" ? (
    <Chip kind="done">Paid</Chip>
  ) : (
    <Chip kind="correction">Deleted, refunded</Chip>
  );
}
