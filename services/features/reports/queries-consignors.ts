// The consignors of a report in any order, with their sums: whole months from their sums, and the lines at both ends.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import * as z from "zod/mini";
import { asSearched, containing } from "#db/like.ts";
import { wordsOfPerson } from "#identity/people-search.ts";
import { cursorOf, placeIn, placeText } from "#http/list-place.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ReportConsignor, ReportFigures, ReportSort } from "#features/reports/contract.ts";
import type { MonthTotals, OwedCents } from "#features/reports/contract-month.ts";
import { figuresOf, NONE_UNPRICED } from "#features/reports/figures.ts";
import { reportUnitsTable } from "#features/reports/projection.ts";
import { reportLinesTable } from "#features/reports/projection-lines.ts";
import {
  ALL_CONSIGNORS,
  reportSumsTable,
  summedColumns,
} from "#features/reports/projection-sums.ts";
import { totalsOf } from "#features/reports/queries-month.ts";
import type { Bounds, Sums } from "#features/reports/queries-sums.ts";
import {
  boundsOf,
  NO_SUMS,
  ofLine,
  totalOfLines,
  withSign,
} from "#features/reports/queries-sums.ts";

export type ConsignorFilters = {
  readonly q?: string | undefined;
  readonly sort: ReportSort;
  readonly order: "asc" | "desc";
};

/** Columns that are not summed in the lines' table. */
const added = [
  "owed_available",
  "owed_pending",
  "owed_held",
  "before_available",
  "before_pending",
  "before_held",
  "units_lost",
  "lost_value",
  "lost_unvalued",
] as const;

type FigureRow = Sums & {
  /** Null for the sum of all. */
  readonly uid: string | null;
  readonly name: string | null;
  readonly consignors: number;
  /** As texts; null for the sum of all. */
  readonly sort_key: string | null;
  readonly sort_name: string | null;
  readonly shrinkage: MonthTotals["shrinkage"];
} & Readonly<Record<(typeof added)[number], number>>;

const nameKey = sql`lower(name) collate "C"`;

/** What a row of figures is sorted by. */
const sortKeys: Readonly<Record<ReportSort, RawBuilder<unknown>>> = {
  name: nameKey,
  consignedSold: sql`price_sold`,
  refunds: sql`-price_refunded`,
  corrections: sql`price_corrected`,
  storeShare: sql`share`,
  consignorShare: sql`price_sold - price_refunded + price_corrected - share - shipping`,
  shipping: sql`shipping`,
  payouts: sql`paid - returned`,
  commission: sql`commission`,
  unitsLost: sql`units_lost`,
  owed: sql`owed_available + owed_pending + owed_held`,
};

const table = nameOfTable(reportSumsTable);
const allNames = sql.join([...summedColumns, ...added].map((name) => sql.ref(name)));

const owed = ["available", "pending", "held"] as const;
/** Each consignor's sums of spans; with a minus, to be taken away. */
const ofSpans = (
  span: "month" | "all",
  names: readonly string[],
  isMeant: RawBuilder<unknown>,
  sign: "" | "-" = "",
) => sql`
  select uid, ${sql.join(names.map((name) => sql`${sql.raw(sign)}${sql.ref(name)}`))}
  from ${table} where span = ${sql.lit(span)} and ${isMeant}`;
const totalOf = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`read.total(${sql.ref(name)}) as ${sql.ref(name)}`));
/** What is owed at the period's end is all that was ever booked, less what came after; before it, less its own too. */
const balances = sql.join(
  owed.flatMap((name) => {
    const closing = sql`coalesce(a.${sql.ref(name)}, 0) - coalesce(s.${sql.ref(name)}, 0)`;
    return [
      sql`${closing} as ${sql.ref(`owed_${name}`)}`,
      sql`${closing} - coalesce(p.${sql.ref(name)}, 0) as ${sql.ref(`before_${name}`)}`,
    ];
  }),
);
/** Lines recorded after the position; the sums have them already. */
const linesSince = (position: number, isMeant: RawBuilder<unknown>) => sql`
  from ${nameOfTable(reportLinesTable)} l
  where l.position > ${position}::bigint and l.uid <> '' and ${isMeant}`;
const ownSums = sql.join(
  summedColumns.map((name) => sql`coalesce(p.${sql.ref(name)}, 0) as ${sql.ref(name)}`),
);

const profiles = sql`(
  select uid, case when deactivated_at is null then coalesce(display_name, username, email, uid)
      else 'Deleted user' end as name,
    ${sql.raw(wordsOfPerson("p"))} as searched
  from identity.profiles p)`;

/**
 * `figures`: one row for each consignor who has lines in the period or before it. Where there are fewer other
 * months, sums are all that was ever booked, less those. What was recorded after the position does not count.
 */
function figures(bounds: Bounds, position: number): RawBuilder<unknown> {
  const ends = [...bounds.slice(0, 1), ...bounds.slice(-1)];
  const [from, to] = ends.map((at) => sql`${at.toISOString()}::text::timestamptz`);
  const isInPeriod = sql`l.booked_at >= ${from} and l.booked_at < ${to}`;
  const ofPeriod = (name: string) => sql`(select ${sql.ref(name)} from period)`;
  const [first, last] = [ofPeriod("first"), ofPeriod("last")];
  const [isMost, isEarly] = [ofPeriod("is_most"), ofPeriod("is_early")];
  return sql`
    bounds as materialized (${boundsOf(ends, "month")}),
    edges as materialized (
      select b.nth, l.uid, case when b.near < b.at then 1 else -1 end as sign, ${totalOfLines}
      from bounds b
      join ${nameOfTable(reportLinesTable)} l
        on l.booked_at >= least(b.at, b.near) and l.booked_at < greatest(b.at, b.near) and l.uid <> ''
      group by 1, 2, 3),
    period as materialized (
      select first, last, last - oldest < newest - last as is_early,
        least(last, newest) - greatest(first, oldest) > (newest - oldest) / 2 as is_most
      from (select min(near) as first, max(near) as last from bounds) b,
        (select min(since) as oldest, max(since) as newest from ${table} where span = 'month') s),
    own as (
      select uid, ${totalOf(summedColumns)}
      from (
        ${ofSpans("month", summedColumns, sql`since >= ${first} and since < ${last} and not ${isMost}`)}
        union all
        ${ofSpans("all", summedColumns, isMost)}
        union all
        ${ofSpans("month", summedColumns, sql`since < ${first} and ${isMost}`, "-")}
        union all
        ${ofSpans("month", summedColumns, sql`since >= ${last} and ${isMost}`, "-")}
        union all
        select uid, ${withSign(sql`case nth when 1 then -sign else sign end`)} from edges
        union all
        select uid, ${withSign(sql`-1`)}
        from (select l.uid, ${ofLine} ${linesSince(position, isInPeriod)}) since) parts
      group by uid),
    later as (
      select uid, ${totalOf(owed)}
      from (
        ${ofSpans("month", owed, sql`since >= ${last} and not ${isEarly}`)}
        union all
        ${ofSpans("all", owed, isEarly)}
        union all
        ${ofSpans("month", owed, sql`since < ${last} and ${isEarly}`, "-")}
        union all
        select uid, -sign * available, -sign * pending, -sign * held from edges where nth = 2
        union all
        select l.uid, l.available_cents, l.pending_cents, l.held_cents
        ${linesSince(position, sql`l.booked_at < ${to}`)}) parts
      group by uid),
    reasons as materialized (
      select u.uid, u.reason, read.total(u.units) as units, coalesce(read.total(u.value_cents), 0) as value,
        coalesce(read.total(u.units) filter (where u.value_cents is null), 0) as unvalued
      from ${nameOfTable(reportUnitsTable)} u
      where u.booked_at >= ${from} and u.booked_at < ${to} and u.uid <> '' and u.position <= ${position}::bigint
      group by 1, 2),
    units as (
      select uid, read.total(units) as units_lost, read.total(value) as lost_value, read.total(unvalued) as lost_unvalued
      from reasons group by uid),
    figures as (
      select a.uid, coalesce(n.name, a.uid) as name, n.searched, ${ownSums}, ${balances},
        coalesce(u.units_lost, 0) as units_lost, coalesce(u.lost_value, 0) as lost_value,
        coalesce(u.lost_unvalued, 0) as lost_unvalued
      from (
        select uid, available, pending, held from ${table}
        where span = 'all' and uid <> ${sql.lit(ALL_CONSIGNORS)}
        union all
        select uid, 0, 0, 0 from units where uid not in (select uid from ${table} where span = 'all')) a
      left join own p on p.uid = a.uid
      left join later s on s.uid = a.uid
      left join units u on u.uid = a.uid
      left join ${profiles} n on n.uid = a.uid)`;
}

/** By reason, like the months' totals. Reasons without units are left out. */
const listOfReasons = sql`coalesce(jsonb_agg(jsonb_build_object('reason', reason, 'units', units, 'valueCents', value,
    'unvaluedUnits', unvalued) order by reason) filter (where units <> 0 or value <> 0 or unvalued <> 0), '[]')`;

const hasSomething = sql`(lines <> 0 or units_lost <> 0
  or owed_available <> 0 or owed_pending <> 0 or owed_held <> 0)`;

export type ConsignorPage = {
  readonly consignors: readonly ReportConsignor[];
  readonly count: number;
  readonly total: ReportFigures;
  readonly nextCursor: string | null;
};

/** The place of a page's last consignor: what it is sorted by, its name and its uid. */
const placeOf = (sort: ReportSort) =>
  z.tuple([
    sort === "name" ? placeText : z.string().check(z.regex(/^-?[0-9]{1,30}$/u)),
    placeText,
    placeText,
  ]);

function behind(
  cursor: string | undefined,
  sort: ReportSort,
  order: "asc" | "desc",
): RawBuilder<unknown> {
  if (cursor === undefined) {
    return sql`true`;
  }
  const [key, name, uid] = placeIn(cursor, placeOf(sort));
  const last = sql`${key}::text::${sort === "name" ? sql`text` : sql`numeric`}`;
  const isPast = order === "asc" ? sql`>` : sql`<`;
  return sql`(${sortKeys[sort]} ${isPast} ${last}
    or ${sortKeys[sort]} = ${last} and (${nameKey}, uid) > (${name}::text, ${uid}::text))`;
}

/** A page of the list with the count and the sum of the whole list, in one statement, so that they are of one moment. */
export async function readConsignors(
  searches: Reads,
  bounds: Bounds,
  { q = "", sort, order }: ConsignorFilters,
  {
    limit,
    cursor,
    position,
  }: { readonly limit: number; readonly cursor: string | undefined; readonly position: number },
): Promise<ConsignorPage> {
  const isFound =
    q === "" ? sql`true` : sql`(searched like ${containing(asSearched(q))} or uid = ${q})`;
  const direction = order === "asc" ? sql`asc` : sql`desc`;
  const totals = [...summedColumns, ...added].map(
    (name) => sql`coalesce(read.total(${sql.ref(name)}), 0)`,
  );
  const { rows } = await sql<FigureRow>`
    with ${figures(bounds, position)},
    matching as materialized (
      select * from figures where ${hasSomething} and ${isFound}),
    page as (
      select *, (${sortKeys[sort]})::text as sort_key, ${nameKey} as sort_name,
        row_number() over (order by ${sortKeys[sort]} ${direction}, ${nameKey}, uid) as place
      from matching where ${behind(cursor, sort, order)} order by place limit ${limit + 1})
    select uid, name, ${allNames}, 0::bigint as consignors, sort_key, sort_name, place, coalesce(shrinkage, '[]') as shrinkage
    from page
    left join (
      select uid, ${listOfReasons} as shrinkage
      from reasons where uid in (select uid from page) group by uid) lost using (uid)
    union all
    select null, null, ${sql.join(totals)}, count(*), null, null, 0, (
      select ${listOfReasons}
      from (
        select reason, read.total(units) as units, read.total(value) as value, read.total(unvalued) as unvalued
        from reasons where uid in (select uid from matching) group by reason) lost)
    from matching
    order by place`.execute(searches);
  const [total, ...found] = rows;
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    nextCursor:
      last === undefined
        ? null
        : cursorOf([last.sort_key ?? "", last.sort_name ?? "", last.uid ?? ""]),
    consignors: page.map((row) => ({
      ...figuresIn(row),
      consignorID: row.uid ?? "",
      displayName: row.name ?? "",
    })),
    count: total?.consignors ?? 0,
    total: figuresIn(total),
  };
}

function figuresIn(row: FigureRow | undefined): ReportFigures {
  const owedIn = (when: "owed" | "before"): OwedCents => ({
    availableCents: row?.[`${when}_available`] ?? 0,
    pendingCents: row?.[`${when}_pending`] ?? 0,
    heldCents: row?.[`${when}_held`] ?? 0,
  });
  const totals = { ...totalsOf(NO_SUMS, row ?? NO_SUMS), shrinkage: row?.shrinkage ?? [] };
  return {
    ...figuresOf({ ...totals, opening: owedIn("before"), closing: owedIn("owed") }, NONE_UNPRICED),
  };
}
