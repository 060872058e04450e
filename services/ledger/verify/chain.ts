// Proving the log itself: positions without gaps, every field hash and every link recomputed from the stored rows.
import type { StoredEvent } from "#ledger/log/read.ts";
import { GENESIS_HASH, fieldHash, nextLink } from "#ledger/log/chain.ts";
import type { Problem } from "#ledger/verify/problem.ts";

export type ChainState = {
  readonly position: number;
  readonly hash: string;
  readonly recordedAtMicros: bigint;
};

export const CHAIN_START: ChainState = { position: 0, hash: GENESIS_HASH, recordedAtMicros: 0n };

/** A head that was published outside the database: `position:hash`. */
export type PublishedHead = { readonly position: number; readonly hash: string };

/** Reads `position:hash`. Throws a RangeError on anything else. */
export function parseHead(text: string): PublishedHead {
  const match = /^(\d{1,15}):([0-9a-f]{64})$/u.exec(text.trim());
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new RangeError("A head is written position:hash, the hash with 64 hexadecimal digits");
  }
  return { position: Number(match[1]), hash: match[2] };
}

/** The state after one event, and what is wrong with it, if anything. */
export function checkLink(
  before: ChainState,
  event: StoredEvent,
): { after: ChainState; problem?: Problem } {
  const after = {
    position: event.position,
    hash: event.hash,
    recordedAtMicros: event.recordedAtMicros,
  };
  const problem = (what: string): { after: ChainState; problem: Problem } => ({
    after,
    problem: { check: "chain", position: event.position, message: what },
  });
  if (event.position !== before.position + 1) {
    return problem(`Position ${before.position + 1} is missing before ${event.position}`);
  }
  if (event.recordedAtMicros < before.recordedAtMicros) {
    return problem(`Event ${event.position} was recorded before its predecessor`);
  }
  if (fieldHash(event) !== event.fieldHash) {
    return problem(
      `The fields or typed rows of event ${event.position} are not those it was written with`,
    );
  }
  const link = nextLink(before.hash, event.position, event.recordedAtMicros, event.fieldHash);
  if (link !== event.hash) {
    return problem(`The hash of event ${event.position} does not follow from its predecessor`);
  }
  return { after };
}
