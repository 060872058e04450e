// Sums of the report's lines by day and month, so that a year of a million lines is answered at once.
import {
  bigint,
  defineTable,
  insertColumns,
  text,
  timestamptz,
} from "#ledger/projection/columns.ts";
import type { ReportLineColumn } from "#features/reports/projection-lines.ts";
import {
  CustomSaleRecorded,
  MasterSaleRecorded,
  SaleCorrected,
  SaleRecorded,
  SaleRefunded,
} from "#features/sales/events.ts";

/** The sums of all consignors together. The store's own are the empty string. */
export const ALL_CONSIGNORS = "*";

const listed = (events: readonly { readonly type: string }[]) =>
  events.map(({ type }) => `'${type}'`).join(", ");
const newSales = [SaleRecorded, MasterSaleRecorded, CustomSaleRecorded];
/** Conditions on a line `l`. */
export const isNewSale = `l.type in (${listed(newSales)})`;
export const isSale = `l.type in (${listed([...newSales, SaleCorrected, SaleRefunded])})`;
const isOf = ({ type }: { readonly type: string }) => `l.type = '${type}'`;

const ref = (column: ReportLineColumn) => `l.${column}_cents`;
const only = (column: ReportLineColumn, condition: string, sign = "") =>
  `case when ${condition} then ${sign}${ref(column)} else 0 end`;

/** What a line `l` adds to each sum, as SQL. Refunds are positive. */
export const summedOf = {
  lines: "1::bigint",
  sales: `case when ${isNewSale} then 1::bigint else 0 end`,
  price_sold: only("price", isNewSale),
  price_refunded: only("price", isOf(SaleRefunded), "-"),
  price_corrected: only("price", isOf(SaleCorrected)),
  share: ref("share"),
  shipping: only("shipping", isSale),
  trade_fee: only("shipping", `not (${isSale})`),
  tax_collected: only("tax", isNewSale),
  tax_refunded: only("tax", isOf(SaleRefunded), "-"),
  tax_corrected: only("tax", isOf(SaleCorrected)),
  taxed: ref("taxed"),
  exempt: ref("exempt"),
  untaxed: ref("untaxed"),
  tax_remitted: ref("remitted"),
  commission: ref("commission"),
  traded: ref("traded"),
  paid: `greatest(${ref("paid")}, 0)`,
  returned: `greatest(-${ref("paid")}, 0)`,
  adjusted: ref("adjusted"),
  taken_over: ref("taken_over"),
  available: ref("available"),
  pending: ref("pending"),
  held: ref("held"),
} as const satisfies Readonly<Record<string, string>>;

export type SummedColumn = keyof typeof summedOf;

export const summedColumns = Object.keys(summedOf).filter(
  (name): name is SummedColumn => name in summedOf,
);

/**
 * One row for each span with lines. The store's own lines and those of all consignors are summed by day, those of each
 * consignor by month and in all. Spans are UTC's, because a step does not know the store's time zone: a query adds and
 * takes away the lines between a span's begin and the store's.
 */
export const reportSumsTable = defineTable({
  name: "report_sums",
  columns: {
    span: text<"day" | "month" | "all">(),
    /** When the span begins; for `all`, in the year 2000. */
    since: timestamptz(),
    /** Whose lines: a consignor's; the store's own, ''; all consignors', '*'. */
    uid: text(),
    lines: bigint(),
    sales: bigint(),
    price_sold: bigint(),
    price_refunded: bigint(),
    price_corrected: bigint(),
    share: bigint(),
    shipping: bigint(),
    trade_fee: bigint(),
    tax_collected: bigint(),
    tax_refunded: bigint(),
    tax_corrected: bigint(),
    taxed: bigint(),
    exempt: bigint(),
    untaxed: bigint(),
    tax_remitted: bigint(),
    commission: bigint(),
    traded: bigint(),
    paid: bigint(),
    returned: bigint(),
    adjusted: bigint(),
    taken_over: bigint(),
    available: bigint(),
    pending: bigint(),
    held: bigint(),
  },
  keys: ["primary key (span, since, uid)"],
  indexes: ["(uid, span, since)"],
  // Few rows, each updated by nearly every step.
  fillFactor: 30,
});

const columns = insertColumns(reportSumsTable);

/** The spans of a line `l`: what, since when, and whose; null where the line is in no such span. */
const spansOfLine = [
  [
    "'day'",
    "date_trunc('day', l.booked_at, 'UTC')",
    `case l.uid when '' then '' else '${ALL_CONSIGNORS}' end`,
  ],
  ["'month'", "date_trunc('month', l.booked_at, 'UTC')", "nullif(l.uid, '')"],
  ["'all'", "timestamptz '2000-01-01 00:00:00+00'", "nullif(l.uid, '')"],
] as const;

const spans = `(values ${spansOfLine.map((span) => `(${span.join(", ")})`).join(", ")}) as p (span, since, uid)`;

const sums = summedColumns.map((name) => `read.total(${summedOf[name]}) as ${name}`).join(", ");

function sumsOf(lines: string, where: string): string {
  return `
    select p.span, p.since, p.uid, ${sums}
    from ${lines} cross join lateral ${spans}
    where p.uid is not null and ${where}
    group by p.span, p.since, p.uid`;
}

/** Adds what the lines of `added` give. They are read once for each span: a join with the spans takes 0.3 ms more to start. */
export function addToSums(added: string): string {
  const rows = spansOfLine.map(
    ([span, since, uid]) =>
      `select ${span} as span, ${since} as since, ${uid} as whose, l.* from ${added} l where ${uid} is not null`,
  );
  const changes = summedColumns.map((name) => `${name} = t.${name} + excluded.${name}`);
  return `
    insert into {table:report_sums} as t (${columns})
    select l.span, l.since, l.whose, ${sums}
    from (${rows.join(" union all ")}) l
    group by 1, 2, 3
    on conflict (span, since, uid) do update set ${changes.join(", ")}`;
}

/** Sums again what the lines of the row keys `$1` are in; `keeps` says which lines `l` count. */
export function sumAgain(keeps: string): readonly string[] {
  const touched = `
    select distinct p.span, p.since, p.uid from {table:report_lines} l cross join lateral ${spans}
    where 'money:' || l.uid = any ($1::text[]) and p.uid is not null`;
  const isOfSpan = `
    p.span = touched.span and p.since = touched.since and p.uid = touched.uid
    and (touched.span = 'all' or l.booked_at >= touched.since and l.booked_at < touched.since
      + case touched.span when 'day' then interval '24 hours' else interval '31 days' end)
    and (touched.uid = l.uid or touched.uid = '${ALL_CONSIGNORS}' and l.uid <> '')`;
  return [
    `delete from {table:report_sums} t using (${touched}) touched
    where t.span = touched.span and t.since = touched.since and t.uid = touched.uid`,
    `insert into {table:report_sums} (${columns})
    select sums.* from (${touched}) touched
    cross join lateral (${sumsOf("{table:report_lines} l", `${isOfSpan} and ${keeps}`)}) sums`,
  ];
}
