// Days as addresses and calls write them, and in words, the same on screens and in files: "3 Sep 2026".

/** The milliseconds of a day in which no clock changes. */
export const DAY_MS = 86_400_000;

/** Whether the text is a day from 2000 to 2099: "2026-03-05", not "2026-02-31". */
export function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/u.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The day of a time zone that an instant is in: "2026-11-23". Swedish writes days as ISO 8601 does. */
export function dayIn(at: Date, timeZone: string): string {
  return at.toLocaleDateString("sv-SE", { timeZone });
}

/**
 * How a time zone's days read, with the year or without. Intl has no English with the day first and three letters for
 * each month: British English writes "Sept".
 */
export function dayWords(timeZone: string, has: "year" | "no year"): (at: Date) => string {
  const format = new Intl.DateTimeFormat("en-US", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone,
  });
  const order = has === "year" ? (["day", "month", "year"] as const) : (["day", "month"] as const);
  return (at) => {
    const parts = format.formatToParts(at);
    return order.map((type) => parts.find((part) => part.type === type)?.value).join(" ");
  };
}

/** A calendar day, which is in no time zone: "2026-11-21" → "21 Nov 2026". */
export function dayText(day: string): string {
  return dayWords("UTC", "year")(new Date(`${day}T00:00:00Z`));
}
