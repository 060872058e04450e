// Marking paid payouts of a list as returned, for admins: the button of a row, and the dialog that belongs to the list.
import { Undo2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import type { PaidPayout } from "./payout-api.ts";

const ReturnDialog = onDemand(() =>
  import("./return-dialog.tsx").then((file) => file.ReturnDialog),
);

/** The main button of a row, for `RowFocus`. */
export const RETURN_BUTTON = '[aria-label^="Mark as returned"]';

type ReturnButtonProps = {
  readonly payout: PaidPayout;
  readonly onReturn: (payout: PaidPayout) => void;
};

export function ReturnButton({ payout, onReturn }: ReturnButtonProps) {
  const amount = formatMoney(toCents(payout.amount));
  return (
    <Button
      variant="quiet"
      icon={Undo2}
      aria-label={`Mark as returned: the payout of ${amount} to ${payout.displayName}`}
      onPointerEnter={ReturnDialog.preload}
      onFocus={ReturnDialog.preload}
      onClick={() => onReturn(payout)}
    >
      Mark as returned
    </Button>
  );
}

type Returns = {
  /** Opens the dialog. It never changes, so columns may be made of it once. */
  readonly onReturn: (payout: PaidPayout) => void;
  readonly dialog: ReactNode;
};

/** The dialog is the list's: it stays open when the row leaves the list because somebody else marked the payout. */
export function useReturns(): Returns {
  const [returning, setReturning] = useState<PaidPayout>();
  return {
    onReturn: setReturning,
    dialog:
      returning === undefined ? null : (
        <ReturnDialog payout={returning} onClose={() => setReturning(undefined)} />
      ),
  };
}
