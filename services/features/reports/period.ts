// A report's period: whole days of the store, in parts of a month each.
import { badRequest } from "#http/errors.ts";
import type { Reads } from "#http/reads.ts";
import { dayAfter, readDayBegins } from "#http/store-days.ts";
import type { MonthsState } from "#features/months/streams.ts";
import { beginsOf, lastDayOf } from "#features/months/streams.ts";
import type { Bounds } from "#features/reports/queries-sums.ts";

/** Days of the store, both inclusive: "2026-01-01". */
export type Days = { readonly from: string; readonly to: string };

/** The months of a report; ten years. */
const MOST_MONTHS = 120;

/** The parts of a period, each in one month. Throws HttpError 400 `period_too_long`. */
export function monthsOf({ from, to }: Days): readonly Days[] {
  const parts: Days[] = [];
  for (let begin = from; begin <= to;) {
    const last = lastDayOf(begin.slice(0, 7));
    parts.push({ from: begin, to: last < to ? last : to });
    if (parts.length > MOST_MONTHS) {
      throw badRequest("period_too_long", `A report has at most ${MOST_MONTHS} months`, "from");
    }
    // There is no day after the last possible one.
    if (last >= to) {
      break;
    }
    begin = dayAfter(last);
  }
  return parts;
}

/** When the parts of the period begin, and when the last one ends: see `beginsOf`. */
export function readBounds(
  reads: Reads,
  parts: readonly Days[],
  timeZone: string,
  months: MonthsState = { closed: [] },
): Promise<Bounds> {
  const days = [...parts.map(({ from }) => from), ...parts.slice(-1).map(({ to }) => dayAfter(to))];
  return readDayBegins(reads, beginsOf(days, timeZone, months));
}
