// What the clocks of a time zone show, as an instant: for dates in files that name no zone. Pure.
import { aheadOfUtc } from "#http/time-zones.ts";
import { DAY_MS } from "#ledger/day-text.ts";

/**
 * Takes a local time as if it were UTC, in milliseconds, and returns its instant. A time that comes twice, when the
 * clocks go back, is the first of the two; one that is left out is as much later.
 */
export function instantsIn(timeZone: string): (localMs: number) => number {
  const ahead = aheadOfUtc(timeZone);
  const aheadAt = (instant: number) => ahead(Math.floor(instant / 1000) * 1000);
  return (localMs) => {
    const before = aheadAt(localMs - DAY_MS);
    const after = aheadAt(localMs + DAY_MS);
    const candidates = [localMs - before, localMs - after].filter(
      (instant) => instant + aheadAt(instant) === localMs,
    );
    return candidates.length === 0 ? localMs - before : Math.min(...candidates);
  };
}
