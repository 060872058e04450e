// Checks the log itself: positions without gaps, every field hash and every link recomputed from the stored rows.
import type { StoredEvent } from "#ledger/log/read.ts";
import type { HashForm } from "#ledger/log/chain.ts";
import { GENESIS_HASH, fieldHash, nextLink } from "#ledger/log/chain.ts";
import type { Problem } from "#ledger/verify/problem.ts";

export type ChainState = {
  readonly position: number;
  /** Undefined if the event before could not be read, so that its link is unknown. */
  readonly hash: string | undefined;
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

/** The problem with one event, if any. Without a form its fields cannot be checked, because its answer is gone. */
export function checkLink(
  before: ChainState,
  event: StoredEvent,
  form: HashForm | undefined,
): Problem | undefined {
  const { position } = event;
  const problem = (message: string): Problem => ({ check: "chain", position, message });
  if (position === before.position) {
    return problem(`Position ${position} is in the log twice`);
  }
  if (position !== before.position + 1) {
    return problem(`Position ${before.position + 1} is missing before ${position}`);
  }
  if (event.recordedAtMicros < before.recordedAtMicros) {
    return problem(`Event ${position} was recorded before its predecessor`);
  }
  if (event.hashForm !== 1 && event.hashForm !== 2) {
    return problem(`Event ${position} has the unknown canonical form ${event.hashForm}`);
  }
  if (form !== undefined && fieldHash(event, form) !== event.fieldHash) {
    return problem(
      form.form === 2 && form.answerHash !== null
        ? `The fields or typed rows of event ${position}, or the answer or request kept under its key ${event.keyScope}/${event.commandKey}, are not those it was written with`
        : `The fields or typed rows of event ${position} are not those it was written with`,
    );
  }
  if (
    before.hash !== undefined &&
    nextLink(before.hash, position, event.recordedAtMicros, event.fieldHash) !== event.hash
  ) {
    return problem(`The hash of event ${position} does not follow from its predecessor`);
  }
  return undefined;
}
