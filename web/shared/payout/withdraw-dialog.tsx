// The confirmation before consignors withdraw their own requested payout. It says what is available afterwards.
import { toCents } from "#ledger/money.ts";
import { useAction } from "#web/lib/action.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { Money } from "#web/ui/money.tsx";
import { showToast } from "#web/ui/toast.ts";
import type { OwnPayout } from "./own-payout-acts.tsx";
import { useNewestPayouts, useOwnSummary } from "./own-payout-api.ts";
import { SETTLED_MEANWHILE } from "./paid-to.ts";
import { deleteRequest } from "./payout-api.ts";

type WithdrawDialogProps = { readonly payout: OwnPayout; readonly onClose: () => void };

export function WithdrawDialog({ payout, onClose }: WithdrawDialogProps) {
  const { data, error } = useOwnSummary(payout.consignorID);
  const action = useAction(deleteRequest);
  const now = useNewestPayouts(payout.consignorID).data?.payouts.find(({ id }) => id === payout.id);
  const isOver = now !== undefined && now.status !== "pending";
  const cents = toCents(payout.amount);
  const amount = formatMoney(cents);
  async function withdraw(): Promise<void> {
    const settled = await action.run(payout);
    if (settled !== undefined) {
      showToast(`Payout request withdrawn. ${formatMoney(toCents(settled.balance))} is available`);
      onClose();
    }
  }
  return data === undefined && error === undefined ? null : (
    <ConfirmDialog
      title={`Withdraw the request for ${amount}?`}
      act="Withdraw"
      busyAct="Withdrawing..."
      keep="Keep request"
      overText={isOver ? `${SETTLED_MEANWHILE} Nothing is left to withdraw.` : undefined}
      isBusy={action.isBusy}
      error={action.error === undefined ? undefined : `Error withdrawing: ${action.error.message}`}
      onAct={() => void withdraw()}
      onKeep={onClose}
    >
      <p>
        {`The store does not pay it. ${amount} goes back to your balance. `}
        {data === undefined ? null : (
          <>
            {"Available afterwards: "}
            <span className="font-medium text-text">
              <Money cents={toCents(data.available) + cents} isBalance />
            </span>
            {". "}
          </>
        )}
        You can request it again at any time.
      </p>
    </ConfirmDialog>
  );
}
