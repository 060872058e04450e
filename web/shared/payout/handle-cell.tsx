// A payment handle, with buttons to copy it and to pay, and who is paying.
import type { PayoutView, PendingPayout } from "#features/payouts/contract.ts";
import { useNow } from "#web/lib/use-now.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { ClaimLine } from "./claim-line.tsx";
import { claimStateOf } from "./claim-state.ts";
import { LastReturn } from "./last-return.tsx";
import { linkOf } from "./pay-link.ts";
import { PayWays } from "./pay-ways.tsx";

/** A handle as text, or why there is none. */
export function HandleText({ handle }: Pick<PayoutView, "handle">) {
  if (handle === null) {
    return <Unknown reason="the handle was erased" />;
  }
  return handle === "" ? <span className="text-muted">No handle from the old app</span> : handle;
}

type HandleCellProps = {
  readonly payout: PendingPayout;
  /** True where the handle has room next to the buttons. A card of the list of payouts shows it, and who is paying, in its second line instead. */
  readonly hasRoom?: boolean;
};

export function HandleCell(props: HandleCellProps) {
  const state = claimStateOf(props.payout.claim, useNow());
  return (
    <span className="inline-flex max-w-full flex-col items-start">
      <Handle {...props} />
      <span className={`text-12 ${props.hasRoom === true ? "" : "in-data-cards:hidden"}`}>
        <ClaimLine state={state} />
      </span>
      <LastReturn payout={props.payout} />
    </span>
  );
}

function Handle({ payout, hasRoom = false }: HandleCellProps) {
  const { handle, displayName } = payout;
  const state = claimStateOf(payout.claim, useNow());
  const link = linkOf(payout);
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
        {link === null ? null : <PayWays payout={payout} link={link} state={state} />}
      </span>
    </span>
  );
}
