// Sums the filtered sales: whole days and months from their sums, only the edges of a period from the sales themselves.
import type { RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import { midnight } from "#http/midnight.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ZoneSpan } from "#http/store-days.ts";
import { toDollars } from "#ledger/money.ts";
import type {
  SaleTotals,
  SoldExplainResponse,
  SoldNumber,
} from "#features/sales/contract-totals.ts";
import { salesTable } from "#features/sales/projection.ts";
import { salesSumsTable, summedColumns } from "#features/sales/projection-sums.ts";
import type { SaleQuery } from "#features/sales/search-conditions.ts";
import { conditionsOf, isSearched } from "#features/sales/search-conditions.ts";
import { DAY_MS } from "#ledger/day-text.ts";

const sales = nameOfTable(salesTable);
const sums = nameOfTable(salesSumsTable);

type Sums = { readonly sales: number } & Readonly<Record<(typeof summedColumns)[number], number>>;

const cells = sql.join(
  summedColumns.map((name) => sql`coalesce(${sql.ref(name)}, 0) as ${sql.ref(name)}`),
);
const totalled = sql.join(
  (["sales", ...summedColumns] as const).map(
    (name) => sql`coalesce(read.total(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`,
  ),
);

function and(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`true` : sql.join(conditions, sql` and `);
}

/** Matching sales, one by one. */
function eachSale(query: SaleQuery): RawBuilder<unknown> {
  const { ordered, looked } = conditionsOf(query);
  const conditions = [...ordered, ...looked].map((one) => sql<SqlBool>`${one}`);
  return sql`select 1::bigint as sales, ${cells} from ${sales} where ${and(conditions)}`;
}

/** The first instant that is not written with four digits of a year. */
const YEAR_10000_MS = 253_402_300_800_000;

/** The first instant at or after `ms` at which a span of the sums begins, or with `isLast` the last one up to it. */
function edgeOf(ms: number, isByMonth: boolean, isLast: boolean): number {
  if (!isByMonth) {
    return (isLast ? Math.floor(ms / DAY_MS) : Math.ceil(ms / DAY_MS)) * DAY_MS;
  }
  const date = new Date(ms);
  const begin = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  return isLast || begin === ms ? begin : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Rows that sum to the filtered sales: sums of whole spans, and the sales before and after them. */
function rowsOf(query: SaleQuery): RawBuilder<unknown> {
  const { consignorId, from, to, kind, channel, status } = query;
  const isByMonth = consignorId !== undefined;
  const begin = from === undefined ? undefined : edgeOf(Date.parse(from), isByMonth, false);
  const end = to === undefined ? undefined : edgeOf(Date.parse(to), isByMonth, true);
  const isShort = begin !== undefined && end !== undefined && begin >= end;
  // The sums have no tenders, and the few sales without a price have an index.
  const isEach = isSearched(query) || query.paidBy !== undefined || query.status === "unpriced";
  if (isEach || isShort || Math.max(begin ?? 0, end ?? 0) >= YEAR_10000_MS) {
    return eachSale(query);
  }
  const at = (ms: number) => new Date(ms).toISOString();
  const filters = Object.entries({ kind, channel, status }).flatMap(([name, value]) =>
    value === undefined ? [] : [sql<SqlBool>`${sql.ref(name)} = ${value}`],
  );
  const whole = and([
    sql<SqlBool>`uid = ${consignorId ?? ""}`,
    ...(begin === undefined ? [] : [sql<SqlBool>`since >= ${at(begin)}::text::timestamptz`]),
    ...(end === undefined ? [] : [sql<SqlBool>`since < ${at(end)}::text::timestamptz`]),
    ...filters,
  ]);
  const parts = [
    sql`select sales, ${cells} from ${sums} where ${whole}`,
    ...(begin === undefined ? [] : [eachSale({ ...query, to: at(begin) })]),
    ...(end === undefined ? [] : [eachSale({ ...query, from: at(end) })]),
  ];
  return sql.join(parts, sql` union all `);
}

const totalOf = (query: SaleQuery) =>
  sql<Sums>`select ${totalled} from (${rowsOf(query)}) matching`;

/** What the store keeps of these sales: price − refunds − shipping − payouts. */
function storeCents(row: Sums): number {
  return row.price_cents - row.refunded_price_cents - row.shipping_cents - payoutCents(row);
}

function payoutCents(row: Sums): number {
  return row.payout_cents - row.refunded_payout_cents;
}

/** The totals of all sales that a list with this query has. */
export async function readTotals(searches: Reads, query: SaleQuery): Promise<SaleTotals> {
  const { rows } = await totalOf(query).execute(searches);
  const [row] = rows;
  if (row === undefined) {
    throw new Error("PostgreSQL returned no row for a sum of sales");
  }
  return {
    sales: row.sales,
    unpricedSales: row.unpriced,
    units: row.units,
    refundedUnits: row.refunded_units,
    salePrice: toDollars(row.price_cents),
    refundedAmount: toDollars(row.refunded_price_cents),
    shippingCost: toDollars(row.shipping_cents),
    payoutAmount: toDollars(payoutCents(row)),
    salesTax: toDollars(row.sales_tax_cents - row.refunded_tax_cents),
    storeAmount: toDollars(storeCents(row)),
  };
}

type Part = { readonly label: string; readonly cents: number };
type Explained = {
  /** What is summed for `amount`; sales are always counted. */
  readonly columns: readonly (typeof summedColumns)[number][];
  /** In cents, or a number of things. */
  readonly amount: (row: Sums) => number;
  readonly parts: (row: Sums) => readonly Part[];
};

const explained: Readonly<Record<SoldNumber, Explained>> = {
  sales: { columns: [], amount: (row) => row.sales, parts: () => [] },
  units: { columns: ["units"], amount: (row) => row.units, parts: () => [] },
  price: {
    columns: ["price_cents", "refunded_price_cents"],
    amount: (row) => row.price_cents - row.refunded_price_cents,
    parts: (row) => [
      { label: "Sale prices", cents: row.price_cents },
      { label: "Refunds", cents: -row.refunded_price_cents },
    ],
  },
  tax: {
    columns: ["sales_tax_cents", "refunded_tax_cents"],
    amount: (row) => row.sales_tax_cents - row.refunded_tax_cents,
    parts: (row) => [
      { label: "Sales tax", cents: row.sales_tax_cents },
      { label: "Refunds", cents: -row.refunded_tax_cents },
    ],
  },
  shipping: {
    columns: ["shipping_cents"],
    amount: (row) => row.shipping_cents,
    parts: () => [],
  },
  payout: {
    columns: ["payout_cents", "refunded_payout_cents"],
    amount: payoutCents,
    parts: (row) => [
      { label: "Shares", cents: row.payout_cents },
      { label: "Refunds", cents: -row.refunded_payout_cents },
    ],
  },
  store: {
    columns: [
      "price_cents",
      "refunded_price_cents",
      "shipping_cents",
      "payout_cents",
      "refunded_payout_cents",
    ],
    amount: storeCents,
    parts: (row) => [
      { label: "Sale prices", cents: row.price_cents },
      { label: "Refunds", cents: -row.refunded_price_cents },
      { label: "Shipping", cents: -row.shipping_cents },
      { label: "Consignors' shares", cents: -payoutCents(row) },
    ],
  },
};

/** More days than this are shown as months. */
const MOST_DAYS = 62;

/** A day, whose it is, and when it begins and ends; all null for the total. */
type DayRow = Sums & {
  readonly day: string | null;
  readonly zone: string | null;
  readonly begins: Date | null;
  readonly ends: Date | null;
  readonly month_begins: Date | null;
  readonly month_ends: Date | null;
};

const beginOf = (date: RawBuilder<unknown>) => midnight(date, sql.ref("z.zone"));

/** When a span's day or month begins: the first one where the closing fixed it, and none before that. */
const beginIn = (date: RawBuilder<unknown>) =>
  sql`case when ${date} = z.first_day then z.since else greatest(${beginOf(date)}, z.since) end`;

/** When it ends, by the day after. */
const endIn = (after: RawBuilder<unknown>) =>
  sql`case when ${after} = z.after_day then z.until else least(${beginOf(after)}, z.until) end`;

/** The time zones' spans as rows. */
function zoneRows(zones: readonly ZoneSpan[]) {
  const first = (month: string | null) => (month === null ? null : `${month}-01`);
  const rows = zones.map(
    ({ timeZone, from, to, firstMonth, lastMonth }) => sql`(${timeZone}::text,
      coalesce(${from}::text, '-infinity')::timestamptz, coalesce(${to}::text, 'infinity')::timestamptz,
      coalesce(${first(firstMonth)}::text, '-infinity')::date,
      coalesce((${first(lastMonth)}::text::date + interval '1 month')::date, 'infinity'::date))`,
  );
  return sql`(values ${sql.join(rows)}) as z (zone, since, until, first_day, after_day)`;
}

/**
 * The sums of every sale by days of the time zone that its moment belongs to, and of no day outside of that one's
 * months. By quarters of an hour first: every time zone's days begin at one, and to turn each sale's time into a day
 * takes longer than to sum the sale. "offset 0" hides from PostgreSQL that the quarters come from a column with as many
 * values as rows: it would sort them all.
 */
function dailySums(query: SaleQuery, needed: Explained["columns"], zones: readonly ZoneSpan[]) {
  const { ordered, looked } = conditionsOf(query);
  const conditions = [...ordered, ...looked].map((one) => sql<SqlBool>`${one}`);
  const read = needed.map((name) => sql`coalesce(${sql.ref(name)}, 0) as ${sql.ref(name)}`);
  const summed = needed.map((name) => sql`read.total(${sql.ref(name)}) as ${sql.ref(name)}`);
  const quarter = sql`date_bin('15 minutes', sold_at, timestamptz '2000-01-01 00:00:00+00')`;
  return sql`
    select greatest(z.first_day, least(z.after_day - 1, (q.quarter at time zone z.zone)::date)) as day,
      ${sql.join([sql`read.total(q.sales) as sales`, ...summed])}
    from (
      select quarter, ${sql.join([sql`count(*) as sales`, ...summed])}
      from (
        select ${sql.join([sql`${quarter} as quarter`, ...read])}
        from ${sales} where ${and(conditions)} offset 0) each
      group by quarter) q
    join ${zoneRows(zones)} on q.quarter >= z.since and q.quarter < z.until
    group by 1`;
}

/**
 * Explains a total by days or months in the time zones of these spans, the newest last. Sums every sale, so that a wrong
 * sum of a day would show.
 */
export async function explainSold(
  searches: Reads,
  query: SaleQuery,
  number: SoldNumber,
  zones: readonly ZoneSpan[],
): Promise<SoldExplainResponse> {
  const { amount, parts, columns } = explained[number];
  const cellOf = (name: (typeof summedColumns)[number]) =>
    columns.includes(name) ? sql.ref(`d.${name}`) : sql`0::bigint`;
  const month = sql`date_trunc('month', d.day::timestamp)`;
  // One statement, so that both are of the same moment.
  const { rows } = await sql<DayRow>`
    select null as day, null as zone, null::timestamptz as begins, null::timestamptz as ends,
      null::timestamptz as month_begins, null::timestamptz as month_ends, t.*
    from (${totalOf(query)}) t
    union all
    select to_char(d.day, 'YYYY-MM-DD'), z.zone, ${sql.join([
      beginIn(sql`d.day`),
      endIn(sql`(d.day + 1)`),
      beginIn(month),
      endIn(sql`(${month} + interval '1 month')`),
    ])}, ${sql.join([sql`d.sales`, ...summedColumns.map(cellOf)])}
    from (${dailySums(query, columns, zones)}) d
    join ${zoneRows(zones)} on d.day >= z.first_day and d.day < z.after_day
    order by day desc nulls first`.execute(searches);
  const [total, ...days] = rows;
  if (total === undefined) {
    throw new Error("PostgreSQL returned no row for a sum of sales");
  }
  const isCount = number === "sales" || number === "units";
  const shown = (value: number) => (isCount ? value : toDollars(value));
  const summed = days.reduce((sum, row) => sum + amount(row), 0);
  const by = days.length > MOST_DAYS ? "month" : "day";
  const groups = Map.groupBy(days, ({ day }) => (day ?? "").slice(0, by === "day" ? 10 : 7));
  return {
    number,
    timeZone: zones.at(-1)?.timeZone ?? "UTC",
    unit: isCount ? "count" : "dollars",
    total: shown(amount(total)),
    parts: parts(total)
      .filter(({ cents }) => cents !== 0)
      .map(({ label, cents }) => ({ label, amount: shown(cents) })),
    summed: shown(summed),
    isBalanced: summed === amount(total),
    sales: total.sales,
    unpricedSales: total.unpriced,
    by,
    spans: [...groups].map(([name, own]) => ({
      ...spanOf(name, own, query),
      sales: own.reduce((count, row) => count + row.sales, 0),
      amount: shown(own.reduce((sum, row) => sum + amount(row), 0)),
    })),
  };
}

/** When the day or month begins and ends that these days make, without what the filters leave out of it. */
function spanOf(name: string, [row]: readonly DayRow[], { from, to }: SaleQuery) {
  const [begins, ends] =
    name.length > 7 ? [row?.begins, row?.ends] : [row?.month_begins, row?.month_ends];
  const first = Math.max(begins?.getTime() ?? 0, from === undefined ? -Infinity : Date.parse(from));
  const after = Math.min(ends?.getTime() ?? 0, to === undefined ? Infinity : Date.parse(to));
  return {
    name,
    timeZone: row?.zone ?? "UTC",
    from: new Date(first).toISOString(),
    to: new Date(after).toISOString(),
  };
}
