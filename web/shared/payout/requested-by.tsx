// Who requested a payout in a consignor's place; nothing where consignors did it themselves.
import type { PayoutView } from "#features/payouts/contract.ts";

export function RequestedBy({ payout }: { readonly payout: Pick<PayoutView, "requestedBy"> }) {
  return payout.requestedBy === null ? null : (
    <span className="font-normal text-muted">
      {" by "}
      <bdi>{payout.requestedBy}</bdi>
    </span>
  );
}
