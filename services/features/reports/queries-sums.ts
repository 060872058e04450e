// Sums the report's lines month by month: whole spans from their sums, and the lines between a span's begin and the store's.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { reportLinesTable } from "#features/reports/projection-lines.ts";
import type { SummedColumn } from "#features/reports/projection-sums.ts";
import {
  ALL_CONSIGNORS,
  reportSumsTable,
  summedColumns,
  summedOf,
} from "#features/reports/projection-sums.ts";

const lines = nameOfTable(reportLinesTable);
const sums = nameOfTable(reportSumsTable);

export type Sums = Readonly<Record<SummedColumn, number>>;

export const NO_SUMS: Sums = {
  lines: 0,
  sales: 0,
  price_sold: 0,
  price_refunded: 0,
  price_corrected: 0,
  share: 0,
  shipping: 0,
  trade_fee: 0,
  tax_collected: 0,
  tax_refunded: 0,
  tax_corrected: 0,
  tax_remitted: 0,
  commission: 0,
  traded: 0,
  paid: 0,
  returned: 0,
  adjusted: 0,
  taken_over: 0,
  available: 0,
  pending: 0,
  held: 0,
};

const names = sql.join(summedColumns.map((name) => sql.ref(name)));
const totalled = sql.join(
  summedColumns.map((name) => sql`read.total(${sql.ref(name)}) as ${sql.ref(name)}`),
);
const signed = (sign: RawBuilder<unknown>) =>
  sql.join(summedColumns.map((name) => sql`${sign} * ${sql.ref(name)}`));
/** What each line `l` adds. */
const ofLine = sql.join(
  summedColumns.map((name) => sql`${sql.raw(summedOf[name])} as ${sql.ref(name)}`),
);
const totalOfLines = sql.join(
  summedColumns.map((name) => sql`read.total(${sql.raw(summedOf[name])}) as ${sql.ref(name)}`),
);

/** Months of the store in a row. */
export type Months = {
  /** The first one: "2026-01". */
  readonly first: string;
  readonly count: number;
  readonly timeZone: string;
};

/** The store with all consignors, or one consignor. */
export type Scope =
  | { readonly kind: "store" }
  | { readonly kind: "consignor"; readonly uid: string };

/** Sums of one month, or of all before; of the store's own lines, or of consignors'. */
export type MonthSums = Sums & {
  /** 0 is all before the first month. */
  readonly nth: number;
  readonly is_own: boolean;
};

/**
 * Where the months begin, numbered from 1, with the nearest begin of a span; the last one is the end. As the sums
 * before a time are those before the span's begin and the lines between the two, so are the sums between two times.
 */
function boundsOf({ first, count, timeZone }: Months, span: "day" | "month"): RawBuilder<unknown> {
  const half = span === "day" ? "12 hours" : "15 days";
  return sql`
    select nth + 1 as nth, begins as at,
      date_trunc(${sql.lit(span)}, begins + interval ${sql.lit(half)}, 'UTC') as near
    from (
      select nth, ((${first}::text || '-01')::timestamp + make_interval(months => nth)) at time zone ${timeZone}::text as begins
      from generate_series(0, ${count}::int) nth) months`;
}

/**
 * The sums of each month and of all before it, in one statement, so that they are of one moment. Lines recorded after
 * `position` do not count; null counts all.
 */
export async function readMonthSums(
  searches: Reads,
  months: Months,
  scope: Scope,
  position: number | null,
): Promise<readonly MonthSums[]> {
  const isStore = scope.kind === "store";
  const span = isStore ? "day" : "month";
  const isSpanOf = isStore
    ? sql`s.uid in ('', ${sql.lit(ALL_CONSIGNORS)})`
    : sql`s.uid = ${scope.uid}`;
  const isLineOf = isStore ? sql`true` : sql`l.uid = ${scope.uid}`;
  const { rows } = await sql<MonthSums>`
    with bounds as materialized (${boundsOf(months, span)}),
    edges as materialized (
      select b.nth, l.uid = '' as is_own, case when b.near < b.at then 1 else -1 end as sign, ${totalOfLines}
      from bounds b
      join ${lines} l on l.booked_at >= least(b.at, b.near) and l.booked_at < greatest(b.at, b.near)
        and ${isLineOf}
      group by 1, 2, 3),
    parts as (
      select width_bucket(s.since, (select array_agg(near order by nth) from bounds)) as nth,
        s.uid = '' as is_own, ${names}
      from ${sums} s where s.span = ${sql.lit(span)} and ${isSpanOf}
      union all
      select nth - 1, is_own, ${signed(sql`sign`)} from edges
      union all
      select nth, is_own, ${signed(sql`-sign`)} from edges
      union all
      select nth, is_own, ${signed(sql`-1`)}
      from (
        select width_bucket(l.booked_at, (select array_agg(at order by nth) from bounds)) as nth,
          l.uid = '' as is_own, ${ofLine}
        from ${lines} l where l.position > ${position}::bigint and ${isLineOf}) later)
    select nth::int, is_own, ${totalled}
    from parts where nth <= ${months.count}::int
    group by nth, is_own
    order by nth, is_own`.execute(searches);
  return rows;
}
