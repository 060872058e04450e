// Decides which key signs at a time and when a new one is needed, so that no clock can leave the store without a key.
import { DAY_MS } from "#ledger/day-text.ts";

const HOUR_MS = 3_600_000;

/** How long a key signs before the next one does. */
export const SIGNS_FOR_MS = 30 * DAY_MS;
/** Longer than a verifier may cache the key set. */
const PUBLISHED_BEFORE_MS = HOUR_MS;
/**
 * How much earlier than planned a key may sign. So keys are at least a month of clock time apart, and a clock that is
 * set back, even step by step, finds an existing one.
 */
export const MAY_SIGN_EARLY_MS = 30 * DAY_MS;
/** Longer than a token lives after its key's time. */
const GOOD_AFTER_MS = DAY_MS;
/** Longer than the 15 minutes that a token may be ahead of the clock. */
const GOOD_BEFORE_MS = MAY_SIGN_EARLY_MS + 2 * HOUR_MS;

/** When a key is planned to begin, in milliseconds since 1970. */
export type KeyTime = { readonly signsFrom: number };

/** Until when a key's tokens are accepted and the key is in the key set. */
export function publishedUntil(signsFrom: number): number {
  return signsFrom + SIGNS_FOR_MS + GOOD_AFTER_MS;
}

/** Keys that are planned to begin later than this are not accepted yet. */
export function acceptedFromBefore(now: number): number {
  return now + GOOD_BEFORE_MS;
}

/**
 * The key that signs now, from keys ordered by time: the newest that has begun, as long as its month lasts, else the
 * next one although it is early. Undefined only if there are no keys.
 */
export function signingKey<Key extends KeyTime>(
  keys: readonly Key[],
  now: number,
): Key | undefined {
  const begun = keys.findLast(({ signsFrom }) => signsFrom <= now);
  const next = keys.find(({ signsFrom }) => signsFrom > now);
  const lasts = begun !== undefined && now < begun.signsFrom + SIGNS_FOR_MS;
  return lasts ? begun : (next ?? begun);
}

/** When a key that must be made now should begin; undefined while the existing ones are enough. */
export function missingKey(keys: readonly KeyTime[], now: number): number | undefined {
  const begun = keys.findLast(({ signsFrom }) => signsFrom <= now);
  const next = keys.find(({ signsFrom }) => signsFrom > now);
  if (next !== undefined && next.signsFrom <= now + MAY_SIGN_EARLY_MS) {
    return undefined;
  }
  if (begun === undefined) {
    return now;
  }
  const ends = begun.signsFrom + SIGNS_FOR_MS;
  return ends - PUBLISHED_BEFORE_MS > now ? undefined : Math.max(now, ends);
}
