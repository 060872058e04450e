// How the days of visits read: they are days of the store, not instants.

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** "18 Nov" of "2026-11-18". */
export const dayText = (day: string): string => dayFormat.format(new Date(day));
