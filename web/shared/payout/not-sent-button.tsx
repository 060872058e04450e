// Gives back a request that one began to pay: no money was sent, so others may pay it, and its consignor may change it.
import { useRelease } from "./claim-api.ts";
import type { PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { showToast } from "#web/ui/toast.ts";

export function NotSentButton({ payout }: { readonly payout: PendingPayout }) {
  const action = useRelease();
  async function release(): Promise<void> {
    const answer = await action.run(payout);
    if (answer !== undefined) {
      showToast(answer.message);
    }
  }
  return (
    <Button
      variant="quiet"
      aria-label={`Not sent: the payout of ${formatMoney(toCents(payout.amount))} to ${payout.displayName}`}
      isBusy={action.isBusy}
      onClick={() => void release()}
    >
      Not sent
    </Button>
  );
}
