// From the log to what screens list of trades: every trade and every offer as it is now, and when each is due next.
import {
  bigint,
  boolean,
  columnsOf,
  defineTable,
  insertColumns,
  jsonb,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { accountsInStream } from "#features/accounts/streams.ts";
import { dueTimeSql } from "#features/trades/due-time.ts";
import type { Offer, TradeStatus } from "#features/trades/events.ts";
import { tradeEvents } from "#features/trades/events.ts";

export const tradesTable = defineTable({
  name: "trades",
  columns: {
    trade_id: uuid(),
    buyer_uid: text(),
    status: text<TradeStatus>(),
    status_since: timestamptz(),
    item_name: text(),
    barcode1: text(),
    item_link: text(),
    image_url: text(),
    quantity: bigint(),
    /** Units that are accepted and not cancelled. */
    accepted_units: bigint(),
    /** For one unit, as asked for or raised. */
    price_cents: bigint(),
    provides_own_shipping: boolean(),
    commission_percentage: bigint(),
    /** The rate: 0 where the buyer provides the label. */
    shipping_fee_cents: bigint(),
    /** What the escrow account has. */
    held_cents: bigint(),
    address_id: uuid(),
    /** Null without a label that counts, as is its carrier. */
    label_id: nullable(uuid()),
    carrier: nullable(text<"USPS" | "UPS" | "FedEx">()),
    fulfilled_at: nullable(timestamptz()),
    /** For one unit, of the last seller who was paid; null before fulfillment. */
    traded_price_cents: nullable(bigint()),
    /** The open report; null without one. */
    report_kind: nullable(text<"lost" | "damaged" | "wrong" | "returned">()),
    report_note_id: nullable(uuid()),
    reported_at: nullable(timestamptz()),
    settled_at: nullable(timestamptz()),
    cancel_note_id: nullable(uuid()),
    /** The longest wait, in days, that somebody was reminded of in this status. */
    reminded_day: bigint(),
    /** When something happens by itself next; null where nothing will. */
    due_at: nullable(timestamptz()),
    requested_at: timestamptz(),
    position: bigint(),
    updated_position: bigint(),
  },
  keys: ["primary key (trade_id)"],
  indexes: [
    "(buyer_uid, position desc)",
    "(status_since, position) where status in ('awaiting_shipping', 'shipping_uploaded')",
    "(fulfilled_at desc, position desc) where status = 'fulfilled'",
    "(reported_at, position) where reported_at is not null",
    "(due_at) where due_at is not null",
    // What is held for a buyer. Few trades hold money at a time.
    "(buyer_uid) include (held_cents) where held_cents > 0",
    "(barcode1) include (buyer_uid, quantity, accepted_units) where status = 'pending'",
    "(barcode1, fulfilled_at desc) include (traded_price_cents) where traded_price_cents is not null",
  ],
});

export const tradeOffersTable = defineTable({
  name: "trade_offers",
  columns: {
    offer_id: text(),
    trade_id: uuid(),
    /** From 1: the order in which the sellers were found. */
    nth: bigint(),
    buyer_uid: text(),
    seller_uid: text(),
    status: text<Offer["status"]>(),
    declined_because: nullable(text<"party" | "filled">()),
    /** Who has to answer; null where the offer is closed. */
    turn: nullable(text<"buyer" | "seller">()),
    quantity_offered: bigint(),
    /** What the buyer asked for. */
    price_cents: bigint(),
    /** The last counter; null without one. */
    counter_price_cents: nullable(bigint()),
    counter_quantity: nullable(bigint()),
    countered_by: nullable(text<"buyer" | "seller">()),
    rounds: bigint(),
    expires_at: timestamptz(),
    is_reminded: boolean(),
    /** Units that are accepted and not cancelled. */
    accepted_units: bigint(),
    accepted_price_cents: nullable(bigint()),
    /** Where these units came from. */
    accepted_rows: jsonb<readonly { readonly itemId: string; readonly units: number }[]>(),
    refunded_units: bigint(),
    refunded_cents: bigint(),
    /** The request's. */
    position: bigint(),
    updated_position: bigint(),
  },
  keys: ["primary key (offer_id)"],
  indexes: [
    "(trade_id, nth)",
    "(seller_uid, position desc)",
    "(seller_uid, expires_at, offer_id) where turn is not null",
    "(buyer_uid) where turn = 'buyer'",
    "(seller_uid) where accepted_units > 0",
  ],
  stepIndexes: ["(trade_id, nth)"],
});

const types = tradeEvents.map(({ type }) => `'${type}'`).join(", ");

/** The range's events of trades. */
const own = `
  select (e.data ->> 'tradeId')::uuid as trade_id, e.position, e.type, e.happened_at, e.data
  from {events} e
  where e.position > $1::bigint and e.position <= $2::bigint
    and e.type in (${types}) and {key:e.data ->> 'tradeId'}`;

/** Each offer as the last event of the range left it, with the position of the first. */
const changedOffers = `
  select distinct on (o.offer ->> 'offerId') o.offer, o.trade_id, o.buyer_uid, o.position as updated_position,
    min(o.position) over (partition by o.offer ->> 'offerId') as position
  from (
    select e.trade_id, e.position, e.data ->> 'buyerUid' as buyer_uid,
      jsonb_array_elements(e.data -> 'offers') as offer
    from (${own}) e) o
  order by o.offer ->> 'offerId', o.position desc`;

const isOpen = "c.offer ->> 'status' in ('pending', 'countered')";
const lastCounter = "c.offer -> 'counters' -> -1";
const acceptance = "nullif(c.offer -> 'acceptance', 'null')";

/** All columns but the offer's id and its request's position. */
const offerUpdates = columnsOf(tradeOffersTable, "offer_id", "position")
  .map((name) => `${name} = excluded.${name}`)
  .join(", ");

/** A value of the last event of the range that meets the condition. The value may be null. */
function last(value: string, condition = "true"): string {
  return `(array_agg(case when ${condition} then ${value} end order by s.position desc)
    filter (where ${condition}))[1]`;
}

const isLabel = "s.type in ('TradeLabelUploaded', 'TradeAddressChanged')";
const isSettled =
  "(s.type = 'TradeReportClosed' or (s.type = 'TradeRefunded' and (s.data ->> 'settledReport')::boolean))";
const isReport = `(s.type = 'TradeReported' or ${isSettled})`;
const ofReport = (value: string) =>
  last(`case when s.type = 'TradeReported' then ${value} end`, isReport);
const isWait = "(s.type = 'TradeReminded' and s.data ->> 'about' <> 'answer')";
const dayOfWait = "case when s.type = 'TradeReminded' then (s.data ->> 'day')::bigint else 0 end";
const lastPayment = "s.data -> 'payments' -> -1";

/** What the range's events leave of each trade. */
const changes = `
  select s.trade_id, max(s.position) as position,
    ${last("s.data ->> 'status'")} as status,
    ${last("s.happened_at", "s.is_new_status")} as status_since,
    ${last("(s.data ->> 'after')::bigint", "s.type = 'TradeRaised'")} as price_cents,
    ${last("(s.data ->> 'after')::uuid", "s.type = 'TradeAddressChanged'")} as address_id,
    bool_or(${isLabel}) as has_label,
    ${last("(s.data ->> 'labelId')::uuid", isLabel)} as label_id,
    ${last("s.data ->> 'carrier'", isLabel)} as carrier,
    ${last("s.happened_at", "s.type = 'TradeFulfilled'")} as fulfilled_at,
    ${last(
      `(${lastPayment} ->> 'priceCents')::bigint / (${lastPayment} ->> 'units')::bigint`,
      "s.type = 'TradeFulfilled'",
    )} as traded_price_cents,
    bool_or(${isReport}) as has_report,
    ${ofReport("s.data ->> 'kind'")} as report_kind,
    ${ofReport("(s.data ->> 'noteId')::uuid")} as report_note_id,
    ${ofReport("s.happened_at")} as reported_at,
    ${last("s.happened_at", isSettled)} as settled_at,
    ${last("(s.data ->> 'noteId')::uuid", "s.type = 'TradeCancelled'")} as cancel_note_id,
    ${last(dayOfWait, `(s.is_new_status or ${isWait})`)} as reminded_day
  from (
    select o.*, o.data ->> 'status' <> coalesce(
      lag(o.data ->> 'status') over (partition by o.trade_id order by o.position), t.status) as is_new_status
    from own o join {table:trades} t on t.trade_id = o.trade_id) s
  group by s.trade_id`;

/** What the range's postings change of each trade's escrow. */
const held = `
  select h.trade_id, sum(h.cents)::bigint as cents
  from (
    select log.id_of_trade_escrow_account(p.to_account) as trade_id, p.cents
    from {postings} p
    where p.position > $1::bigint and p.position <= $2::bigint and log.is_trade_escrow_account(p.to_account)
    union all
    select log.id_of_trade_escrow_account(p.from_account), -p.cents
    from {postings} p
    where p.position > $1::bigint and p.position <= $2::bigint and log.is_trade_escrow_account(p.from_account)
  ) h
  group by h.trade_id`;

/** Row key: the trade's id. */
export const tradesProjection: Projection = {
  name: "trades",
  version: 1,
  tables: [tradesTable, tradeOffersTable],
  step: [
    `insert into {table:trade_offers} (${insertColumns(tradeOffersTable)})
    select c.offer ->> 'offerId', c.trade_id, substr(c.offer ->> 'offerId', 38)::bigint, c.buyer_uid,
      c.offer ->> 'sellerUid', c.offer ->> 'status', c.offer ->> 'declinedBecause',
      case when ${isOpen} then case when ${lastCounter} ->> 'by' = 'seller' then 'buyer' else 'seller' end end,
      (c.offer ->> 'quantityOffered')::bigint, (c.offer ->> 'pricePerItem')::bigint,
      (${lastCounter} ->> 'pricePerItem')::bigint, (${lastCounter} ->> 'quantity')::bigint, ${lastCounter} ->> 'by',
      (c.offer ->> 'rounds')::bigint, (c.offer ->> 'expiresAt')::timestamptz, (c.offer ->> 'isReminded')::boolean,
      coalesce((${acceptance} ->> 'units')::bigint, 0),
      case when (${acceptance} ->> 'units')::bigint > 0 then (${acceptance} ->> 'pricePerItem')::bigint end,
      coalesce(${acceptance} -> 'rows', '[]'), coalesce((${acceptance} ->> 'refundedUnits')::bigint, 0),
      coalesce((${acceptance} ->> 'refundedCents')::bigint, 0), c.position, c.updated_position
    from (${changedOffers}) c
    on conflict (offer_id) do update set ${offerUpdates}`,
    `insert into {table:trades} (${insertColumns(tradesTable)})
    select o.trade_id, o.data ->> 'buyerUid', o.data ->> 'status', o.happened_at, o.data ->> 'itemName',
      o.data ->> 'barcode1', o.data ->> 'itemLink', o.data ->> 'imageUrl', (o.data ->> 'quantity')::bigint, 0,
      (o.data ->> 'pricePerItem')::bigint, (o.data ->> 'providesOwnShipping')::boolean,
      (o.data -> 'rates' ->> 'commissionPercentage')::bigint, (o.data -> 'rates' ->> 'shippingFeeCents')::bigint, 0,
      (o.data ->> 'addressId')::uuid, null, null, null, null, null, null, null, null, null, 0, null,
      o.happened_at, o.position, o.position
    from (${own}) o
    where o.type = 'TradeRequested'`,
    // The trades of the range are all there by now, so a change of status is seen against the row or the event before.
    `with own as materialized (${own}),
      changes as (${changes}),
      held as (${held})
    update {table:trades} t
    set status = c.status,
      status_since = coalesce(c.status_since, t.status_since),
      price_cents = coalesce(c.price_cents, t.price_cents),
      held_cents = t.held_cents + coalesce(h.cents, 0),
      address_id = coalesce(c.address_id, t.address_id),
      label_id = case when c.has_label then c.label_id else t.label_id end,
      carrier = case when c.has_label then c.carrier else t.carrier end,
      fulfilled_at = coalesce(c.fulfilled_at, t.fulfilled_at),
      traded_price_cents = coalesce(c.traded_price_cents, t.traded_price_cents),
      report_kind = case when c.has_report then c.report_kind else t.report_kind end,
      report_note_id = case when c.has_report then c.report_note_id else t.report_note_id end,
      reported_at = case when c.has_report then c.reported_at else t.reported_at end,
      settled_at = coalesce(c.settled_at, t.settled_at),
      cancel_note_id = coalesce(c.cancel_note_id, t.cancel_note_id),
      reminded_day = coalesce(c.reminded_day, t.reminded_day),
      updated_position = c.position
    from changes c
    left join held h on h.trade_id = c.trade_id::text
    where t.trade_id = c.trade_id`,
    `update {table:trades} t
    set accepted_units = (
        select coalesce(sum(o.accepted_units), 0)::bigint from {table:trade_offers} o where o.trade_id = t.trade_id),
      due_at = ${dueTimeSql("{table:trade_offers}")}
    where t.trade_id in (select o.trade_id from (${own}) o)`,
  ],
  keysTouched: `
    select distinct log.id_of_trade_stream(s.stream_id) as key
    from {streams} s
    where s.position > $1::bigint and s.position <= $2::bigint and log.is_trade_stream(s.stream_id)`,
  forgetKeys: [
    "delete from {table:trade_offers} where trade_id::text = any ($1::text[])",
    "delete from {table:trades} where trade_id::text = any ($1::text[])",
  ],
  streamsOfKey: "array[log.trade_stream(key)]",
  money: {
    uidsOfKey: accountsInStream("log.trade_stream(key)"),
    keyOfRow: { trades: "trade_id::text", trade_offers: "trade_id::text" },
    keysOfUid: null,
  },
};
