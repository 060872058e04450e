// Days in words, the same on screens and in files: "3 Sep 2026".

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
