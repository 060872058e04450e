// What months are called on screen, and which days they have.
import type { ReportPeriod } from "./report-period.ts";

const words = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** "2026-10" → "October 2026" */
export function monthName(month: string): string {
  return words.format(new Date(`${month}-01T00:00:00Z`));
}

/** The month of an instant: the store's, or this browser's until the store's time zone is known. */
export function monthAt(at: Date, timeZone: string | undefined): string {
  return at.toLocaleDateString("sv-SE", { timeZone }).slice(0, 7);
}

/** "2026-02" → its first and last day. */
export function daysOf(month: string): ReportPeriod {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return { from: `${month}-01`, to: last };
}

/** Why to look at the year before, up to the link to it. `closed` is the last closed month, undefined without one. */
export function yearBeforeText(
  year: number,
  closed: string | undefined,
  isEmpty: boolean,
): string | undefined {
  const before = year - 1;
  if (closed === `${before}-11`) {
    return `${monthName(`${before}-12`)} is still open:`;
  }
  // A store that has never closed a month does without closing them.
  if (closed !== undefined && closed < `${before}-12`) {
    return `Months of ${before} are still open:`;
  }
  return isEmpty ? `${year} has no entries yet:` : undefined;
}
