// A payment handle, with buttons to copy it or to open the pay link with amount and note filled in.
import { ExternalLink } from "lucide-react";
import type { PayoutView, PendingPayout } from "#features/payouts/contract.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { PayCode } from "./pay-code.tsx";

export const methodWords = { cashapp: "CashApp", venmo: "Venmo" } as const;

/** A handle as text, or why there is none. */
export function HandleText({ handle }: Pick<PayoutView, "handle">) {
  if (handle === null) {
    return <Unknown reason="the handle was erased" />;
  }
  return handle === "" ? <span className="text-muted">No handle from the old app</span> : handle;
}

type HandleCellProps = {
  readonly payout: PendingPayout;
  /** True where the handle has room next to the buttons. A card of the list of payouts shows it in its second line instead. */
  readonly hasRoom?: boolean;
};

export function HandleCell({ payout, hasRoom = false }: HandleCellProps) {
  const { handle, displayName, method } = payout;
  const link = payout.cashAppLink ?? payout.venmoLink;
  if (payout.handleChanged) {
    return <span className="font-medium text-danger">Handle was changed. Do not pay</span>;
  }
  if (handle === null || handle === "") {
    return <HandleText handle={handle} />;
  }
  return (
    <span className="-my-1 inline-flex max-w-full items-center gap-1">
      <span
        // Paper has nothing else that says the rest of a long one.
        className={`truncate print:whitespace-normal wrap-anywhere font-mono text-12 text-text ${hasRoom ? "" : "in-data-cards:hidden"}`}
      >
        {handle}
      </span>
      <span className="inline-flex items-center gap-1 no-print">
        <CopyButton text={handle} label={`Copy ${displayName}'s handle`} />
        {link === null ? null : (
          <a
            href={link}
            target="_blank"
            rel="noreferrer"
            aria-label={withIsolatedNames(`Pay ${displayName} with ${methodWords[method]}`)}
            data-tip={`Opens ${methodWords[method]} with the amount filled in`}
            className="inline-flex h-(--control) items-center gap-1 rounded-control px-2 font-medium text-accent hover:bg-hover"
          >
            Pay
            <Icon of={ExternalLink} size={14} />
          </a>
        )}
        {link === null ? null : (
          // A phone cannot scan its own screen.
          <span className="max-sm:hidden">
            <PayCode payout={payout} link={link} method={methodWords[method]} />
          </span>
        )}
      </span>
    </span>
  );
}
