// From the log to what people are owed: every account's balance, and each consignor's numbered ledger lines.
import type { Projection } from "#ledger/projection/define.ts";
import { accountEvents } from "#features/accounts/events.ts";
import { payoutEvents } from "#features/payouts/events.ts";
import { saleEvents } from "#features/sales/events.ts";

// Money moves by postings alone, so events of other features count here without being read.
const eventTypes = [...accountEvents, ...saleEvents, ...payoutEvents].map(({ type }) => type);

/** Every account's balance, the store's and the world's too. Row key: the account. */
export const balancesProjection: Projection = {
  name: "balances",
  version: 1,
  eventTypes,
  tables: [
    {
      name: "balances",
      columns: "account text not null, balance_cents bigint not null, position bigint not null",
      keys: ["primary key (account)"],
      indexes: [],
    },
  ],
  step: [
    // Sums by pair of accounts first: there are few pairs, and each posting is then read once.
    `with pairs as materialized (
      select p.from_account, p.to_account, sum(p.cents) as cents, max(p.position) as position
      from log.postings p
      where p.position > $1::bigint and p.position <= $2::bigint
      group by p.from_account, p.to_account)
    insert into {table:balances} as b (account, balance_cents, position)
    select s.account, sum(s.cents)::bigint, max(s.position)
    from (
      select to_account as account, cents, position from pairs
      union all
      select from_account, -cents, position from pairs
    ) s
    where {key:s.account}
    group by s.account
    on conflict (account) do update
    set balance_cents = b.balance_cents + excluded.balance_cents, position = excluded.position`,
  ],
  keysTouched: `
    select distinct a.key
    from log.postings p
    cross join lateral (values (p.from_account), (p.to_account)) as a (key)
    where p.position > $1::bigint and p.position <= $2::bigint`,
  forgetKeys: ["delete from {table:balances} where account = any ($1::text[])"],
};

/** One side of the range's postings, as it changes a consignor's two accounts. */
function side(account: "to_account" | "from_account", sign: "" | "-"): string {
  return `
    select split_part(p.${account}, ':', 2), null::bigint, p.position,
      case split_part(p.${account}, ':', 3) when 'available' then ${sign}p.cents else 0 end,
      case split_part(p.${account}, ':', 3) when 'payouts' then ${sign}p.cents else 0 end
    from log.postings p
    where p.position > $1::bigint and p.position <= $2::bigint
      and p.${account} like 'consignor:%'`;
}

/**
 * One line for each event of a consignor's stream, numbered by the stream's version, so that a page is a
 * range of numbers however deep it lies. Beside the line's position only what depends on the lines before
 * stands here: the running balances, and the latest time of any line so far. By that time lines fall into
 * statement months: a late entry falls into the month that was open when it came, and no month once stated
 * ever changes. What happened, by whom and when, stands in the log. Row key: the consignor's uid.
 */
export const accountHistoryProjection: Projection = {
  name: "account_history",
  version: 1,
  eventTypes,
  tables: [
    {
      name: "account_history",
      columns: `
        uid text not null,
        line bigint not null,
        position bigint not null,
        available_delta_cents bigint not null,
        available_after_cents bigint not null,
        in_transit_delta_cents bigint not null,
        in_transit_after_cents bigint not null,
        booked_at timestamptz not null`,
      keys: ["primary key (uid, line)"],
      indexes: [],
    },
  ],
  step: [
    `with changes (uid, line, position, available, in_transit) as (
      select substr(s.stream_id, 11), s.version, s.position, 0::bigint, 0::bigint
      from log.event_streams s
      where s.position > $1::bigint and s.position <= $2::bigint and s.stream_id like 'consignor-%'
      union all ${side("to_account", "")}
      union all ${side("from_account", "-")}
    ), lines as (
      select c.uid, max(c.line) as line, c.position,
        sum(c.available)::bigint as available, sum(c.in_transit)::bigint as in_transit
      from changes c
      where {key:c.uid}
      group by c.uid, c.position
    ), running as (
      select l.*, e.happened_at,
        first_value(l.line) over lines_so_far as first_line,
        sum(l.available) over lines_so_far as available_since,
        sum(l.in_transit) over lines_so_far as in_transit_since,
        max(e.happened_at) over lines_so_far as latest
      from lines l
      join log.events e on e.position = l.position
      window lines_so_far as (partition by l.uid order by l.position)
    )
    insert into {table:account_history} (uid, line, position,
      available_delta_cents, available_after_cents, in_transit_delta_cents, in_transit_after_cents,
      booked_at)
    select r.uid, r.line, r.position,
      r.available, coalesce(b.available_after_cents, 0) + r.available_since,
      r.in_transit, coalesce(b.in_transit_after_cents, 0) + r.in_transit_since,
      greatest(b.booked_at, r.latest)
    from running r
    left join {table:account_history} b on b.uid = r.uid and b.line = r.first_line - 1`,
  ],
  keysTouched: `
    select distinct substr(s.stream_id, 11) as key
    from log.event_streams s
    where s.position > $1::bigint and s.position <= $2::bigint and s.stream_id like 'consignor-%'`,
  forgetKeys: ["delete from {table:account_history} where uid = any ($1::text[])"],
};
