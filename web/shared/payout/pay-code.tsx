// The pay link as a QR code. Scan it with the phone that has the payment app: amount and note are filled in.
import { ExternalLink } from "lucide-react";
import type { PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useNow } from "#web/lib/use-now.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { claimStateOf, type ClaimState } from "./claim-state.ts";
import { methodWords } from "./method-words.ts";
import { linkOf } from "./pay-link.ts";

const SquareCode = onDemand(() => import("./square-code.tsx").then((file) => file.SquareCode), {
  fallback: <Skeleton className="size-60" />,
});

type PayCodeProps = {
  /** As it was claimed. */
  readonly payout: PendingPayout;
  /** Who is paying it by the list behind, which may have been read before the claim. */
  readonly rowState: ClaimState;
  readonly onClose: () => void;
};

export function PayCode({ payout, rowState, onClose }: PayCodeProps) {
  const { displayName, handle } = payout;
  const amount = formatMoney(toCents(payout.amount));
  const method = methodWords[payout.method];
  const link = linkOf(payout);
  const hasRunOut = claimStateOf(payout.claim, useNow()).kind !== "own" && rowState.kind !== "own";
  const isOver = hasRunOut || rowState.kind === "taken";
  return link === null ? null : (
    <Dialog
      title={`Pay ${amount} to ${displayName}`}
      description={`${method}, ${handle ?? ""}`}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {isOver ? (
        <output className="flex flex-col gap-3">
          <span className="font-medium">Your time to pay has run out</span>
          <span className="text-muted">
            Another admin may pay this now, or say that it was not sent. If you sent the money, mark
            the payout as paid. Otherwise begin again.
          </span>
        </output>
      ) : (
        <div className="flex flex-col items-center gap-3 text-center">
          <SquareCode text={link} label={`QR code of ${displayName}'s pay link`} />
          <p className="text-muted">
            {`Scan it with the phone that has ${method}: the amount is filled in. Then mark the payout as paid here, or as not sent.`}
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
      )}
    </Dialog>
  );
}
