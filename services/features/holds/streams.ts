// The streams of payout holds: each person's, everybody's, and one list of all that are open.
import type { Rejection, States, StreamDefinition } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import { defineName } from "#ledger/names.ts";
import { heldMessages } from "#features/holds/contract.ts";
import {
  holdEvents,
  PayoutHoldLifted,
  PayoutsHeld,
  PayoutsReleased,
} from "#features/holds/events.ts";

export type Hold = {
  /** Null for everybody. */
  readonly uid: string | null;
  readonly reference: string;
  readonly cause: "row" | "proof";
  readonly projection: string;
  /** Null for many keys at once. */
  readonly rowKey: string | null;
  readonly atPosition: number;
  /** ISO 8601. */
  readonly since: string;
};

export type HoldState = {
  readonly open: readonly Hold[];
  /** References of holds that an admin lifted, the last ones: they are not placed again. */
  readonly lifted: readonly string[];
};

const holdStreamName = defineName("hold_stream", "hold-");

export const holdNames = [holdStreamName] as const;

/** No person has this id: theirs are longer. */
const EVERYBODY = "store";

/** `hold-<uid>`, or `hold-store` for everybody (null). */
export function holdStreamId(uid: string | null): string {
  return holdStreamName.of(uid ?? EVERYBODY);
}

function openAfter(open: readonly Hold[], event: AnyEvent): readonly Hold[] {
  if (is(PayoutsHeld, event)) {
    return [...open, { ...event.data, since: event.happenedAt }];
  }
  if (is(PayoutsReleased, event) || is(PayoutHoldLifted, event)) {
    const { uid, reference } = event.data;
    return open.filter((hold) => hold.uid !== uid || hold.reference !== reference);
  }
  return open;
}

/** More than one person has in all tables, each with as many keys as are held apart. */
const LIFTED_KEPT = 500;

/** Whether a hold is not to be placed: it is open already, or an admin lifted it. */
export function isSettled(
  { open, lifted }: HoldState,
  { reference }: Pick<Hold, "reference">,
): boolean {
  return open.some((hold) => hold.reference === reference) || lifted.includes(reference);
}

const types = holdEvents.map(({ type }) => type);

export const holdStream: StreamDefinition<HoldState> = {
  category: "hold",
  extendedBy: types,
  isAmong: (names, streamId) =>
    streamId === holdStreamId(null) || names.has(holdStreamName.idOf(streamId)),
  stateVersion: 3,
  initial: { open: [], lifted: [] },
  evolve: ({ open, lifted }, event) => ({
    open: openAfter(open, event),
    lifted: is(PayoutHoldLifted, event)
      ? [...lifted, event.data.reference].slice(-LIFTED_KEPT)
      : lifted,
  }),
};

/** One list, so that all open holds are found without a search. */
export const HOLDS = "holds";

/** Every event about a hold extends these. */
export function holdStreamIds({ uid }: Pick<Hold, "uid">): readonly string[] {
  return [holdStreamId(uid), HOLDS];
}

export type HoldsState = {
  readonly open: readonly Hold[];
  /** References of holds on everybody that an admin lifted, the last ones: they are not placed again. */
  readonly liftedForAll: readonly string[];
};

export type NamedHold = Pick<Hold, "uid" | "reference">;

export function isSameHold(one: NamedHold, other: NamedHold): boolean {
  return one.uid === other.uid && one.reference === other.reference;
}

export const holdsStream: StreamDefinition<HoldsState> = {
  category: HOLDS,
  onlyId: HOLDS,
  extendedBy: types,
  stateVersion: 3,
  initial: { open: [], liftedForAll: [] },
  evolve: (state, event) => ({
    open: openAfter(state.open, event),
    liftedForAll:
      is(PayoutHoldLifted, event) && event.data.uid === null
        ? [...state.liftedForAll, event.data.reference].slice(-LIFTED_KEPT)
        : state.liftedForAll,
  }),
};

/** The streams to declare for a command that takes money out of a person's account at their request. */
export function payoutHoldStreams(uid: string): readonly string[] {
  return [holdStreamId(uid), holdStreamId(null)];
}

/** Rejects 409 `payouts_held` while a hold is open. The command must have declared `payoutHoldStreams`. */
export function refuseHeldPayouts(states: States, uid: string): Rejection | null {
  const own = states.get(holdStream, holdStreamId(uid)).state.open;
  const all = states.get(holdStream, holdStreamId(null)).state.open;
  if (own.length === 0 && all.length === 0) {
    return null;
  }
  return reject(409, "payouts_held", own.length > 0 ? heldMessages.own : heldMessages.all);
}
