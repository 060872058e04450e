// Decides payout holds: the worker places and releases them, and an admin may lift one with a reason.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { PayoutHoldLifted, PayoutsHeld, PayoutsReleased } from "#features/holds/events.ts";
import type { Hold, NamedHold } from "#features/holds/streams.ts";
import { holdStream, holdStreamId, holdStreamIds, isSettled } from "#features/holds/streams.ts";

export type HoldPayouts = Omit<Hold, "since"> & { readonly happenedAt: string };

/** Which hold: a reference may be on several people, whose money one row shows. */
type Named = NamedHold & { readonly happenedAt: string };

export type ReleasePayouts = Named;
export type LiftPayoutHold = Named & { readonly noteId: string };

/** `happened` is false where nothing changed. */
export type HoldAnswer = { readonly happened: boolean };

/** Nothing happens if the hold is open already, or an admin lifted it. */
export const holdPayouts: Decider<HoldPayouts, HoldAnswer> = {
  type: "HoldPayouts",
  streams: holdStreamIds,
  decide: ({ happenedAt, ...hold }, states) => {
    if (isSettled(states.get(holdStream, holdStreamId(hold.uid)).state, hold)) {
      return accept([], { happened: false });
    }
    const event = emit(PayoutsHeld, hold, { streams: holdStreamIds(hold), happenedAt });
    return accept([event], { happened: true });
  },
};

/** Nothing happens if the hold is not open. */
export const releasePayouts: Decider<ReleasePayouts, HoldAnswer> = {
  type: "ReleasePayouts",
  streams: holdStreamIds,
  decide: ({ happenedAt, ...named }, states) => {
    const { open } = states.get(holdStream, holdStreamId(named.uid)).state;
    if (!open.some(({ reference }) => reference === named.reference)) {
      return accept([], { happened: false });
    }
    const event = emit(PayoutsReleased, named, { streams: holdStreamIds(named), happenedAt });
    return accept([event], { happened: true });
  },
};

/** Rejects 404 `hold_not_found`. */
export const liftPayoutHold: Decider<LiftPayoutHold, HoldAnswer> = {
  type: "LiftPayoutHold",
  streams: holdStreamIds,
  decide: ({ happenedAt, ...lifted }, states) => {
    const { open } = states.get(holdStream, holdStreamId(lifted.uid)).state;
    if (!open.some(({ reference }) => reference === lifted.reference)) {
      return reject(404, "hold_not_found", "This hold is no longer there");
    }
    const event = emit(PayoutHoldLifted, lifted, { streams: holdStreamIds(lifted), happenedAt });
    return accept([event], { happened: true });
  },
};
