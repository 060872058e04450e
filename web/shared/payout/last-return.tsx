// Whoever sends the money reads that the last transfer to this handle came back; nothing where it did not.
import type { PendingPayout } from "#features/payouts/contract.ts";
import { useNow } from "#web/lib/use-now.ts";
import { returnText } from "./came-back.ts";

export function LastReturn({ payout }: { readonly payout: Pick<PendingPayout, "lastReturn"> }) {
  const now = useNow();
  return payout.lastReturn === null ? null : (
    <span className="block text-12 font-medium whitespace-normal text-pending">
      {returnText(payout.lastReturn, now)}
    </span>
  );
}
