// What must be true of the money and units that trades hold, compared with the log itself: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";

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

export const tradeChecks: readonly BookCheck[] = [
  {
    check: "balances",
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
