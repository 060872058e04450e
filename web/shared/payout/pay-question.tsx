// Asks before a request is paid, or given back as not sent, that somebody began to pay and then said nothing of.
import type { PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { useNow } from "#web/lib/use-now.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { claimTold, type ClaimState } from "./claim-state.ts";
import { methodWords } from "./method-words.ts";

const words = {
  pay: {
    title: (amount: string, name: string) => `Pay ${amount} to ${name}?`,
    act: "Pay now",
    busyAct: "Opening...",
    keep: "Do not pay",
    why: () => "so that it is not sent twice",
  },
  release: {
    title: (amount: string, name: string) => `Was the ${amount} not sent to ${name}?`,
    act: "Not sent",
    busyAct: "Saving...",
    keep: "Not sure",
    why: (name: string) => `because ${name} can withdraw the request then`,
  },
} as const;

type PayQuestionProps = {
  readonly about: keyof typeof words;
  readonly payout: PendingPayout;
  readonly state: ClaimState & { readonly kind: "over" };
  readonly isBusy: boolean;
  readonly onAct: () => void;
  readonly onKeep: () => void;
};

export function PayQuestion({ about, payout, state, isBusy, onAct, onKeep }: PayQuestionProps) {
  const told = claimTold(state, useNow());
  const { displayName } = payout;
  const { title, act, busyAct, keep, why } = words[about];
  return (
    <ConfirmDialog
      title={title(formatMoney(toCents(payout.amount)), displayName)}
      act={act}
      busyAct={busyAct}
      keep={keep}
      isBusy={isBusy}
      onAct={onAct}
      onKeep={onKeep}
    >
      <p>
        <bdi>{told?.who}</bdi>
        {withIsolatedNames(
          ` ${told?.does ?? ""}, and did not say whether the money was sent. Look in ${methodWords[payout.method]} first, ${why(displayName)}.`,
        )}
      </p>
    </ConfirmDialog>
  );
}
