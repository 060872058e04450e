// A report of a period: by month or by consignor, with its total, as screens and files show it.
import { dayIn } from "#ledger/day-text.ts";
import { sql } from "kysely";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ReportConsignorsResponse, ReportMonthsResponse } from "#features/reports/contract.ts";
import { figuresOf, NONE_UNPRICED, wholeOf } from "#features/reports/figures.ts";
import type { MonthsState } from "#features/months/streams.ts";
import { monthAt } from "#features/months/streams.ts";
import type { Days } from "#features/reports/period.ts";
import { monthsOf, readBounds } from "#features/reports/period.ts";
import { reportUnitsTable } from "#features/reports/projection.ts";
import { reportLinesTable } from "#features/reports/projection-lines.ts";
import type { ConsignorFilters } from "#features/reports/queries-consignors.ts";
import { readConsignors } from "#features/reports/queries-consignors.ts";
import { readParts } from "#features/reports/queries-month.ts";
import type { Scope } from "#features/reports/queries-sums.ts";
import { isIn } from "#features/reports/queries-sums.ts";
import { readUnpriced, wholeUnpriced } from "#features/reports/queries-unpriced.ts";

/** A period in a time zone, as of a position: what was recorded after it does not count. */
export type Asked = Days & {
  readonly timeZone: string;
  readonly position: number;
  readonly closings: MonthsState;
  readonly now: Date;
};

export const scopeOf = (
  consignor: string | undefined,
  whose: "all" | "consignors" = "all",
): Scope =>
  consignor === undefined
    ? { kind: whose === "all" ? "store" : "consignors" }
    : { kind: "consignor", uid: consignor };

/** Months that have not begun are left out; a period that has not begun has its first one. */
function partsOf({ from, to, timeZone, now }: Asked): readonly Days[] {
  const today = dayIn(now, timeZone);
  const parts = monthsOf({ from, to });
  const begun = parts.filter((part) => part.from <= today);
  return begun.length === 0 ? parts.slice(0, 1) : begun;
}

/** When the first line or lost unit of the store or of a consignor was booked; undefined without one. */
async function readFirst(reads: Reads, scope: Scope, position: number): Promise<Date | undefined> {
  const isOf = sql`${isIn(scope, sql`uid`)} and position <= ${position}::bigint`;
  const first = (table: Parameters<typeof nameOfTable>[0]) =>
    sql`select (select booked_at from ${nameOfTable(table)} where ${isOf} order by booked_at, position limit 1) as at`;
  const { rows } = await sql<{ readonly at: Date }>`
    select at from (${first(reportLinesTable)} union all ${first(reportUnitsTable)}) firsts
    where at is not null order by at limit 1`.execute(reads);
  return rows[0]?.at;
}

/** The parts that end after the first entry. */
function sinceFirst<Part>(
  parts: readonly Part[],
  bounds: readonly Date[],
  first: Date | undefined,
): readonly Part[] {
  return first === undefined
    ? []
    : parts.filter((_part, index) => (bounds[index + 1]?.getTime() ?? 0) > first.getTime());
}

export async function readMonthReport(
  { reads, searches }: ReadDeps,
  asked: Asked,
  consignor: string | undefined,
): Promise<ReportMonthsResponse> {
  const { from, to, timeZone, position, closings } = asked;
  const parts = partsOf(asked);
  const bounds = await readBounds(reads, parts, timeZone, closings);
  const scope = scopeOf(consignor);
  const [totals, unpriced, first] = await Promise.all([
    readParts(searches, bounds, scope, position),
    readUnpriced(searches, bounds, scope, position),
    readFirst(searches, scope, position),
  ]);
  const whole = wholeOf(totals);
  if (whole === undefined) {
    throw new Error("A report without a month");
  }
  const shown = parts.flatMap((part, index) => {
    const own = totals[index];
    const figures = own && figuresOf(own, unpriced[index] ?? NONE_UNPRICED);
    return figures === undefined ? [] : [{ ...figures, month: part.from.slice(0, 7), ...part }];
  });
  return {
    timeZone,
    from,
    to,
    firstMonth: first === undefined ? null : monthAt(first, timeZone, closings),
    months: [...sinceFirst(shown, bounds, first)],
    total: figuresOf(whole, wholeUnpriced(unpriced)),
  };
}

export async function readConsignorReport(
  { reads, searches }: ReadDeps,
  { from, to, timeZone, position, closings }: Asked,
  filters: ConsignorFilters,
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<ReportConsignorsResponse> {
  const bounds = await readBounds(reads, monthsOf({ from, to }), timeZone, closings);
  const { consignors, ...found } = await readConsignors(searches, bounds, filters, {
    ...page,
    position,
  });
  return { timeZone, from, to, consignors: [...consignors], ...found };
}
