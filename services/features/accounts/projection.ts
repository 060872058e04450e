// From the log to what people are owed: every account's balance, and each consignor's numbered ledger lines.
import {
  bigint,
  defineTable,
  insertColumns,
  nullable,
  text,
  timestamptz,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { bookedAt } from "#features/accounts/streams.ts";
import { afterClosingsSql, closingsSql } from "#features/months/projection-closings.ts";
import { MONTHS } from "#features/months/streams.ts";

/** Every account's balance, including the store's and the world's. */
export const balancesTable = defineTable({
  name: "balances",
  columns: { account: text(), balance_cents: bigint(), position: bigint() },
  keys: ["primary key (account)"],
  indexes: [],
  // Few rows, each updated by nearly every step.
  fillFactor: 30,
});

// Only postings move money, so events of other features count here without being named.
/** Row key: the account. */
export const balancesProjection: Projection = {
  name: "balances",
  version: 1,
  tables: [balancesTable],
  step: [
    // Sums by pair of accounts first: there are few pairs, and each posting is read only once.
    `with pairs as materialized (
      select p.from_account, p.to_account, sum(p.cents) as cents, max(p.position) as position
      from {postings} p
      where p.position > $1::bigint and p.position <= $2::bigint
      group by p.from_account, p.to_account)
    insert into {table:balances} as b (${insertColumns(balancesTable)})
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
    from {postings} p
    cross join lateral (values (p.from_account), (p.to_account)) as a (key)
    where p.position > $1::bigint and p.position <= $2::bigint`,
  forgetKeys: ["delete from {table:balances} where account = any ($1::text[])"],
  // Every event posts to an account of the store or the world, so no streams of their own make up these rows.
  streamsOfKey:
    "case when log.is_consignor_account(key) then array[log.consignor_stream(log.id_of_consignor_account(key))] else '{}' end",
  money: {
    uidsOfKey:
      "case when log.is_consignor_account(key) then array[log.id_of_consignor_account(key)] else '{}' end",
    keyOfRow: { balances: "account" },
    keysOfUid: "array[log.consignor_available_account(uid), log.consignor_payouts_account(uid)]",
    positionsOfKeys:
      "select p.position from {postings} p where p.from_account = any ($1::text[]) or p.to_account = any ($1::text[])",
  },
};

/** One side of the range's postings, as changes of a consignor's two accounts. */
function side(account: "to_account" | "from_account", sign: "" | "-"): string {
  return `
    select log.id_of_consignor_account(p.${account}), p.position, null::bigint,
      case when log.is_consignor_available_account(p.${account}) then ${sign}p.cents else 0 end,
      case when log.is_consignor_payouts_account(p.${account}) then ${sign}p.cents else 0 end
    from {postings} p
    where p.position > $1::bigint and p.position <= $2::bigint
      and log.is_consignor_account(p.${account})`;
}

/** One row for each event and consignor of the range: the line's number, and what it changes. */
const lines = `
  select c.uid, c.position, max(c.line) as line,
    read.total(c.available) as available, read.total(c.in_transit) as in_transit
  from (
    select log.id_of_consignor_stream(s.stream_id) as uid, s.position, s.version as line,
      0::bigint as available, 0::bigint as in_transit
    from {streams} s
    where s.position > $1::bigint and s.position <= $2::bigint and log.is_consignor_stream(s.stream_id)
    union all ${side("to_account", "")}
    union all ${side("from_account", "-")}
  ) c
  where {key:c.uid}
  group by c.uid, c.position`;

/** When the sale was made that the event at this position is about. */
function soldAt(position: string): string {
  return `(
    select e.happened_at
    from {streams} s
    join {streams} f on f.stream_id = s.stream_id and f.version = 1
    cross join lateral (select o.happened_at from {events} o where o.position = f.position offset 0) e
    where s.position = ${position} and log.is_sale_stream(s.stream_id))`;
}

/** Events that begin what they are about: no line before them is of the same sale or trade. */
const BEGINNINGS = "SaleRecorded,CustomSaleRecorded,PayoutRequested,PayoutPaid,PayoutDeleted";

/**
 * The person's first line of the sale or trade that a later line is about; null without one. "offset 0" makes
 * PostgreSQL look lines up by position: it does not know how long the person's own stream is.
 */
const originLine = `
  case when o.type <> all (string_to_array('${BEGINNINGS}', ',')) then (
    select min(c.version)
    from {streams} s
    join {streams} f on f.stream_id = s.stream_id and f.version < s.version
    cross join lateral (select a.* from {streams} a where a.position = f.position offset 0) c
    where s.position = o.position and (log.is_sale_stream(s.stream_id) or log.is_trade_stream(s.stream_id))
      and c.stream_id = log.consignor_stream(o.uid)) end`;

export const accountHistoryTable = defineTable({
  name: "account_history",
  columns: {
    uid: text(),
    line: bigint(),
    position: bigint(),
    available_delta_cents: bigint(),
    available_after_cents: bigint(),
    in_transit_delta_cents: bigint(),
    in_transit_after_cents: bigint(),
    /** The sum of all credits so far. The sum of all debits is this minus the balance. */
    credits_after_cents: bigint(),
    booked_at: timestamptz(),
    /** When it happened; for a corrected sale, when the sale was made. Views by what had happened go by it. */
    effective_at: timestamptz(),
    /** The event's, which decides the line's kind. */
    type: text(),
    /** The first line of the same sale or trade. Null for that line itself, and for lines of neither. */
    origin_line: nullable(bigint()),
  },
  keys: ["primary key (uid, line)"],
  // Refunds and corrections are few: following money reads these and not the whole account.
  indexes: ["(uid, line) where origin_line is not null"],
});

/** Each line's event, looked up by its position: in a small step, a join would compare each line with each event. */
const lookedUp = `
      cross join lateral (
        select e.happened_at, e.type from {events} e
        where e.position = l.position and e.position > $1::bigint and e.position <= $2::bigint offset 0
      ) e`;

/** The same for a rebuild's chunk, which joins them all at once. */
const joined = `
      join {events} e on e.position = l.position and e.position > $1::bigint and e.position <= $2::bigint`;

/**
 * The balance before a consignor's first line of the range is added to that line, so that sums from there on are balances.
 * Each inner "offset 0" keeps the planner's row estimates right: otherwise it treats two ranges of the same positions as
 * independent.
 */
function addLines(eventOfLine: string): string {
  return `with closings as materialized (${closingsSql}), numbered as (
    select l.*, e.happened_at, e.type, ${afterClosingsSql("e.happened_at", "l.position")} as open_at,
      row_number() over (partition by l.uid order by l.line) as nth
    from (${lines} offset 0) l
    ${eventOfLine}
  ), opened as (
    select n.*,
      coalesce(b.available_after_cents, 0) as available_before,
      coalesce(b.in_transit_after_cents, 0) as in_transit_before,
      coalesce(b.credits_after_cents, 0) as credits_before,
      b.booked_at as booked_before
    from numbered n
    left join lateral (
      select b.available_after_cents, b.in_transit_after_cents, b.credits_after_cents, b.booked_at
      from {table:account_history} b
      where n.nth = 1 and b.uid = n.uid and b.line = n.line - 1
      limit 1) b on true
  )
  insert into {table:account_history} (${insertColumns(accountHistoryTable)})
  select o.uid, coalesce(o.line, read.no_line(o.position, o.uid, log.consignor_stream(o.uid))), o.position,
    o.available, read.total(o.available + o.available_before) over lines_so_far,
    o.in_transit, read.total(o.in_transit + o.in_transit_before) over lines_so_far,
    read.total(greatest(o.available, 0) + o.credits_before) over lines_so_far,
    ${bookedAt("o.open_at", "o.booked_before", "lines_so_far")},
    case when o.type = 'SaleCorrected' then ${soldAt("o.position")} else o.happened_at end, o.type,
    ${originLine}
  from opened o
  window lines_so_far as (partition by o.uid order by o.line rows unbounded preceding)`;
}

/**
 * One line for each event of a consignor's stream, numbered by the stream's version, so that a page is a
 * range of numbers, however old its lines are. A row has what depends on earlier lines: the running balances, and
 * the latest time of any line so far. That time decides the statement's month: a late entry belongs to the month
 * that was open when it came, so a past month never changes, and a closed one never gets an entry. It also has what sums over a whole account need, so
 * that they read no events: the type, the effective time, and where the money of a refund came from. What else happened and who did it is in the log. Row
 * key: the consignor's uid.
 */
export const accountHistoryProjection: Projection = {
  name: "account_history",
  version: 4,
  tables: [accountHistoryTable],
  step: [addLines(lookedUp)],
  fill: { step: [addLines(joined)], finish: [] },
  // Those whose accounts are posted to, too: where an event posts without extending their stream, the line has no number,
  // and the step fails until the key is held back.
  keysTouched: `
    select distinct touched.key from (
      select log.id_of_consignor_stream(s.stream_id) as key
      from {streams} s
      where s.position > $1::bigint and s.position <= $2::bigint and log.is_consignor_stream(s.stream_id)
      union all
      select log.id_of_consignor_account(a.name)
      from {postings} p
      cross join lateral (values (p.from_account), (p.to_account)) as a (name)
      where p.position > $1::bigint and p.position <= $2::bigint and log.is_consignor_account(a.name)) touched`,
  forgetKeys: ["delete from {table:account_history} where uid = any ($1::text[])"],
  streamsOfKey: `array[log.consignor_stream(key), '${MONTHS}']`,
  money: {
    uidsOfKey: "array[key]",
    keyOfRow: { account_history: "uid" },
    keysOfUid: "array[uid]",
  },
};
