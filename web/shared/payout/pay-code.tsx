// The pay link as a QR code. Scan it with the phone that has the payment app: amount and note are filled in.
import { ExternalLink, QrCode } from "lucide-react";
import { useState } from "react";
import type { PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

const Dialog = onDemand(() => import("#web/ui/dialog.tsx").then((file) => file.Dialog));
const SquareCode = onDemand(() => import("./square-code.tsx").then((file) => file.SquareCode), {
  fallback: <Skeleton className="size-60" />,
});

type PayCodeProps = {
  readonly payout: PendingPayout;
  readonly link: string;
  /** "CashApp" */
  readonly method: string;
};

export function PayCode({ payout, link, method }: PayCodeProps) {
  const [isOpen, setOpen] = useState(false);
  const { displayName, handle } = payout;
  const amount = formatMoney(toCents(payout.amount));
  // A phone has the app itself and opens the link directly.
  if (useIsPhone()) {
    return null;
  }
  return (
    <>
      <IconButton
        icon={QrCode}
        label={`QR code to pay ${displayName}`}
        onClick={() => setOpen(true)}
      />
      {isOpen ? (
        <Dialog
          title={`Pay ${amount} to ${displayName}`}
          description={`${method}, ${handle ?? ""}`}
          onClose={() => setOpen(false)}
          footer={<Button onClick={() => setOpen(false)}>Close</Button>}
        >
          <div className="flex flex-col items-center gap-3 text-center">
            <SquareCode text={link} label={`QR code of ${displayName}'s pay link`} />
            <p className="text-muted">
              {`Scan it with the phone that has ${method}: the amount is filled in. Then mark the payout as paid here.`}
            </p>
            <a
              href={link}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-6 items-center gap-1 font-medium text-accent hover:underline"
            >
              {`Open ${method} here`}
              <Icon of={ExternalLink} size={14} />
            </a>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
