// What the clocks of a time zone show, as an instant: for dates in files that name no zone. Pure.

const DAY_MS = 86_400_000;

/**
 * Takes a local time as if it were UTC, in milliseconds, and returns its instant. A time that comes twice, when the
 * clocks go back, is the first of the two; one that is left out is as much later.
 */
export function instantsIn(timeZone: string): (localMs: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  /** How far the zone's clocks are ahead of UTC at an instant. */
  const aheadAt = (instant: number): number => {
    const second = Math.floor(instant / 1000) * 1000;
    const parts = new Map(format.formatToParts(second).map(({ type, value }) => [type, value]));
    const at = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    return (
      Date.UTC(at("year"), at("month") - 1, at("day"), at("hour"), at("minute"), at("second")) -
      second
    );
  };
  return (localMs) => {
    const before = aheadAt(localMs - DAY_MS);
    const after = aheadAt(localMs + DAY_MS);
    const candidates = [localMs - before, localMs - after].filter(
      (instant) => instant + aheadAt(instant) === localMs,
    );
    return candidates.length === 0 ? localMs - before : Math.min(...candidates);
  };
}
