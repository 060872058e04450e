// Who is paying a pending request at a moment, what that leaves to offer, and how it is said.
import { CLAIMED_FOR_MS, type PayoutView } from "#features/payouts/contract.ts";
import { formatDayTime, formatTime } from "#web/lib/formats.ts";

export type ClaimState =
  /** Nobody began to pay. */
  | { readonly kind: "free" }
  /** Somebody has it. */
  | { readonly kind: "own"; readonly until: Date }
  | { readonly kind: "taken"; readonly by: string; readonly until: Date }
  /** Somebody began, and their time ran out before they said how it ended: the money may have been sent. */
  | { readonly kind: "over"; readonly by: string; readonly isOwn: boolean; readonly began: Date };

export function claimStateOf(claim: PayoutView["claim"], now: Date): ClaimState {
  if (claim === null) {
    return { kind: "free" };
  }
  const { by, isOwn } = claim;
  const until = new Date(claim.until);
  if (until <= now) {
    return { kind: "over", by, isOwn, began: new Date(until.getTime() - CLAIMED_FOR_MS) };
  }
  return isOwn ? { kind: "own", until } : { kind: "taken", by, until };
}

/** The way to the transfer: `open` claims the request at once, `ask` first says that the money may have been sent. */
type PayOffer = "open" | "ask" | "none";

export type Offers = {
  readonly pay: PayOffer;
  readonly canDelete: boolean;
  /** Saying that no money was sent: `ask` where somebody else began, and only they know it without looking. */
  readonly release: "now" | "ask" | "none";
};

export function offersOf(state: ClaimState): Offers {
  const { kind } = state;
  return {
    pay: kind === "taken" ? "none" : kind === "over" ? "ask" : "open",
    canDelete: kind === "free" || kind === "over",
    release: kind === "own" ? "now" : kind !== "over" ? "none" : state.isOwn ? "now" : "ask",
  };
}

/** Only the time of day if it is today. */
function timeText(at: Date, now: Date): string {
  return at.toDateString() === now.toDateString() ? formatTime(at) : formatDayTime(at, now);
}

type Told = {
  /** "You", or the admin's name. */
  readonly who: string;
  /** "is paying until 10:12" */
  readonly does: string;
};

/** Undefined while nobody began to pay. */
export function claimTold(state: ClaimState, now: Date): Told | undefined {
  if (state.kind === "free") {
    return undefined;
  }
  if (state.kind === "over") {
    const did = `began to pay at ${timeText(state.began, now)}`;
    return { who: state.isOwn ? "You" : state.by, does: did };
  }
  const until = timeText(state.until, now);
  return state.kind === "own"
    ? { who: "You", does: `are paying until ${until}` }
    : { who: state.by, does: `is paying until ${until}` };
}
