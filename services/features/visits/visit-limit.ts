// Limits how many visits one address may report, and how many sessions are stored, so that no stranger fills the database.
import type { Logger } from "pino";
import { createAddressLimit } from "#http/address-limit.ts";
import { HttpError } from "#http/errors.ts";

/** A household or an office behind one address opens fewer screens. */
const VISITS = { most: 120, perMs: 60_000 };
/** One address has fewer browsers than that. */
const NEW_SESSIONS = { most: 50, perMs: 3_600_000 };
/** More visitors than a shop has in a day. Each is a row, which is kept for 90 days. */
const MOST_SESSIONS_A_DAY = 10_000;

/** Throws HttpError 429 with Retry-After if the address has reported too many within a minute. */
export function createVisitLimit(clock: () => Date): (address: string) => void {
  const limit = createAddressLimit(clock, VISITS);
  return (address) => {
    if (limit(address) > 0) {
      throw new HttpError(429, "too_many_visits", "Too many visits from this address", {
        retryAfterSeconds: 1,
      });
    }
  };
}

/**
 * Whether this session is stored. If not, its visits are only added to the day's views. A session that was stored
 * today stays so, so that "active now" goes on being right for it.
 */
export function createSessionLimit(
  clock: () => Date,
  logger: Pick<Logger, "warn">,
  mostADay = MOST_SESSIONS_A_DAY,
): (sessionId: string, address: string) => boolean {
  const limit = createAddressLimit(clock, NEW_SESSIONS);
  const stored = new Set<string>();
  let day = "";
  let isFull = false;
  return (sessionId, address) => {
    const today = clock().toISOString().slice(0, 10);
    if (today !== day) {
      stored.clear();
      day = today;
      isFull = false;
    }
    if (stored.has(sessionId)) {
      return true;
    }
    if (stored.size >= mostADay) {
      if (!isFull) {
        logger.warn({ sessions: mostADay }, "no more new sessions of visits are stored today");
      }
      isFull = true;
      return false;
    }
    const isAllowed = limit(address) === 0;
    if (isAllowed) {
      stored.add(sessionId);
    }
    return isAllowed;
  };
}
