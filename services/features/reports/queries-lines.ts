// The lines that make a number of a report, with their sum by kind, beside the number as the report shows it.
import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { EventExplanations } from "#features/histories.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import type { ReportLine, ReportLinesQuery, ReportNumber } from "#features/reports/contract.ts";
import type { MonthTotals } from "#features/reports/contract-month.ts";
import { figuresOf, openingOf } from "#features/reports/figures.ts";
import type { SaidLine } from "#features/reports/line-words.ts";
import { groupLabel, lineWords, saleIn } from "#features/reports/line-words.ts";
import { reportUnitsTable } from "#features/reports/projection.ts";
import { reportLinesTable } from "#features/reports/projection-lines.ts";
import { isNewSale, isSale } from "#features/reports/projection-sums.ts";
import type { Bounds } from "#features/reports/queries-sums.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import { SaleCorrected, SaleRefunded } from "#features/sales/events.ts";

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

const numbers: Readonly<Record<Exclude<ReportNumber, "unitsLost">, NumberOfLines>> = {
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

export type Asked = Pick<ReportLinesQuery, "number" | "consignor" | "cursor" | "limit"> & {
  /** Lines recorded after it do not count. */
  readonly position: number;
};

/** All lines of the number in the period. `whose` tells the lines of one event apart. */
function linesOf({ number, consignor, position }: Asked, bounds: Bounds): RawBuilder<unknown> {
  const isWhose = consignor === undefined ? sql`true` : sql`l.uid = ${consignor}`;
  const [from, to] = [bounds[0]?.toISOString() ?? "", bounds.at(-1)?.toISOString() ?? ""];
  const inPeriod = sql`l.booked_at >= ${from}::text::timestamptz
    and l.booked_at < ${to}::text::timestamptz and l.position <= ${position}::bigint and ${isWhose}`;
  if (number === "unitsLost") {
    return sql`
      select l.position, l.uid, l.key as whose, l.reason as kind, l.item_id, l.units as amount, l.booked_at
      from ${nameOfTable(reportUnitsTable)} l where ${inPeriod}`;
  }
  const { counts, amount } = numbers[number];
  return sql`
    select l.position, l.uid, l.uid as whose, l.type as kind, null::text as item_id, ${amount} as amount, l.booked_at
    from ${lines} l where ${inPeriod} and ${counts}`;
}

type GroupRow = { readonly kind: string; readonly lines: number; readonly amount: number };

type LineRow = SaidLine & {
  readonly position: number;
  readonly whose: string;
  readonly micros: string;
  readonly happened_at: Date;
  readonly booked_in: string | null;
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
  timeZone: string,
): Promise<readonly LineRow[]> {
  const month = (time: string) =>
    sql`to_char(${sql.ref(time)} at time zone ${timeZone}::text, 'YYYY-MM')`;
  const { rows } = await sql<LineRow>`
    with page as materialized (
      select * from (${linesOf(query, bounds)}) l where ${after(query.cursor)}
      order by booked_at desc, position desc, whose collate "C" desc
      limit ${query.limit + 1})
    select p.position, p.uid, p.whose, p.amount::bigint as amount, e.type, e.schema_version, e.data, e.happened_at,
      (extract(epoch from p.booked_at) * 1000000)::bigint::text as micros, i.item_name,
      nullif(${month("p.booked_at")}, ${month("e.happened_at")}) as booked_in
    from page p
    join log.events e on e.position = p.position
    left join ${nameOfTable(inventoryItemsTable)} i on i.id = p.item_id::uuid
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

/** `totals` are those of the same period and person, from the sums: every line is summed beside them. */
export async function readLines(
  { searches }: ReadDeps,
  words: { readonly profiles: Profiles; readonly explanations: EventExplanations },
  query: Asked,
  { bounds, timeZone, totals }: { bounds: Bounds; timeZone: string; totals: MonthTotals },
): Promise<LinesPage> {
  const [groups, page] = await Promise.all([
    readGroups(searches, query, bounds),
    readPage(searches, query, bounds, timeZone),
  ]);
  const { number, limit } = query;
  const unit = number === "unitsLost" ? "count" : "dollars";
  const shown = (value: number) => (unit === "count" ? value : toDollars(value));
  const figure = figuresOf(totals)[number];
  const total = unit === "count" ? figure : toCents(figure);
  const opening = openingOf(number, totals);
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
      bookedIn: row.booked_in,
    })),
    nextCursor:
      page.length > limit && last !== undefined
        ? `${last.micros}-${last.position}-${last.whose}`
        : null,
  };
}
