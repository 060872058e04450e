// The periods of a report: months, quarters and years by name, or any days. The address keeps the days.
export type ReportPeriod = { readonly from: string; readonly to: string };

export type PeriodChoice = { readonly value: string; readonly label: string } & ReportPeriod;

function dayText(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

/** Whole months: `count` of them from this one (0 is January; it may be below 0). */
function months(year: number, first: number, count: number): ReportPeriod {
  return { from: dayText(year, first, 1), to: dayText(year, first + count, 0) };
}

/** "Nov 2026" */
export function monthText(month: string): string {
  const words = new Intl.DateTimeFormat("en-US", {
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  return words.format(new Date(`${month}-01T00:00:00Z`));
}

/** The named periods of this moment. The first one is the default. */
export function periodChoices(now: Date): readonly [PeriodChoice, ...PeriodChoice[]] {
  const [year, month] = [now.getFullYear(), now.getMonth()];
  const quarter = Math.floor(month / 3) * 3;
  return [
    { value: "this-year", label: `This year (${year})`, ...months(year, 0, 12) },
    { value: "last-year", label: `Last year (${year - 1})`, ...months(year - 1, 0, 12) },
    { value: "this-quarter", label: "This quarter", ...months(year, quarter, 3) },
    { value: "last-quarter", label: "Last quarter", ...months(year, quarter - 3, 3) },
    { value: "this-month", label: "This month", ...months(year, month, 1) },
    { value: "last-month", label: "Last month", ...months(year, month - 1, 1) },
  ];
}

const dayPattern = /^20\d\d-\d\d-\d\d$/u;

/** The days in the address; this year if it names none. */
export function periodIn(params: URLSearchParams, now: Date): ReportPeriod {
  const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
  const [usual] = periodChoices(now);
  return dayPattern.test(from) && dayPattern.test(to) && from <= to
    ? { from, to }
    : { from: usual.from, to: usual.to };
}

/** The period with one of its days changed. A first day after the last one, or the reverse, moves the other to it. */
export function withDay(period: ReportPeriod, change: Partial<ReportPeriod>): ReportPeriod {
  const { from, to } = { ...period, ...change };
  return from <= to
    ? { from, to }
    : change.from === undefined
      ? { from: to, to }
      : { from, to: from };
}

/** The named period with these days; undefined for others. */
export function choiceOf({ from, to }: ReportPeriod, now: Date): PeriodChoice | undefined {
  return periodChoices(now).find((choice) => choice.from === from && choice.to === to);
}
