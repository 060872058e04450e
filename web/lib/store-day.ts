// The store's days in words. A day such as `2026-11-23` is not an instant, so no time zone may move it.
import { dayWords } from "#ledger/day-text.ts";

const weekdayFormat = new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: "UTC" });
const dayOf = dayWords("UTC", "no year");

/** "Monday" */
export function weekdayOf(day: string): string {
  return weekdayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** "23 Nov". With the year it is `dayText` of `day-text.ts`. */
export function shortDayText(day: string): string {
  return dayOf(new Date(`${day}T00:00:00Z`));
}

/** "Monday, 23 Nov" */
export function storeDayText(day: string): string {
  return `${weekdayOf(day)}, ${shortDayText(day)}`;
}
