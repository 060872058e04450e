// When a payout was settled. One that came back says when and why, on a phone too.
import type { PayoutView } from "#features/payouts/contract.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Unknown } from "#web/ui/unknown.tsx";

type SettledCellProps = {
  readonly payout: Pick<PayoutView, "settledAt" | "returnedAt" | "returnReason">;
};

export function SettledCell({ payout }: SettledCellProps) {
  const { settledAt, returnedAt, returnReason } = payout;
  if (returnedAt !== null) {
    return (
      <span className="flex flex-col text-12 whitespace-normal">
        <span>
          Came back <DateTime at={returnedAt} />
        </span>
        <span className="wrap-anywhere text-muted">
          {returnReason ?? <Unknown reason="the reason was erased" />}
        </span>
      </span>
    );
  }
  return (
    <span className="max-sm:hidden">
      {settledAt === null ? <Unknown reason="not settled yet" /> : <DateTime at={settledAt} />}
    </span>
  );
}
