// The button of a paid payout that opens the dialog for a transfer that came back; for admins.
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import type { PaidPayout } from "./payout-api.ts";

const ReturnDialog = onDemand(() =>
  import("./return-dialog.tsx").then((file) => file.ReturnDialog),
);

type ReturnButtonProps = {
  readonly payout: PaidPayout;
};

export function ReturnButton({ payout }: ReturnButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        icon={Undo2}
        aria-label={`Mark as returned: ${formatMoney(toCents(payout.amount))}`}
        onPointerEnter={ReturnDialog.preload}
        onFocus={ReturnDialog.preload}
        onClick={() => setOpen(true)}
      >
        Mark as returned
      </Button>
      {isOpen ? <ReturnDialog payout={payout} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
