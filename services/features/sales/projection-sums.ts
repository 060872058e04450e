// Sums of sales by day, and of each consignor's sales by month, so that the totals above a list of a million sales are quick.
import {
  bigint,
  defineTable,
  insertColumns,
  text,
  timestamptz,
} from "#ledger/projection/columns.ts";

/**
 * One row for each span and each kind, channel and status in it. A period's totals are the sums of the whole spans in
 * it, and of the sales at its edges. Spans are UTC's, because a step does not know the store's time zone.
 */
export const salesSumsTable = defineTable({
  name: "sales_sums",
  columns: {
    /** Whose sales, by month; empty for all sales, by day. */
    uid: text(),
    /** When the day or month begins, in UTC. */
    since: timestamptz(),
    kind: text<"consignor" | "master" | "custom">(),
    /** Empty for a custom sale. */
    channel: text<"online" | "pos" | "">(),
    status: text<"sold" | "partly_refunded" | "refunded">(),
    sales: bigint(),
    /** How many of them have no price. */
    unpriced: bigint(),
    units: bigint(),
    refunded_units: bigint(),
    price_cents: bigint(),
    refunded_price_cents: bigint(),
    shipping_cents: bigint(),
    sales_tax_cents: bigint(),
    refunded_tax_cents: bigint(),
    payout_cents: bigint(),
    refunded_payout_cents: bigint(),
  },
  keys: ["primary key (uid, since, kind, channel, status)"],
  indexes: [],
  // Few rows, each updated by nearly every step.
  fillFactor: 30,
});

/** The columns that are summed, apart from the number of sales; each is a column of `sales`. */
export const summedColumns = [
  "unpriced",
  "units",
  "refunded_units",
  "price_cents",
  "refunded_price_cents",
  "shipping_cents",
  "sales_tax_cents",
  "refunded_tax_cents",
  "payout_cents",
  "refunded_payout_cents",
] as const;

const keyColumns = "uid, since, kind, channel, status";
const columns = insertColumns(salesSumsTable);

/** The spans of a sale `s`. */
const spans = `
  (values ('', date_trunc('day', s.sold_at, 'UTC')),
    (s.consignor_id, date_trunc('month', s.sold_at, 'UTC'))) as p (uid, since)`;

/** The sums of sales `s`, each counted `sign` times. */
function sumsOf(sales: string, where: string, sign = "1::bigint"): string {
  const sums = summedColumns.map(
    (name) => `read.total(${sign} * coalesce(s.${name}, 0)) as ${name}`,
  );
  return `
    select p.uid, p.since, s.kind, coalesce(s.channel, '') as channel, s.status,
      read.total(${sign}) as sales, ${sums.join(", ")}
    from ${sales} cross join lateral ${spans}
    where p.uid is not null and ${where}
    group by p.uid, p.since, s.kind, coalesce(s.channel, ''), s.status`;
}

/** What a sum is made of, with the columns of `sales`. */
export const summedFrom = [
  "sold_at",
  "consignor_id",
  "kind",
  "channel",
  "status",
  ...summedColumns,
] as const;

/** Adds what these sales give, each counted `sign` times; they are rows with the columns of `summedFrom`. */
export function addToSums(sales: string, sign: string): string {
  const added = ["sales", ...summedColumns].map((name) => `${name} = t.${name} + excluded.${name}`);
  return `
    insert into {table:sales_sums} as t (${columns})
    ${sumsOf(`${sales} s`, "true", sign)}
    on conflict (${keyColumns}) do update set ${added.join(", ")}`;
}

/** Where these sales changed, a kind of sale may be gone: a refund changes the status. */
export function dropEmptySums(changedSales: string): string {
  return `
    delete from {table:sales_sums} t
    using (
      select distinct p.uid, p.since from {table:sales} s cross join lateral ${spans}
      where s.sale_id in (${changedSales}) and p.uid is not null) touched
    where t.uid = touched.uid and t.since = touched.since and t.sales = 0`;
}

/** Sums the spans of the sales `$1` again; `keeps` says which sales `s` count. */
export function sumAgain(keeps: string): readonly string[] {
  const touched = `
    select distinct p.uid, p.since from {table:sales} s cross join lateral ${spans}
    where s.sale_id::text = any ($1::text[]) and p.uid is not null`;
  const isOfSpan = `
    p.uid = touched.uid and p.since = touched.since and s.sold_at >= touched.since
    and s.sold_at < touched.since + case touched.uid when '' then interval '24 hours' else interval '31 days' end
    and (touched.uid = '' or s.consignor_id = touched.uid)`;
  return [
    `delete from {table:sales_sums} t using (${touched}) touched
    where t.uid = touched.uid and t.since = touched.since`,
    `insert into {table:sales_sums} (${columns})
    select sums.* from (${touched}) touched
    cross join lateral (${sumsOf("{table:sales} s", `${isOfSpan} and ${keeps}`)}) sums`,
  ];
}

/** Sums all sales into the empty table. */
export const fillSums = `
  insert into {table:sales_sums} (${columns}) ${sumsOf("{table:sales} s", "true")}`;
