// Time zones as the runtime knows them: which names there are, and how far their clocks are ahead of UTC.

const listed = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);

/**
 * True for a region's name that the runtime knows. Its list has one name of each time zone, often the older one
 * ("Asia/Calcutta"), and other browsers offer the newer one ("Asia/Kolkata").
 */
export function isTimeZone(name: string): boolean {
  if (listed.has(name) || !/^[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z_-]+){1,2}$/u.test(name)) {
    return listed.has(name);
  }
  try {
    aheadOfUtc(name);
    return true;
  } catch {
    // It knows no such time zone.
    return false;
  }
}

/** How far a zone's clocks are ahead of UTC, in milliseconds, at an instant in whole seconds. */
export function aheadOfUtc(timeZone: string): (instantMs: number) => number {
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
  return (instantMs) => {
    const parts = new Map(format.formatToParts(instantMs).map(({ type, value }) => [type, value]));
    const at = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    return (
      Date.UTC(at("year"), at("month") - 1, at("day"), at("hour"), at("minute"), at("second")) -
      instantMs
    );
  };
}
