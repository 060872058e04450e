// Time zones as the runtime knows them: which names there are, and how far their clocks are ahead of UTC.

const known = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);

export function isTimeZone(name: string): boolean {
  return known.has(name);
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
