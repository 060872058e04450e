// Brings the open payout holds in line with the row keys that are held back: places missing ones, releases settled ones.
import { randomUUID } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import type { Decider } from "#ledger/decider.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { HoldAnswer } from "#features/holds/decider.ts";
import { holdPayouts, releasePayouts } from "#features/holds/decider.ts";
import type { HeldMoney } from "#features/holds/held-money.ts";
import { readHeldMoney } from "#features/holds/held-money.ts";
import type { Hold, HoldsState, NamedHold } from "#features/holds/streams.ts";
import {
  HOLDS,
  holdsStream,
  holdStream,
  holdStreamId,
  isSameHold,
  isSettled,
} from "#features/holds/streams.ts";

export type HoldDeps = {
  /** The primary. */
  readonly sql: Sql;
  readonly ledger: Ledger;
  readonly readEvent: ReadEvent;
  readonly projections: readonly Projection[];
  readonly clock: () => Date;
};

/** With more keys from one fault, everybody's payouts wait: so much is wrong that nobody's balance can be trusted. */
export const MOST_KEYS_APART = 50;

type WantedHold = Omit<Hold, "since">;

const ACTOR = "system:holds";

type PlaceDeps = Pick<HoldDeps, "sql" | "ledger" | "readEvent" | "clock">;

/**
 * Under a key that nobody can guess: the log keeps the answer to each key forever, so whoever put one under a known key
 * first would keep the payouts from ever being held. Whether anything happens follows from the state of the hold's stream.
 */
async function execute<Command>(
  { ledger }: Pick<HoldDeps, "ledger">,
  decider: Decider<Command, HoldAnswer>,
  command: Command & Pick<Hold, "uid">,
): Promise<void> {
  await ledger.execute(decider, command, {
    actor: ACTOR,
    scope: `${ACTOR}:${holdStreamId(command.uid)}`,
    key: randomUUID(),
    requestHash: "",
  });
}

/** Places a hold unless it is open, or an admin lifted it. */
export async function placeHold(deps: PlaceDeps, hold: WantedHold): Promise<void> {
  // Looked at first, because the log keeps the key of each command forever, also of one that changes nothing.
  if (isSettled(await readState(deps, holdStream, holdStreamId(hold.uid)), hold)) {
    return;
  }
  await execute(deps, holdPayouts, { ...hold, happenedAt: deps.clock().toISOString() });
}

/** Releases a hold that was just found open. */
export function releaseHold(
  deps: Pick<HoldDeps, "ledger" | "clock">,
  { uid, reference }: NamedHold,
): Promise<void> {
  const command = { uid, reference, happenedAt: deps.clock().toISOString() };
  return execute(deps, releasePayouts, command);
}

function holdsOf({ projection, generation, key, position, uids }: HeldMoney): WantedHold[] {
  const reference = `hold:${projection}:${generation}:${key}:${position}`;
  return uids.map((uid) => ({
    uid,
    reference,
    cause: "row",
    projection,
    rowKey: key,
    atPosition: position,
  }));
}

/** `hold:payouts:2:*:`, the part that all holds on everybody for these tables share. */
function forAllPrefix({ projection, generation }: HeldMoney): string {
  return `hold:${projection}:${generation}:*:`;
}

/** The holds that should be open: one for each key and person, or one for everybody where one fault has many keys. */
export function wantedHolds(
  held: readonly HeldMoney[],
  { open, liftedForAll }: HoldsState,
): readonly WantedHold[] {
  const faults = Map.groupBy(held, forAllPrefix);
  return [...faults].flatMap(([prefix, keys]) => {
    const apart = keys.slice(0, MOST_KEYS_APART);
    const next = keys[MOST_KEYS_APART];
    const isLifted = liftedForAll.some((reference) => reference.startsWith(prefix));
    if (next === undefined || isLifted) {
      return apart.flatMap(holdsOf);
    }
    const placed = open.find(({ reference }) => reference.startsWith(prefix));
    const { projection, position: atPosition } = next;
    const forAll: WantedHold = placed ?? {
      uid: null,
      reference: `${prefix}${atPosition}`,
      cause: "row",
      projection,
      rowKey: null,
      atPosition,
    };
    // Those that were held before the fault grew stay held by their own references.
    const known = apart
      .flatMap(holdsOf)
      .filter((hold) => open.some((other) => isSameHold(hold, other)));
    return [forAll, ...known];
  });
}

/**
 * One look. Several workers may look at once, and at any time: each hold is placed and released once. Lifted holds
 * are not placed again.
 */
export async function placeHolds(deps: HoldDeps): Promise<void> {
  const held = await readHeldMoney(deps.sql, deps.projections);
  const state = await readState(deps, holdsStream, HOLDS);
  const wanted = wantedHolds(held, state);
  const missing = wanted.filter((hold) => !state.open.some((other) => isSameHold(hold, other)));
  for (const hold of missing) {
    await placeHold(deps, hold);
  }
  const settled = state.open.filter(
    (hold) => hold.cause === "row" && !wanted.some((other) => isSameHold(hold, other)),
  );
  for (const hold of settled) {
    await releaseHold(deps, hold);
  }
}
