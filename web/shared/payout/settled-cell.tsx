// When a payout was settled. One that came back says when it was paid, when it came back, and why.
import type { PayoutView } from "#features/payouts/contract.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { TransferReference } from "./transfer-reference.tsx";

type SettledCellProps = {
  readonly payout: Pick<PayoutView, "settledAt" | "reference" | "returnedAt" | "returnReason">;
};

export function SettledCell({ payout }: SettledCellProps) {
  const { settledAt, reference, returnedAt, returnReason } = payout;
  if (settledAt === null) {
    return <Unknown reason="not settled yet" />;
  }
  if (returnedAt === null) {
    return (
      <span className="flex flex-col">
        <DateTime at={settledAt} />
        <TransferReference reference={reference} />
      </span>
    );
  }
  return (
    <span className="flex flex-col text-12 whitespace-normal">
      <span>
        Paid <DateTime at={settledAt} />
      </span>
      <TransferReference reference={reference} />
      <span>
        Came back <DateTime at={returnedAt} />
      </span>
      <span className="wrap-anywhere text-muted">
        {returnReason ?? <Unknown reason="the reason was erased" />}
      </span>
    </span>
  );
}
