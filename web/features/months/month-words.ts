// What months are called on screen.

const words = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** "2026-10" → "October 2026" */
export function monthText(month: string): string {
  return words.format(new Date(`${month}-01T00:00:00Z`));
}
