// Limits how many visits one address may report, counted in memory: a row for each would cost more than the visit.
import { HttpError } from "#http/errors.ts";
import { networkOf } from "#identity/networks.ts";

/** A household or an office behind one address opens fewer screens. */
const PER_MINUTE = 120;
const MINUTE_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** Throws HttpError 429 with Retry-After if the address has reported too many within a minute. */
export function createVisitLimit(clock: () => Date): (address: string) => void {
  /** How many an address has left, which grows back evenly. */
  const allowances = new Map<string, { left: number; at: number }>();
  return (address) => {
    const key = networkOf(address);
    const now = clock().getTime();
    const known = allowances.get(key) ?? { left: PER_MINUTE, at: now };
    const grown = (Math.max(0, now - known.at) / MINUTE_MS) * PER_MINUTE;
    const left = Math.min(PER_MINUTE, known.left + grown);
    allowances.delete(key);
    allowances.set(key, { left: Math.max(0, left - 1), at: now });
    const [oldest] = allowances.keys();
    if (allowances.size > MOST_REMEMBERED && oldest !== undefined) {
      allowances.delete(oldest);
    }
    if (left < 1) {
      throw new HttpError(429, "too_many_visits", "Too many visits from this address", {
        retryAfterSeconds: 1,
      });
    }
  };
}
