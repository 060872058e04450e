// The confirmations of a buyer's actions that need no form. Each says what happens to the money.
import { useAction } from "#web/lib/action.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { cancelTrade, closeReport, closeRest, confirmTrade } from "#web/shared/trade/trade-api.ts";
import { isOpenOffer } from "#web/shared/trade/trade-words.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { showToast } from "#web/ui/toast.ts";
import type { ActDialogProps } from "./trade-act-dialog.tsx";
import { whyOver } from "./trade-acts.ts";

export function WithdrawDialog({ trade, onClose }: ActDialogProps) {
  const action = useAction(cancelTrade);
  const isAccepted = trade.acceptedQuantity > 0;
  async function withdraw(): Promise<void> {
    if ((await action.run({ tradeId: trade.tradeId, reason: "" })) !== undefined) {
      showToast(isAccepted ? "Trade cancelled" : "Request withdrawn");
      onClose();
    }
  }
  return (
    <ConfirmDialog
      title={isAccepted ? "Cancel this trade?" : "Withdraw this request?"}
      act={isAccepted ? "Cancel trade" : "Withdraw request"}
      busyAct={isAccepted ? "Cancelling..." : "Withdrawing..."}
      keep="Keep it"
      overText={whyOver(trade, "withdraw")}
      isBusy={action.isBusy}
      error={
        action.error === undefined
          ? undefined
          : `Error ${isAccepted ? "cancelling" : "withdrawing"}: ${action.error.message}`
      }
      onAct={() => void withdraw()}
      onKeep={onClose}
    >
      {isAccepted
        ? `${formatMoney(trade.heldCents)} goes back to your available balance, and the sellers get their units back.`
        : `${formatQuantity(trade.quantity, "unit")} of ${trade.itemName}: the sellers can no longer accept. Nothing was held.`}
    </ConfirmDialog>
  );
}

export function CloseRestDialog({ trade, onClose }: ActDialogProps) {
  const action = useAction(closeRest);
  const open = trade.offers.filter(isOpenOffer).length;
  async function close(): Promise<void> {
    if ((await action.run(trade.tradeId)) !== undefined) {
      showToast("The rest is closed");
      onClose();
    }
  }
  return (
    <ConfirmDialog
      title="Close the rest?"
      act="Close the rest"
      busyAct="Closing..."
      keep="Keep waiting"
      overText={whyOver(trade, "close-rest")}
      isHarmless
      isBusy={action.isBusy}
      error={
        action.error === undefined ? undefined : `Error closing the rest: ${action.error.message}`
      }
      onAct={() => void close()}
      onKeep={onClose}
    >
      <p>
        {`${formatQuantity(open, "open offer ends", "open offers end")}. The ${formatQuantity(trade.acceptedQuantity, "accepted unit goes", "accepted units go")} on to shipping.`}
      </p>
    </ConfirmDialog>
  );
}

export function ArrivedDialog({ trade, onClose }: ActDialogProps) {
  const action = useAction(confirmTrade);
  async function confirm(): Promise<void> {
    if ((await action.run(trade.tradeId)) !== undefined) {
      showToast("Trade completed");
      onClose();
    }
  }
  return (
    <ConfirmDialog
      title="Did everything arrive?"
      act="Confirm arrival"
      busyAct="Confirming..."
      keep="Not yet"
      overText={whyOver(trade, "confirm")}
      isHarmless
      isBusy={action.isBusy}
      error={action.error === undefined ? undefined : `Error confirming: ${action.error.message}`}
      onAct={() => void confirm()}
      onKeep={onClose}
    >
      {`${formatQuantity(trade.acceptedQuantity, "unit")} of ${trade.itemName}. This completes the trade. No money moves.`}
    </ConfirmDialog>
  );
}

export function CloseReportDialog({ trade, onClose }: ActDialogProps) {
  const action = useAction(closeReport);
  async function takeBack(): Promise<void> {
    if ((await action.run(trade.tradeId)) !== undefined) {
      showToast("Report taken back");
      onClose();
    }
  }
  return (
    <ConfirmDialog
      title="Take back your report?"
      act="Take back report"
      busyAct="Taking back..."
      keep="Keep it"
      overText={whyOver(trade, "close-report")}
      isHarmless
      isBusy={action.isBusy}
      error={
        action.error === undefined
          ? undefined
          : `Error taking back the report: ${action.error.message}`
      }
      onAct={() => void takeBack()}
      onKeep={onClose}
    >
      <p>The store then closes your report, and the trade can complete.</p>
    </ConfirmDialog>
  );
}
