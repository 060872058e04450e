// The store's days in words. A day such as `2026-11-23` is no instant, so no time zone may move it.

const weekdayFormat = new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: "UTC" });
const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** "Monday" */
export function weekdayOf(day: string): string {
  return weekdayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** "Monday, 23 Nov" */
export function storeDayText(day: string): string {
  return `${weekdayOf(day)}, ${dayFormat.format(new Date(`${day}T00:00:00Z`))}`;
}
