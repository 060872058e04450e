// The chip of a ledger line, a sale or a payout, in the design's words and colors.
import { SlidersHorizontal } from "lucide-react";
import type { LedgerLine } from "#features/accounts/contract.ts";
import type { PayoutView } from "#features/payouts/contract.ts";
import type { SaleView } from "#features/sales/contract.ts";
import { Chip } from "#web/ui/chip.tsx";

export function LineChip({ line }: { readonly line: LedgerLine }) {
  const { label, tone } = line.chip;
  return line.kind === "adjustment" ? (
    <Chip kind={tone} icon={SlidersHorizontal}>
      {label}
    </Chip>
  ) : (
    <Chip kind={tone}>{label}</Chip>
  );
}

/** Nothing for a plain completed sale. */
export function SaleChip({ status }: Pick<SaleView, "status">) {
  return status === "sold" ? null : (
    <Chip kind="correction">{status === "refunded" ? "Fully refunded" : "Partly refunded"}</Chip>
  );
}

export function PayoutChip({ status, withdrawn }: Pick<PayoutView, "status" | "withdrawn">) {
  if (status === "pending") {
    return <Chip kind="pending">Requested</Chip>;
  }
  return status === "paid" ? (
    <Chip kind="done">Paid</Chip>
  ) : (
    <Chip kind="correction">
      {status === "returned" ? "Returned" : withdrawn ? "Withdrawn" : "Deleted, refunded"}
    </Chip>
  );
}
