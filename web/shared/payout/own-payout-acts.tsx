// What consignors do with their own requested payout until the store begins to pay it: correct where it goes, or withdraw it.
import { useCallback, useState, type ReactNode } from "react";
import { CLAIMED_FOR_MS, type PayoutView } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { RowFocusBeside } from "#web/ui/row-focus.tsx";
import { TextButton } from "#web/ui/text-button.tsx";

const CorrectHandleDialog = onDemand(() =>
  import("./correct-handle-dialog.tsx").then((file) => file.CorrectHandleDialog),
);
const WithdrawDialog = onDemand(() =>
  import("./withdraw-dialog.tsx").then((file) => file.WithdrawDialog),
);

export type OwnPayout = Pick<PayoutView, "id" | "consignorID" | "amount">;

type Open = { readonly act: "correct" | "withdraw"; readonly payout: OwnPayout };

export type OwnAct = (act: Open["act"], payout: OwnPayout) => void;

/** The main button of a row, for `RowFocus`. */
export const WITHDRAW_BUTTON = '[aria-label^="Withdraw"]';

type OwnPayoutActsProps = {
  readonly payout: OwnPayout;
  /** Until when the admin who began to pay it has it; null while nobody began. */
  readonly claimedUntil: string | null;
  readonly onAct: OwnAct;
};

export function OwnPayoutActs({ payout, claimedUntil, onAct }: OwnPayoutActsProps) {
  const which = `the payout of ${formatMoney(toCents(payout.amount))}`;
  if (claimedUntil !== null) {
    const began = new Date(Date.parse(claimedUntil) - CLAIMED_FOR_MS);
    return (
      <span className="text-12 text-pending">
        The store began to pay this <DateTime at={began.toISOString()} />
      </span>
    );
  }
  return (
    <span className="flex flex-wrap gap-x-4">
      <TextButton
        aria-label={`Change where it goes: ${which}`}
        onPointerEnter={CorrectHandleDialog.preload}
        onFocus={CorrectHandleDialog.preload}
        onClick={() => onAct("correct", payout)}
      >
        Change where it goes
      </TextButton>
      <TextButton
        aria-label={`Withdraw: ${which}`}
        onPointerEnter={WithdrawDialog.preload}
        onFocus={WithdrawDialog.preload}
        onClick={() => onAct("withdraw", payout)}
      >
        Withdraw
      </TextButton>
    </span>
  );
}

type OwnActs = {
  /** Opens a dialog. It never changes, so columns may be made of it once. */
  readonly onAct: OwnAct;
  readonly dialog: ReactNode;
};

/** The dialog is the list's: it stays open, and says why, when the store begins to pay meanwhile. */
export function useOwnPayoutActs(): OwnActs {
  const [open, setOpen] = useState<Open>();
  const onAct = useCallback<OwnAct>((act, payout) => setOpen({ act, payout }), []);
  const onClose = () => setOpen(undefined);
  return {
    onAct,
    dialog:
      open === undefined ? null : open.act === "correct" ? (
        <CorrectHandleDialog payout={open.payout} onClose={onClose} />
      ) : (
        <WithdrawDialog payout={open.payout} onClose={onClose} />
      ),
  };
}

type OwnPayoutPartProps = Omit<OwnPayoutActsProps, "onAct"> & { readonly isPending: boolean };

/** For a list that keeps settled payouts: the dialog is the row's. Put `OwnPayoutFocus` beside the list. */
export function OwnPayoutPart({ isPending, ...shown }: OwnPayoutPartProps) {
  const { onAct, dialog } = useOwnPayoutActs();
  return (
    <>
      {isPending ? <OwnPayoutActs {...shown} onAct={onAct} /> : null}
      {dialog}
    </>
  );
}

/** After a withdrawal the next row that can be withdrawn gets the focus. */
export function OwnPayoutFocus() {
  return <RowFocusBeside main={WITHDRAW_BUTTON} />;
}
