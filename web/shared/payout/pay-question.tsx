// Asks before a request is paid that somebody began to pay and then said nothing of: the money may have been sent.
import type { PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useNow } from "#web/lib/use-now.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { claimTold, type ClaimState } from "./claim-state.ts";
import { methodWords } from "./method-words.ts";

type PayQuestionProps = {
  readonly payout: PendingPayout;
  readonly state: ClaimState & { readonly kind: "over" };
  readonly isBusy: boolean;
  readonly onPay: () => void;
  readonly onKeep: () => void;
};

export function PayQuestion({ payout, state, isBusy, onPay, onKeep }: PayQuestionProps) {
  const told = claimTold(state, useNow());
  return (
    <ConfirmDialog
      title={`Pay ${formatMoney(toCents(payout.amount))} to ${payout.displayName}?`}
      act="Pay now"
      busyAct="Opening..."
      keep="Do not pay"
      isBusy={isBusy}
      onAct={onPay}
      onKeep={onKeep}
    >
      <p>
        <bdi>{told?.who}</bdi>
        {` ${told?.does ?? ""}, and did not say whether the money was sent. Look in ${methodWords[payout.method]} first, so that it is not sent twice.`}
      </p>
    </ConfirmDialog>
  );
}
