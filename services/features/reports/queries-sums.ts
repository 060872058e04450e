// Sums the report's lines month by month: whole spans from their sums, and the lines between a span's begin and the store's.
import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
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
  taxed: 0,
  exempt: 0,
  untaxed: 0,
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

/** The sums' columns. */
export const summedNames = sql.join(summedColumns.map((name) => sql.ref(name)));
const totalled = sql.join(
  summedColumns.map((name) => sql`read.total(${sql.ref(name)}) as ${sql.ref(name)}`),
);
/** The same, each multiplied by `sign`. */
export const withSign = (sign: RawBuilder<unknown>) =>
  sql.join(summedColumns.map((name) => sql`${sign} * ${sql.ref(name)}`));
/** What each line `l` adds. */
export const ofLine = sql.join(
  summedColumns.map((name) => sql`${sql.raw(summedOf[name])} as ${sql.ref(name)}`),
);
export const totalOfLines = sql.join(
  summedColumns.map((name) => sql`read.total(${sql.raw(summedOf[name])}) as ${sql.ref(name)}`),
);

/** When each part of a period begins, and when the last one ends; in their order. */
export type Bounds = readonly Date[];

/** The store with all consignors, all consignors without the store's own goods, or one consignor. */
export type Scope =
  | { readonly kind: "store" }
  | { readonly kind: "consignors" }
  | { readonly kind: "consignor"; readonly uid: string };

/** Whether a line of this owner counts; the store's own have an empty one. */
export function isIn(scope: Scope, uid: RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (scope.kind === "store") {
    return sql<SqlBool>`true`;
  }
  return scope.kind === "consignors"
    ? sql<SqlBool>`${uid} <> ''`
    : sql<SqlBool>`${uid} = ${scope.uid}`;
}

/** Sums of one part, or of all before; of the store's own lines, or of consignors'. */
export type PartSums = Sums & {
  /** 0 is all before the first part. */
  readonly nth: number;
  readonly is_own: boolean;
};

const instants = (bounds: Bounds) =>
  sql`string_to_array(${bounds.map((at) => at.toISOString()).join(",")}, ',')::timestamptz[]`;

/**
 * The bounds, numbered from 1, each with a begin of a span near it. As the sums before a time are those before the span's
 * begin and the lines between the two, so are the sums between two times. Of the two begins next to it, it is the one
 * with less time between; time after the newest line has no lines and does not count.
 */
export function boundsOf(bounds: Bounds, span: "day" | "month"): RawBuilder<unknown> {
  const begin = (at: RawBuilder<unknown>) => sql`date_trunc(${sql.lit(span)}, ${at}, 'UTC')`;
  // More than one span, and less than two.
  const further = sql.lit(span === "day" ? "36 hours" : "45 days");
  return sql`
    select nth, at, case when least(following, newest) - at < at - previous then following else previous end as near
    from unnest(${instants(bounds)}) with ordinality as bound (at, nth)
    cross join lateral (select ${begin(sql`at`)} as previous) p
    cross join lateral (select ${begin(sql`previous + interval ${further}`)} as following) f
    cross join (select max(booked_at) as newest from ${lines}) l`;
}

/**
 * The sums of each part and of all before it, in one statement, so that they are of one moment. Lines recorded after
 * `position` do not count; null counts all.
 */
export async function readPartSums(
  searches: Reads,
  bounds: Bounds,
  scope: Scope,
  position: number | null,
): Promise<readonly PartSums[]> {
  // Nobody's sums have days but the store's and those of all consignors together.
  const span = scope.kind === "consignor" ? "month" : "day";
  const isSpanOf = {
    store: sql`s.uid in ('', ${sql.lit(ALL_CONSIGNORS)})`,
    consignors: sql`s.uid = ${sql.lit(ALL_CONSIGNORS)}`,
    consignor: sql`s.uid = ${scope.kind === "consignor" ? scope.uid : ""}`,
  }[scope.kind];
  const isLineOf = isIn(scope, sql`l.uid`);
  const { rows } = await sql<PartSums>`
    with bounds as materialized (${boundsOf(bounds, span)}),
    edges as materialized (
      select b.nth, l.uid = '' as is_own, case when b.near < b.at then 1 else -1 end as sign, ${totalOfLines}
      from bounds b
      join ${lines} l on l.booked_at >= least(b.at, b.near) and l.booked_at < greatest(b.at, b.near)
        and ${isLineOf}
      group by 1, 2, 3),
    parts as (
      select width_bucket(s.since, (select array_agg(near order by nth) from bounds)) as nth,
        s.uid = '' as is_own, ${summedNames}
      from ${sums} s where s.span = ${sql.lit(span)} and ${isSpanOf}
      union all
      select nth - 1, is_own, ${withSign(sql`sign`)} from edges
      union all
      select nth, is_own, ${withSign(sql`-sign`)} from edges
      union all
      select nth, is_own, ${withSign(sql`-1`)}
      from (
        select width_bucket(l.booked_at, ${instants(bounds)}) as nth, l.uid = '' as is_own, ${ofLine}
        from ${lines} l where l.position > ${position}::bigint and ${isLineOf}) later)
    select nth::int, is_own, ${totalled}
    from parts where nth < ${bounds.length}::int
    group by nth, is_own
    order by nth, is_own`.execute(searches);
  return rows;
}
