// The lines that make a number of a report, with their sums by kind, and the number as the report shows it.
import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { EventExplanations } from "#features/histories.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import type { ReportLine, ReportLinesQuery, ReportNumber } from "#features/reports/contract.ts";
import type { MonthTotals } from "#features/reports/contract-month.ts";
import type { Unpriced } from "#features/reports/figures.ts";
import { figuresOf, openingOf } from "#features/reports/figures.ts";
import type { SaidLine } from "#features/reports/line-words.ts";
import { groupLabel, lineWords, saleIn } from "#features/reports/line-words.ts";
import { reportUnitsTable, reportUnpricedTable } from "#features/reports/projection.ts";
import { reportLinesTable } from "#features/reports/projection-lines.ts";
import { isNewSale, isSale } from "#features/reports/projection-sums.ts";
import type { RemittedLine } from "#features/reports/queries-remitted.ts";
import type { Bounds, Scope } from "#features/reports/queries-sums.ts";
import { isIn } from "#features/reports/queries-sums.ts";
import { isWithoutPrice } from "#features/reports/queries-unpriced.ts";
import type { Cents } from "#ledger/money.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import { MasterSaleRecorded, SaleCorrected, SaleRefunded } from "#features/sales/events.ts";

/** Which lines `l` count, and what each adds. */
type NumberOfLines = { readonly counts: RawBuilder<SqlBool>; readonly amount: RawBuilder<number> };

const lines = nameOfTable(reportLinesTable);
const cents = (column: string) => sql<number>`l.${sql.ref(`${column}_cents`)}`;
const where = (condition: string) => sql<SqlBool>`${sql.raw(condition)}`;
const nonZero = (column: string, condition = "true"): NumberOfLines => ({
  counts: sql<SqlBool>`${cents(column)} <> 0 and ${where(condition)}`,
  amount: cents(column),
});
const owedOf = sql<number>`(l.available_cents + l.pending_cents + l.held_cents)`;

const otherUntaxed = sql<number>`(l.price_cents - l.taxed_cents - l.exempt_cents - l.untaxed_cents)`;

const isOwn = "l.uid = ''";
const isConsigned = "l.uid <> ''";

/** Numbers that are more than sums of the money lines. */
type OtherNumber =
  | "sales"
  | "unpricedSales"
  | "unitsLost"
  | "lostValue"
  | "taxRemitted"
  | "taxOwed";

export const numbers: Readonly<Record<Exclude<ReportNumber, OtherNumber>, NumberOfLines>> = {
  sold: nonZero("price", isNewSale),
  kept: nonZero("share"),
  ownSold: nonZero("price", `${isOwn} and ${isNewSale}`),
  consignedSold: nonZero("price", `${isConsigned} and ${isNewSale}`),
  refunds: nonZero("price", `l.type = '${SaleRefunded.type}'`),
  corrections: nonZero("price", `l.type = '${SaleCorrected.type}'`),
  ownShare: nonZero("share", isOwn),
  storeShare: nonZero("share", isConsigned),
  consignorShare: nonZero("available", `${isConsigned} and ${isSale}`),
  shipping: nonZero("shipping", isSale),
  payouts: nonZero("paid"),
  commission: nonZero("commission"),
  tradeFees: nonZero("shipping", `not (${isSale})`),
  traded: nonZero("traded"),
  adjustments: nonZero("adjusted"),
  takenOver: nonZero("taken_over"),
  taxable: nonZero("taxed"),
  exempt: nonZero("exempt"),
  untaxedOnline: nonZero("untaxed"),
  otherUntaxed: {
    counts: sql<SqlBool>`${otherUntaxed} <> 0 and ${where(isSale)}`,
    amount: otherUntaxed,
  },
  taxCollected: nonZero("tax", `l.type <> '${SaleRefunded.type}'`),
  taxRefunded: {
    counts: sql<SqlBool>`l.tax_cents <> 0 and l.type = ${SaleRefunded.type}`,
    amount: sql<number>`(0 - l.tax_cents)`,
  },
  owed: { counts: sql<SqlBool>`${owedOf} <> 0`, amount: owedOf },
  owedAvailable: nonZero("available"),
  owedPending: nonZero("pending"),
  owedHeld: nonZero("held"),
};

export type Asked = Pick<
  ReportLinesQuery,
  "from" | "to" | "number" | "kind" | "cursor" | "limit"
> & {
  readonly scope: Scope;
  /** Lines recorded after it do not count. */
  readonly position: number;
  /** For the numbers of remitted tax. */
  readonly remitted: readonly RemittedLine[];
};

/** How the lines of a number are identified, grouped and added up, whichever table they are in. */
const moneyLines = (amount: RawBuilder<number>, condition: RawBuilder<unknown>) => sql`
  select l.position, l.uid, l.uid as whose, l.type as kind, null::text as item_id, ${amount} as amount, l.booked_at
  from ${lines} l where ${condition}`;

const lostUnits = (amount: RawBuilder<number>, condition: RawBuilder<unknown>) => sql`
  select l.position, l.uid, l.key as whose, l.reason as kind, l.item_id, ${amount} as amount, l.booked_at
  from ${nameOfTable(reportUnitsTable)} l where ${condition}`;

const unpricedSales = (condition: RawBuilder<unknown>) => sql`
  select l.position, ''::text as uid, l.sale_id as whose, ${MasterSaleRecorded.type}::text as kind, null::text as item_id,
    1::bigint as amount, l.booked_at
  from ${nameOfTable(reportUnpricedTable)} l where ${condition}`;

/** What was remitted for the period's months, and how much of it was taken back. */
const remittances = ({ remitted }: Asked, sign: RawBuilder<unknown>) => sql`
  select e.position, ''::text as uid, ''::text as whose, e.type as kind, null::text as item_id,
    ${sign} * r.cents as amount, e.happened_at as booked_at
  from unnest(string_to_array(${remitted.map(({ position }) => position).join(",")}, ',')::bigint[],
    string_to_array(${remitted.map(({ cents: own }) => own).join(",")}, ',')::bigint[]) as r (position, cents)
  join log.events e on e.position = r.position`;

/** All lines of the number in the period. `whose` tells the lines of one event apart. */
function linesOf(asked: Asked, bounds: Bounds): RawBuilder<unknown> {
  const { number, scope, position } = asked;
  const isOfStore = scope.kind === "store";
  const [from, to] = [bounds[0]?.toISOString() ?? "", bounds.at(-1)?.toISOString() ?? ""];
  const inPeriod = sql`l.booked_at >= ${from}::text::timestamptz
    and l.booked_at < ${to}::text::timestamptz and l.position <= ${position}::bigint`;
  const own = sql`${inPeriod} and ${isIn(scope, sql`l.uid`)}`;
  switch (number) {
    case "sales": {
      const priced = moneyLines(sql`1::bigint`, sql`${own} and ${where(isNewSale)}`);
      return isOfStore ? sql`${priced} union all ${unpricedSales(inPeriod)}` : priced;
    }
    case "unpricedSales": {
      return unpricedSales(
        sql`${inPeriod} and ${isWithoutPrice(sql`l.priced_position`, position)} and ${isOfStore}::boolean`,
      );
    }
    case "unitsLost": {
      return lostUnits(sql`l.units`, own);
    }
    case "lostValue": {
      return lostUnits(sql`l.value_cents`, sql`${own} and l.value_cents <> 0`);
    }
    case "taxRemitted": {
      return remittances(asked, sql`1`);
    }
    case "taxOwed": {
      const collected = moneyLines(cents("tax"), sql`${own} and l.tax_cents <> 0`);
      return sql`${collected} union all ${remittances(asked, sql`-1`)}`;
    }
    default: {
      const { counts, amount } = numbers[number];
      return moneyLines(amount, sql`${own} and ${counts}`);
    }
  }
}

type GroupRow = { readonly kind: string; readonly lines: number; readonly amount: number };

type LineRow = SaidLine & {
  readonly position: number;
  readonly whose: string;
  readonly micros: string;
  readonly happened_at: Date;
  readonly booked_at: Date;
};

function after(cursor: string | undefined): RawBuilder<SqlBool> {
  const [, micros, position, whose] = /^(\d+)-(\d+)-(.*)$/u.exec(cursor ?? "") ?? [];
  return micros === undefined
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(booked_at, position, whose collate "C") < (
        timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${position}::bigint, ${whose})`;
}

async function readPage(
  searches: Reads,
  query: Asked,
  bounds: Bounds,
): Promise<readonly LineRow[]> {
  const isOfUnits = query.number === "unitsLost" || query.number === "lostValue";
  const isOfKind = query.kind === undefined ? sql`true` : sql`l.kind = ${query.kind}`;
  const { rows } = await sql<LineRow>`
    with page as materialized (
      select * from (${linesOf(query, bounds)}) l where ${after(query.cursor)} and ${isOfKind}
      order by booked_at desc, position desc, whose collate "C" desc
      limit ${query.limit + 1})
    select p.position, p.uid, p.whose, p.amount::bigint as amount, e.type, e.schema_version, e.data, e.happened_at,
      (extract(epoch from p.booked_at) * 1000000)::bigint::text as micros, i.item_name, p.booked_at, u.units
    from page p
    join log.events e on e.position = p.position
    left join ${nameOfTable(inventoryItemsTable)} i on i.id = p.item_id::uuid
    left join ${nameOfTable(reportUnitsTable)} u
      on u.position = p.position and u.key = p.whose and ${isOfUnits}::boolean
    order by p.booked_at desc, p.position desc, p.whose collate "C" desc`.execute(searches);
  return rows;
}

async function readGroups(
  searches: Reads,
  query: Asked,
  bounds: Bounds,
): Promise<readonly GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select kind, count(*) as lines, read.total(amount::bigint) as amount
    from (${linesOf(query, bounds)}) l group by kind order by abs(read.total(amount::bigint)) desc, kind`.execute(
    searches,
  );
  return rows;
}

export type LinesPage = {
  readonly unit: "dollars" | "count";
  readonly opening: number;
  readonly groups: readonly { id: string; label: string; lines: number; amount: number }[];
  readonly total: number;
  readonly summed: number;
  readonly isBalanced: boolean;
  readonly lineCount: number;
  readonly lines: readonly ReportLine[];
  readonly nextCursor: string | null;
};

/** Numbers that are counts; all others are cents. */
const counts: ReadonlySet<ReportNumber> = new Set(["sales", "unpricedSales", "unitsLost"]);

/** What the report shows, from the sums. */
export type Shown = {
  readonly totals: MonthTotals;
  readonly unpriced: Unpriced;
  /** For the period's months. */
  readonly remittedCents: Cents;
};

/** The number as the report shows it: a count, or cents. */
function shownOf(number: ReportNumber, { totals, unpriced, remittedCents }: Shown): number {
  const figures = figuresOf(totals, unpriced);
  switch (number) {
    case "taxRemitted": {
      return remittedCents;
    }
    case "taxOwed": {
      return toCents(figures.taxCollected) - toCents(figures.taxRefunded) - remittedCents;
    }
    default: {
      return counts.has(number) ? figures[number] : toCents(figures[number]);
    }
  }
}

/** The day and the month that a line is in, where it happened in others. */
function lateIn(booked: string, happened: string): Pick<ReportLine, "bookedIn" | "bookedOn"> {
  const [month, own] = [booked.slice(0, 7), happened.slice(0, 7)];
  return {
    bookedIn: month === own ? null : month,
    bookedOn: booked === happened ? null : booked,
  };
}

/** `shown` is the number from the sums, for the same period and person. All lines are summed to compare with it. */
export async function readLines(
  { searches }: ReadDeps,
  words: { readonly profiles: Profiles; readonly explanations: EventExplanations },
  query: Asked,
  { bounds, dayOf, shown: given }: { bounds: Bounds; dayOf: (at: Date) => string; shown: Shown },
): Promise<LinesPage> {
  const [groups, page] = await Promise.all([
    readGroups(searches, query, bounds),
    readPage(searches, query, bounds),
  ]);
  const { number, limit } = query;
  const unit = counts.has(number) ? "count" : "dollars";
  const shown = (value: number) => (unit === "count" ? value : toDollars(value));
  const total = shownOf(number, given);
  const opening = openingOf(number, given.totals);
  const summed = groups.reduce((sum, { amount }) => sum + amount, opening);
  const rows = page.slice(0, limit);
  const last = rows.at(-1);
  const names = await words.profiles.displayNames(
    new Set(rows.map(({ uid }) => uid).filter((uid) => uid !== "")),
  );
  return {
    unit,
    opening: shown(opening),
    groups: groups.map(({ kind, lines: count, amount }) => ({
      id: kind,
      label: groupLabel(kind),
      lines: count,
      amount: shown(amount),
    })),
    total: shown(total),
    summed: shown(summed),
    isBalanced: summed === total,
    lineCount: groups.reduce((count, group) => count + group.lines, 0),
    lines: rows.map((row) => ({
      position: row.position,
      type: row.type,
      description: lineWords(words.explanations, row),
      saleID: saleIn(row),
      consignorID: row.uid === "" ? null : row.uid,
      displayName: row.uid === "" ? null : (names.get(row.uid) ?? row.uid),
      amount: shown(row.amount),
      happenedAt: row.happened_at.toISOString(),
      ...lateIn(dayOf(row.booked_at), dayOf(row.happened_at)),
    })),
    nextCursor:
      page.length > limit && last !== undefined
        ? `${last.micros}-${last.position}-${last.whose}`
        : null,
  };
}
