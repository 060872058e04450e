// What must be true of the money and units that trades hold and of the papers they name, compared with the log itself:
// part of `npm run verify`.
import { cancellationSql, completionSql } from "#features/trades/due-time.ts";
import {
  AcceptanceCancelled,
  OfferAccepted,
  TradeCancelled,
  TradeFulfilled,
  TradeRefunded,
} from "#features/trades/events.ts";
import type { RowUnits } from "#features/trades/events.ts";
import { tradeFollows } from "#features/trades/follows.ts";
import {
  escrowAccount,
  STORE_TRADE_COMMISSION,
  TRADED,
  tradeHolding,
  tradeStreamName,
} from "#features/trades/streams.ts";
import { ADJUSTED, itemHolding } from "#features/inventory/streams.ts";
import { labelCheck } from "#identity/label-check.ts";
import { move, moveUnits } from "#ledger/posting.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { moves, posts } from "#ledger/verify/event-rules.ts";
import { extendsStream } from "#ledger/verify/stream-rules.ts";
import { availableAccount, STORE_ADJUSTMENTS } from "#features/accounts/streams.ts";
import { STORE_SHIPPING } from "#features/sales/streams.ts";

/**
 * What the log has in each trade's account or holding, up to the position that the read tables have reached. Older
 * books may have names that no trade of this program has; a trade's id is a UUID.
 */
function sumsOf(moves: "postings" | "movements"): string {
  const [amount, from, to, kind] =
    moves === "postings"
      ? ["cents", "from_account", "to_account", "trade_escrow_account"]
      : ["units", "from_holding", "to_holding", "trade_units_holding"];
  return `
    reached as (
      select position from read.projections where name = 'trades' and state = 'live'),
    sums as (
      select log.id_of_${kind}(name) as trade_id, sum(amount)::bigint as amount, max(position) as position
      from (
        select ${to} as name, ${amount} as amount, position from log.${moves}
        union all select ${from}, -${amount}, position from log.${moves}) m
      where log.is_${kind}(name) and length(log.id_of_${kind}(name)) = 36
        and position <= (select position from reached)
      group by 1)`;
}

/** What open acceptances cost with the shipping fee, and how many units they have. */
const open = `
  open as (
    select t.trade_id::text as trade_id, t.held_cents, t.updated_position,
      case when t.fulfilled_at is null then coalesce(a.units, 0) else 0 end as units,
      case when t.fulfilled_at is null and a.units > 0 then a.cents + t.shipping_fee_cents else 0 end as cents
    from read.trades t
    left join lateral (
      select sum(o.accepted_units)::bigint as units,
        sum(o.accepted_units * coalesce(o.accepted_price_cents, 0))::bigint as cents
      from read.trade_offers o where o.trade_id = t.trade_id) a on true)`;

type Papers = {
  readonly table: string;
  readonly what: string;
  /** Events that name a row, with its id: columns position, trade_id, buyer_uid, id. */
  readonly named: string;
};

const addresses: Papers = {
  table: "identity.trade_addresses",
  what: "address",
  named: `
    select e.position, e.data ->> 'tradeId' as trade_id, e.data ->> 'buyerUid' as buyer_uid,
      e.data ->> case e.type when 'TradeRequested' then 'addressId' else 'after' end as id
    from {events} e where e.type in ('TradeRequested', 'TradeAddressChanged')`,
};

const trackingNumbers: Papers = {
  table: "identity.trade_labels",
  what: "tracking number",
  named: `
    select e.position, e.data ->> 'tradeId' as trade_id, e.data ->> 'buyerUid' as buyer_uid,
      e.data ->> 'labelId' as id
    from {events} e where e.type = 'TradeLabelUploaded'`,
};

/** A row is missing only where its buyer was erased, belongs to the buyer, and is named by an event. */
function paperChecks({ table, what, named }: Papers): readonly BookCheck[] {
  return [
    {
      check: "identity",
      sql: `
        select n.position, 'trade ' || n.trade_id || ', ${what} ' || n.id || case
            when r.id is null then ': it is gone, but the buyer was not deleted'
            else ': it is another person''s' end as message
        from (${named}) n
        left join ${table} r on r.id::text = n.id
        left join log.streams s on s.id = log.user_stream(n.buyer_uid)
        where case when r.id is null then s.state ->> 'deactivatedAt' is null else r.uid <> n.buyer_uid end
        order by 1, 2 limit 100`,
    },
    {
      check: "identity",
      sql: `
        select 0 as position, 'trade ${what} ' || r.id || ': no event names it' as message
        from ${table} r
        where not exists (select from (${named}) n where n.id = r.id::text)
        order by r.id limit 100`,
    },
  ];
}

/** An instant as it is in the key of a deadline. */
function instantSql(time: string): string {
  return `to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * A deadline is taken once, under a key of its own. An answer under the key of one that the trade still has came with no
 * event, and meets nothing. Reminders of a wait have a day at the end of their keys: any later than the last one counts.
 */
const unmetDeadlines: BookCheck = {
  check: "units",
  readsFrom: ["trades"],
  sql: `
    with kept as (
      select k.position, k.key, coalesce(of_day.parts[1], k.key) as stem, of_day.parts[2]::numeric as day
      from log.command_keys k
      cross join lateral (
        select regexp_match(k.key, '^(remind:(?:label|order):.*):(\\d+)$') as parts) of_day
      where k.scope = 'system:trades' and k.events = 0),
    deadlines as (
      select 'offer ' || o.offer_id as subject, 'expiry' as what,
        'expire:' || o.offer_id || ':' || ${instantSql("o.expires_at")} as stem, null::bigint as after_day
      from read.trade_offers o where o.turn is not null
      union all
      select 'offer ' || o.offer_id, 'reminder',
        'remind:answer:' || o.offer_id || ':' || ${instantSql("o.expires_at")} || ':' || o.rounds, null
      from read.trade_offers o where o.turn = 'seller' and not o.is_reminded
      union all
      select 'trade ' || t.trade_id, 'completion',
        'complete:' || t.trade_id || ':' || ${instantSql(completionSql)}, null
      from read.trades t where t.status = 'fulfilled' and t.reported_at is null
      union all
      select 'trade ' || t.trade_id, 'cancellation',
        'cancel:' || t.trade_id || ':' || ${instantSql(cancellationSql)}, null
      from read.trades t where t.status = 'awaiting_shipping' and t.provides_own_shipping
      union all
      select 'trade ' || t.trade_id, 'reminder',
        'remind:' || case when t.status = 'awaiting_shipping' and t.provides_own_shipping then 'label' else 'order' end
          || ':' || t.trade_id || ':' || ${instantSql("t.status_since")}, t.reminded_day
      from read.trades t where t.status in ('awaiting_shipping', 'shipping_uploaded'))
    select k.position, d.subject || ': its ' || d.what || ' was answered under ' || k.key ||
        ', but nothing was booked' as message
    from deadlines d
    join kept k on k.stem = d.stem and (d.after_day is null or k.day > d.after_day)
    order by 1, 2 limit 10`,
};

type MoneyBack = {
  readonly tradeId: string;
  readonly buyerUid: string;
  readonly returnedCents: number;
  readonly returnedFeeCents: number;
};

const moneyBack = ({ tradeId, buyerUid, returnedCents, returnedFeeCents }: MoneyBack) =>
  move(escrowAccount.of(tradeId), availableAccount.of(buyerUid), returnedCents + returnedFeeCents);

const postingChecks: readonly BookCheck[] = [
  posts(OfferAccepted, ({ tradeId, buyerUid, units, pricePerItem, shippingFeeCents }) =>
    move(
      availableAccount.of(buyerUid),
      escrowAccount.of(tradeId),
      units * pricePerItem + shippingFeeCents,
    ),
  ),
  posts(TradeCancelled, moneyBack),
  posts(AcceptanceCancelled, moneyBack),
  posts(TradeFulfilled, ({ tradeId, payments, shippingFeeCents }) => {
    const escrow = escrowAccount.of(tradeId);
    return [
      ...payments.flatMap(({ sellerUid, payoutCents, commissionCents }) => [
        ...move(escrow, availableAccount.of(sellerUid), payoutCents),
        ...move(escrow, STORE_TRADE_COMMISSION, commissionCents),
      ]),
      ...move(escrow, STORE_SHIPPING, shippingFeeCents),
    ];
  }),
  posts(TradeRefunded, ({ borneBy, sellerUid, buyerUid, cents }) =>
    move(
      borneBy === "seller" ? availableAccount.of(sellerUid) : STORE_ADJUSTMENTS,
      availableAccount.of(buyerUid),
      cents,
    ),
  ),
];

/** Units between these items and another holding. */
function moveRows(rows: readonly RowUnits[], other: string, way: "out" | "back") {
  return rows.flatMap(({ itemId, units }) => {
    const item = itemHolding.of(itemId);
    return way === "out" ? moveUnits(item, other, units) : moveUnits(other, item, units);
  });
}

const movementChecks: readonly BookCheck[] = [
  moves(OfferAccepted, ({ tradeId, rows }) => moveRows(rows, tradeHolding.of(tradeId), "out")),
  moves(TradeCancelled, ({ tradeId, rows }) => moveRows(rows, tradeHolding.of(tradeId), "back")),
  moves(AcceptanceCancelled, ({ tradeId, as, units, rows }) =>
    as === "restock"
      ? moveRows(rows, tradeHolding.of(tradeId), "back")
      : moveUnits(tradeHolding.of(tradeId), ADJUSTED, units),
  ),
  moves(TradeFulfilled, ({ tradeId, payments }) =>
    payments.flatMap(({ units }) => moveUnits(tradeHolding.of(tradeId), TRADED, units)),
  ),
  moves(TradeRefunded, ({ rows }) => moveRows(rows, TRADED, "back")),
];

export const tradeChecks: readonly BookCheck[] = [
  ...postingChecks,
  ...movementChecks,
  extendsStream("balances", escrowAccount, tradeStreamName),
  extendsStream("units", tradeHolding, tradeStreamName),
  ...tradeFollows,
  unmetDeadlines,
  ...paperChecks(addresses),
  ...paperChecks(trackingNumbers),
  labelCheck(`
    select e.position, e.recorded_at, 'trade ' || t.trade_id as subject, t.owner, t.id
    from {events} e,
      lateral (select e.data ->> 'tradeId' as trade_id, e.data ->> 'buyerUid' as owner, e.data ->> 'labelId' as id) t
    join log.streams s on s.id = log.trade_stream(t.trade_id) and s.state -> 'trade' ->> 'labelId' = t.id
    where e.type = 'TradeLabelUploaded'`),
  {
    check: "balances",
    readsFrom: ["trades"],
    sql: `
      with ${sumsOf("postings")}, ${open}
      select coalesce(s.position, o.updated_position) as position,
        'read.trades, row ' || coalesce(o.trade_id, s.trade_id) || ': ' ||
          coalesce(o.held_cents || ' cents held, ' || o.cents || ' cents in open acceptances', 'missing') ||
          ', but its escrow has ' || coalesce(s.amount, 0) as message
      from open o
      full join sums s on s.trade_id = o.trade_id
      where coalesce(s.amount, 0) <> coalesce(o.held_cents, -1) or coalesce(s.amount, 0) <> coalesce(o.cents, -1)
      order by 1, 2 limit 10`,
  },
  {
    check: "units",
    readsFrom: ["trades"],
    sql: `
      with ${sumsOf("movements")}, ${open}
      select coalesce(s.position, o.updated_position) as position,
        'read.trades, row ' || coalesce(o.trade_id, s.trade_id) || ': ' ||
          coalesce(o.units || ' units in open acceptances', 'missing') || ', but it holds ' ||
          coalesce(s.amount, 0) as message
      from open o
      full join sums s on s.trade_id = o.trade_id
      where coalesce(s.amount, 0) <> coalesce(o.units, -1)
      order by 1, 2 limit 10`,
  },
];
