// The report's lines: what each event means for the money of one consignor or of the store, and when it is booked.
import {
  bigint,
  boolean,
  defineTable,
  insertColumns,
  nullable,
  text,
  timestamptz,
} from "#ledger/projection/columns.ts";
import { bookedAt, STORE_ADJUSTMENTS } from "#features/accounts/streams.ts";
import { afterClosingsSql, closingsSql } from "#features/months/projection-closings.ts";
import { OPENING_BALANCES } from "#features/migration/streams.ts";
import { PAID_BY } from "#features/payouts/streams.ts";
import {
  MasterSaleRecorded,
  SaleCorrected,
  SaleRecorded,
  SaleRefunded,
} from "#features/sales/events.ts";
import {
  CUSTOMERS,
  STORE_REVENUE,
  STORE_SALES_TAX,
  STORE_SHIPPING,
} from "#features/sales/streams.ts";
import { TradeFulfilled } from "#features/trades/events.ts";
import { STORE_TRADE_COMMISSION } from "#features/trades/streams.ts";

/** One row for each event and each consignor whose money it concerns; the store's own events have the empty `uid`. */
export const reportLinesTable = defineTable({
  name: "report_lines",
  columns: {
    position: bigint(),
    uid: text(),
    type: text(),
    /** When it happened, or when the account's line before it was booked or a closed month ended, if that is later. */
    booked_at: timestamptz(),
    /** When it happened, if that was in a month that was closed by then; null for all others. */
    late_from: nullable(timestamptz()),
    /** False where the event is not an entry of the consignor's ledger: a buyer's trade is fulfilled. */
    is_entry: boolean(),
    /** What customers paid, without tax; negative if they got it back. */
    price_cents: bigint(),
    /** What the store keeps of it. */
    share_cents: bigint(),
    shipping_cents: bigint(),
    tax_cents: bigint(),
    /** Parts of the price: with sales tax, exempt from it, and sold online without tax. The rest is what else had none. */
    taxed_cents: bigint(),
    exempt_cents: bigint(),
    untaxed_cents: bigint(),
    /** Sales tax that was paid to the authority. */
    remitted_cents: bigint(),
    /** The store's commission on what this seller traded. */
    commission_cents: bigint(),
    /** What other consignors paid for traded goods, with the store's commission; negative for who bought them. */
    traded_cents: bigint(),
    /** Paid to the consignor; negative if it came back. */
    paid_cents: bigint(),
    /** Given to the consignor by the store; negative if taken. */
    adjusted_cents: bigint(),
    /** Taken over from the old app. */
    taken_over_cents: bigint(),
    /** What it adds to what the consignor is owed: available, asked for, and held for trades. */
    available_cents: bigint(),
    pending_cents: bigint(),
    held_cents: bigint(),
  },
  keys: ["primary key (position, uid)"],
  indexes: [
    "(booked_at, position)",
    "(uid, booked_at, position)",
    "(late_from) where late_from is not null",
  ],
  stepIndexes: ["(uid, booked_at, position)"],
});

/** The columns of money, without `_cents`. */
export const amounts = [
  "price",
  "share",
  "shipping",
  "tax",
  "taxed",
  "exempt",
  "untaxed",
  "remitted",
  "commission",
  "traded",
  "paid",
  "adjusted",
  "taken_over",
  "available",
  "pending",
  "held",
] as const;
export type ReportLineColumn = (typeof amounts)[number];

/** All columns of money: none but the given ones. */
const amountsOf = (given: Readonly<Partial<Record<ReportLineColumn, string>>>) =>
  amounts.map((name) => `${given[name] ?? "0"}::bigint as ${name}`).join(", ");

/** An account of what the store owes somebody. */
function isOwed(account: string): string {
  return `(log.is_consignor_account(${account}) or log.is_trade_escrow_account(${account}))`;
}

/** What one side `a` of a posting adds, in an event of this type: `cents` went to `account` and came from `other`. */
export const ofSide = (type: string): Readonly<Partial<Record<ReportLineColumn, string>>> => ({
  price: `when a.account = '${CUSTOMERS}' and a.other <> '${STORE_SALES_TAX}' then -a.cents`,
  share: `when a.account = '${STORE_REVENUE}' then a.cents`,
  shipping: `when a.account = '${STORE_SHIPPING}' then a.cents`,
  tax: `when a.account = '${STORE_SALES_TAX}' and a.other = '${CUSTOMERS}' then a.cents`,
  remitted: `when a.account = '${STORE_SALES_TAX}' and a.other <> '${CUSTOMERS}' then -a.cents`,
  commission: `when a.account = '${STORE_TRADE_COMMISSION}' and ${type} <> '${TradeFulfilled.type}' then a.cents`,
  traded: `when ${isOwed("a.account")} and ${isOwed("a.other")} then a.cents
    when a.account = '${STORE_TRADE_COMMISSION}' and ${type} = '${TradeFulfilled.type}' then -a.cents`,
  paid: `when a.account in (${Object.values(PAID_BY)
    .map((account) => `'${account}'`)
    .join(", ")}) then a.cents`,
  adjusted: `when a.account = '${STORE_ADJUSTMENTS}' then -a.cents`,
  taken_over: `when a.account = '${OPENING_BALANCES}' then -a.cents`,
  available: "when log.is_consignor_available_account(a.account) then a.cents",
  pending: "when log.is_consignor_payouts_account(a.account) then a.cents",
  held: "when log.is_trade_escrow_account(a.account) then a.cents",
});

const ofPartysSide = ofSide("p.type");

/** Both sides of the postings of the event at this position. */
function sidesAt(position: string): string {
  return `
    select a.account, a.other, a.cents
    from {postings} o
    cross join lateral (values (o.to_account, o.from_account, o.cents),
      (o.from_account, o.to_account, -o.cents)) as a (account, other, cents)
    where o.position = ${position} offset 0`;
}

/**
 * The range's streams, read by position: otherwise PostgreSQL may look up every trade there ever was, and before it has
 * analyzed the log, every consignor's stream for each event.
 */
const streamsOfRange = `
  select s.stream_id, s.position from {streams} s
  where s.position > $1::bigint and s.position <= $2::bigint offset 0`;

/** The streams of the event at this position, read in the same way. */
function streamsAt(position: string): string {
  return `select o.stream_id, o.version from {streams} o where o.position = ${position} offset 0`;
}

/**
 * Whose lines the range's events may have: everybody with an entry, everybody in a trade whose money moves, and the store.
 * Some appear several times.
 */
export const keysOfLines = `
  select s.position, 'money:' || log.id_of_consignor_stream(s.stream_id) as key
  from (${streamsOfRange}) s
  where log.is_consignor_stream(s.stream_id)
  union all
  select p.position, 'money:' || log.id_of_consignor_stream(o.stream_id)
  from (${streamsOfRange}) s
  join {postings} p on p.position = s.position
  join {streams} t on t.stream_id = s.stream_id
  join {streams} o on o.position = t.position
  where p.position > $1::bigint and p.position <= $2::bigint
    and log.is_trade_stream(s.stream_id) and log.is_consignor_stream(o.stream_id)
  union all
  select p.position, 'money:'
  from (
    select m.position from {postings} m where m.position > $1::bigint and m.position <= $2::bigint
    except
    select s.position from (${streamsOfRange}) s
    where log.is_consignor_stream(s.stream_id) or log.is_trade_stream(s.stream_id)) p`;

/** One event, looked up by its position, so that no other event is read: others may be unreadable. */
export function eventAt(position: string): string {
  return `select e.position, e.type, e.happened_at, e.data from {events} e where e.position = ${position} offset 0`;
}

/**
 * The range's events with the person whom the store's side of their postings concerns; '' is nobody. Only events of
 * the wanted keys are read, so that one that cannot be read holds back nobody else. The person has the tables' collation:
 * with another one, no index would find the person's last line.
 */
const parties = `
  select e.position, e.type, ${afterClosingsSql("e.happened_at", "e.position")} as open_at, e.happened_at, e.data,
    coalesce(e.data ->> 'buyerUid', (
      select min(log.id_of_consignor_stream(s.stream_id) collate "C") from (${streamsAt("e.position")}) s
      where log.is_consignor_stream(s.stream_id)), '') collate "default" as uid
  from (select distinct k.position from (${keysOfLines}) k where {key:k.key}) wanted
  cross join lateral (${eventAt("wanted.position")}) e`;

/** Fields of its event that each line carries along, because a later join would compare every line with every event. */
const ofEvent = "p.position, p.type, p.open_at, p.happened_at";

export const TERMS_OF_SALE = `'${SaleRecorded.type}', '${MasterSaleRecorded.type}'`;

/** How a sale is taxed: by what was said of it when it was recorded (`sale`), and by its tax as it is then. */
export function taxationOf(sale: string, terms: string): string {
  return `case when ${sale} ? 'taxExemption' then 'exempt' when (${terms} ->> 'salesTaxCents')::bigint > 0 then 'taxed'
    when ${sale} ->> 'channel' = 'online' then 'untaxed' end`;
}

export const priceOf = (terms: string, sign = "") =>
  `${sign}coalesce((${terms} ->> 'priceCents')::bigint, 0)`;

/**
 * What sales, corrections and refunds of the range add to prices with tax and without. A correction takes the price away
 * as it was taxed before, and adds it as it is taxed now; a refund takes it away as it was taxed then.
 */
const taxations = `
  select ${ofEvent}, p.uid, ${taxationOf("p.data", "p.data")} as taxation, ${priceOf("p.data")} as cents
  from parties p where p.type in (${TERMS_OF_SALE})
  union all
  select ${ofEvent}, p.uid, ${taxationOf("s.sale", "c.terms")}, c.cents
  from parties p
  cross join lateral (
    select first.data as sale, own.stream_id, own.version
    from (${streamsAt("p.position")}) own
    join {streams} f on f.stream_id = own.stream_id and f.version = 1
    cross join lateral (${eventAt("f.position")}) first
    where log.is_sale_stream(own.stream_id)) s
  cross join lateral (
    select p.data -> 'before' as terms, ${priceOf("p.data -> 'before'", "-")} as cents
    where p.type = '${SaleCorrected.type}'
    union all
    select p.data -> 'after', ${priceOf("p.data -> 'after'")} where p.type = '${SaleCorrected.type}'
    union all
    select coalesce((
      select corrected.data -> 'after' from {streams} c cross join lateral (${eventAt("c.position")}) corrected
      where c.stream_id = s.stream_id and c.version < s.version and corrected.type = '${SaleCorrected.type}'
      order by c.version desc limit 1), s.sale), ${priceOf("p.data", "-")}
    where p.type = '${SaleRefunded.type}') c
  where p.type in ('${SaleCorrected.type}', '${SaleRefunded.type}')`;

/**
 * Every entry of a consignor's ledger, all postings, and each seller's part of a trade's commission: a buyer pays the
 * seller the whole price, of which the seller pays the commission. Only sellers whose ledger has the event count: row keys
 * are found by streams.
 */
const changes = `
  select ${ofEvent}, log.id_of_consignor_stream(s.stream_id) as uid, true as is_entry, ${amountsOf({})}
  from parties p
  cross join lateral (${streamsAt("p.position")}) s
  where log.is_consignor_stream(s.stream_id)
  union all
  select ${ofEvent},
    case when log.is_consignor_account(a.account) then log.id_of_consignor_account(a.account) else p.uid end,
    p.uid = '' and not log.is_consignor_account(a.account), ${amounts.map((name) => (ofPartysSide[name] === undefined ? "0" : `case ${ofPartysSide[name]} else 0 end`)).join(", ")}
  from parties p
  cross join lateral (${sidesAt("p.position")}) a
  union all
  select ${ofEvent}, s."sellerUid", false, ${amountsOf({ commission: 's."commissionCents"', traded: 's."commissionCents"' })}
  from parties p
  cross join lateral jsonb_to_recordset(p.data -> 'payments') as s ("sellerUid" text, "commissionCents" bigint)
  where p.type = '${TradeFulfilled.type}' and exists (
    select from (${streamsAt("p.position")}) o where log.is_consignor_stream(o.stream_id)
      and log.id_of_consignor_stream(o.stream_id) = s."sellerUid")
  union all
  select t.position, t.type, t.open_at, t.happened_at, t.uid, false, ${amountsOf({
    taxed: "case t.taxation when 'taxed' then t.cents else 0 end",
    exempt: "case t.taxation when 'exempt' then t.cents else 0 end",
    untaxed: "case t.taxation when 'untaxed' then t.cents else 0 end",
  })}
  from (
    select position, type, open_at, happened_at, uid, taxation, read.total(cents) as cents from (${taxations}) each
    where taxation is not null group by 1, 2, 3, 4, 5, 6 having read.total(cents) <> 0) t`;

const columns = amounts.map((name) => `c.${name}`).join(", ");

/**
 * The lines of these `changes`. Only entries of a ledger decide when later ones are booked, so that consignors' months are
 * those of their statements. The store has no statement: what is its own counts when it happened, unless that month is closed.
 */
export const linesOf = (changes: string) => `
  with ${changes}, numbered as (
    select c.*, case when c.open_at > c.happened_at then c.happened_at end as late_from,
      row_number() over (partition by c.uid order by c.position) as nth
    from changes c
  ), opened as (
    select n.*, case when n.is_entry then n.open_at end as entered_at,
      case when n.nth = 1 then (
        select b.booked_at from {table:report_lines} b where b.uid = n.uid and b.is_entry
        order by b.booked_at desc limit 1) end as booked_before
    from numbered n
  ), booked as (
    select c.*, ${bookedAt("c.entered_at", "c.booked_before", "lines_so_far")} as booked_so_far
    from opened c
    window lines_so_far as (partition by c.uid order by c.position rows unbounded preceding)
  ), added as (
    insert into {table:report_lines} (${insertColumns(reportLinesTable)})
    select c.position, c.uid, c.type,
      case when c.uid = '' then c.open_at else greatest(c.open_at, c.booked_so_far) end, c.late_from, c.is_entry, ${columns}
    from booked c
    returning *)`;

/** The range's lines. */
export const linesOfRange = linesOf(`
  closings as materialized (${closingsSql}),
  parties as materialized (${parties}),
  changes as (
    select c.position, c.type, c.open_at, c.happened_at, c.uid, bool_or(c.is_entry) as is_entry,
      ${amounts.map((name) => `read.total(c.${name}) as ${name}`).join(", ")}
    from (${changes}) c
    where {key:'money:' || c.uid}
    group by c.position, c.type, c.open_at, c.happened_at, c.uid
  )`);
