// The usual periods of a list, counted from today: "Last 7 days", "This month".
export type Period = { readonly from: string; readonly to: string };

export type PeriodName =
  | "today"
  | "yesterday"
  | "this-week"
  | "last-7-days"
  | "last-30-days"
  | "this-month"
  | "last-month"
  | "this-year";

export const periodNames: readonly { readonly value: PeriodName; readonly label: string }[] = [
  { value: "today", label: "Today" },
  { value: "yesterday", label: "Yesterday" },
  { value: "this-week", label: "This week" },
  { value: "last-7-days", label: "Last 7 days" },
  { value: "last-30-days", label: "Last 30 days" },
  { value: "this-month", label: "This month" },
  { value: "last-month", label: "Last month" },
  { value: "this-year", label: "This year" },
];

function textOf(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first and the last day of a period, as local days like "2026-11-21". */
export function periodOf(name: PeriodName, now: Date): Period {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const between = (from: Date, to: Date): Period => ({ from: textOf(from), to: textOf(to) });
  const ago = (days: number): Date => new Date(year, month, day - days);
  const periods: Readonly<Record<PeriodName, Period>> = {
    today: between(now, now),
    yesterday: between(ago(1), ago(1)),
    // Weeks begin on Monday.
    "this-week": between(ago((now.getDay() + 6) % 7), now),
    "last-7-days": between(ago(6), now),
    "last-30-days": between(ago(29), now),
    "this-month": between(new Date(year, month, 1), now),
    "last-month": between(new Date(year, month - 1, 1), new Date(year, month, 0)),
    "this-year": between(new Date(year, 0, 1), now),
  };
  return periods[name];
}

/** The name of a period; undefined if it has none today. On the first of a month several match: the shortest is meant. */
export function nameOfPeriod({ from, to }: Period, now: Date): PeriodName | undefined {
  return periodNames.find(({ value }) => {
    const period = periodOf(value, now);
    return period.from === from && period.to === to;
  })?.value;
}
