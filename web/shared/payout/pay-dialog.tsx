// The confirmation before a payout is marked as paid. It names person, amount and consequence.
import type { PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { useAction } from "#web/lib/action.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { showToast } from "#web/ui/toast.ts";
import { methodWords } from "./handle-cell.tsx";
import { markPaid } from "./payout-api.ts";

type PayDialogProps = { readonly payout: PendingPayout; readonly onClose: () => void };

function routeOf({ method, handle }: PendingPayout): string {
  return handle === null || handle === ""
    ? methodWords[method]
    : `${methodWords[method]} to ${handle}`;
}

export function PayDialog({ payout, onClose }: PayDialogProps) {
  const amount = formatMoney(toCents(payout.amount));
  const action = useAction(markPaid);
  async function pay(): Promise<void> {
    const settled = await action.run(payout);
    if (settled !== undefined) {
      showToast("Payout marked as paid");
      onClose();
    }
  }
  return (
    <ConfirmDialog
      title={`Mark ${amount} to ${payout.displayName} as paid?`}
      act="Mark as paid"
      busyAct="Saving..."
      keep="Not yet"
      isHarmless
      isBusy={action.isBusy}
      error={
        action.error === undefined ? undefined : `Error marking as paid: ${action.error.message}`
      }
      onAct={() => void pay()}
      onKeep={onClose}
    >
      <p>
        {withIsolatedNames(
          `Confirm that you sent ${amount} by ${routeOf(payout)}. The request leaves the list, and ${payout.displayName}'s total payouts increase by ${amount}. If the transfer fails later, mark the payout as returned.`,
        )}
      </p>
      {payout.requestedBy === null ? null : (
        <p className="mt-2 font-medium text-text">
          {withIsolatedNames(
            `It was requested by ${payout.requestedBy}, not by ${payout.displayName}.`,
          )}
        </p>
      )}
    </ConfirmDialog>
  );
}
