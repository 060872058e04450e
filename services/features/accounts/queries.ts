// What screens read of an account: its two balances, its ledger with the running balance, and its course over time.
import type { Sql } from "#db/connect.ts";
import { CSV_MAX_LINES, tooManyLines } from "#http/csv.ts";
import type {
  BalanceResponse,
  BalanceSeriesResponse,
  LedgerLine,
  LedgerResponse,
  SummaryResponse,
} from "#features/accounts/contract.ts";
import { LINE_COLUMNS, linesUntil, toLines } from "#features/accounts/ledger-lines.ts";
import type { LedgerPeople, LineRow } from "#features/accounts/ledger-lines.ts";
import { toDollars } from "#ledger/money.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";

export type LedgerFilters = {
  /** Event types; all when empty. */
  readonly types: readonly string[];
  readonly from: string | undefined;
  readonly to: string | undefined;
};

/** Both balances of a consignor; zero for somebody without any posting. */
export async function readBalance(sql: Sql, uid: string): Promise<BalanceResponse> {
  const rows = await sql<{ account: string; balance_cents: number }[]>`
    select account, balance_cents from read.balances
    where account in (${availableAccount.of(uid)}, ${payoutsAccount.of(uid)})`;
  const of = (name: string) =>
    toDollars(rows.find((row) => row.account === name)?.balance_cents ?? 0);
  return { balance: of(availableAccount.of(uid)), inTransit: of(payoutsAccount.of(uid)) };
}

/** The dashboard's tiles, from the read tables of all features at one position. */
export async function readSummary(sql: Sql, uid: string): Promise<SummaryResponse> {
  const [balances, [counts]] = await Promise.all([
    readBalance(sql, uid),
    sql<{ active_items: number; sales: number; paid: number }[]>`
      select
        (select count(*) from read.inventory_items
          where owner_uid = ${uid} and quantity > 0 and not archived) as active_items,
        (select count(*) from read.sales where consignor_id = ${uid}) as sales,
        (select coalesce(sum(amount_cents), 0)::bigint from read.payouts
          where consignor_uid = ${uid} and status = 'paid') as paid`,
  ]);
  return {
    available: balances.balance,
    inTransit: balances.inTransit,
    activeItems: counts?.active_items ?? 0,
    salesCount: counts?.sales ?? 0,
    totalPaid: toDollars(counts?.paid ?? 0),
  };
}

/** The condition of the filters, with parameters from $3 on; empty filters cost nothing. */
function conditions(filters: LedgerFilters): { sql: string; parameters: string[] } {
  const parts: string[] = [];
  const parameters: string[] = [];
  const add = (condition: (name: string) => string, value: string) => {
    parameters.push(value);
    parts.push(condition(`$${parameters.length + 2}`));
  };
  if (filters.types.length > 0) {
    add((name) => `e.type = any (string_to_array(${name}, ','))`, filters.types.join(","));
  }
  if (filters.from !== undefined) {
    add(
      (name) => `h.line > ${linesUntil("$1", "booked_at", "<", `${name}::timestamptz`)}`,
      filters.from,
    );
  }
  if (filters.to !== undefined) {
    add(
      (name) => `h.line <= ${linesUntil("$1", "booked_at", "<", `${name}::timestamptz`)}`,
      filters.to,
    );
  }
  return { sql: parts.map((part) => ` and ${part}`).join(""), parameters };
}

type MonthRow = {
  readonly month: string;
  readonly opening: number;
  readonly closing: number;
  readonly lines: number;
};

/** Opening, closing and number of lines of the months that the page shows, up to `until` and whatever the other filters. */
async function readMonths(
  sql: Sql,
  uid: string,
  timeZone: string,
  months: readonly string[],
  until: string | undefined,
): Promise<LedgerResponse["months"]> {
  if (months.length === 0) {
    return [];
  }
  const rows = await sql.unsafe<MonthRow[]>(
    `with asked as (
      select m as month, (m || '-01')::timestamp at time zone $2 as starts,
        least(((m || '-01')::timestamp + interval '1 month') at time zone $2, $4::text::timestamptz) as ends
      from unnest(string_to_array($3, ',')) as m),
    bounds as materialized (
      select month, ${linesUntil("$1", "booked_at", "<", "starts")} as lines_before,
        ${linesUntil("$1", "booked_at", "<", "ends")} as last_line
      from asked)
    select b.month, b.last_line - b.lines_before as lines, coalesce(o.available_after_cents, 0) as opening,
      coalesce(c.available_after_cents, 0) as closing
    from bounds b
    left join read.account_history o on o.uid = $1 and o.line = b.lines_before
    left join read.account_history c on c.uid = $1 and c.line = b.last_line
    order by b.month desc`,
    [uid, timeZone, months.join(","), until ?? "infinity"],
    { prepare: true },
  );
  return rows.map(({ month, opening, closing, lines }) => ({
    month,
    opening: toDollars(opening),
    closing: toDollars(closing),
    lines,
  }));
}

/** A page of the ledger, newest first, with the months it touches. */
export async function readLedger(
  sql: Sql,
  people: LedgerPeople,
  wish: {
    readonly uid: string;
    readonly timeZone: string;
    readonly filters: LedgerFilters;
    readonly before: number | undefined;
    readonly limit: number;
  },
): Promise<LedgerResponse> {
  const { sql: filter, parameters } = conditions(wish.filters);
  const before = wish.before === undefined ? "" : ` and h.line < ${wish.before}`;
  const [rows, [last]] = await Promise.all([
    sql.unsafe<LineRow[]>(
      `select ${LINE_COLUMNS} from read.account_history h join log.events e on e.position = h.position
       where h.uid = $1${before}${filter} order by h.line desc limit ${wish.limit + 1}`,
      [wish.uid, wish.timeZone, ...parameters],
    ),
    sql<{ line: number }[]>`
      select line from read.account_history where uid = ${wish.uid} order by line desc limit 1`,
  ]);
  const shown = rows.slice(0, wish.limit);
  const [lines, months] = await Promise.all([
    toLines(people, shown),
    readMonths(
      sql,
      wish.uid,
      wish.timeZone,
      [...new Set(shown.map((row) => row.month))],
      wish.filters.to,
    ),
  ]);
  return {
    lines,
    months,
    lineCount: last?.line ?? 0,
    nextBefore: rows.length > wish.limit ? (shown.at(-1)?.line ?? null) : null,
  };
}

/** Some 15 ms of work: requests that come in meanwhile wait no longer. */
const EXPORT_BATCH = 500;

/** Everything the filters leave, oldest first, some at a time. Throws HttpError 400 for more than a file has. */
export async function* exportLedger(
  sql: Sql,
  people: LedgerPeople,
  wish: { readonly uid: string; readonly timeZone: string; readonly filters: LedgerFilters },
  maxLines = CSV_MAX_LINES,
): AsyncGenerator<LedgerLine[]> {
  const { sql: filter, parameters } = conditions(wish.filters);
  const matching = `from read.account_history h join log.events e on e.position = h.position
     where h.uid = $1 and $2::text is not null${filter}`;
  const [found] = await sql.unsafe<{ count: number }[]>(
    `select count(*)::int as count from (select 1 ${matching} limit ${maxLines + 1}) lines`,
    [wish.uid, wish.timeZone, ...parameters],
  );
  if ((found?.count ?? 0) > maxLines) {
    throw tooManyLines(maxLines);
  }
  for (let last = 0, more = true; more;) {
    const rows = await sql.unsafe<LineRow[]>(
      `select ${LINE_COLUMNS} ${matching} and h.line > ${last} order by h.line limit ${EXPORT_BATCH}`,
      [wish.uid, wish.timeZone, ...parameters],
    );
    more = rows.length === EXPORT_BATCH;
    last = rows.at(-1)?.line ?? last;
    yield await toLines(people, rows);
  }
}

/**
 * The balances at the end of each of the last days of the store, and now; days before the first line are left out.
 * A day's point stands at its noon, so that it is the same day wherever it is read.
 */
export async function readBalanceSeries(
  sql: Sql,
  wish: { readonly uid: string; readonly timeZone: string; readonly days: number },
  now: Date,
): Promise<BalanceSeriesResponse> {
  const rows = await sql.unsafe<
    { at: Date; available_after_cents: number; in_transit_after_cents: number }[]
  >(
    `with moments as materialized (
      select at, ${linesUntil("$1", "booked_at", "<", "ends")} as line
      from (
        select case when day = today then $2::timestamptz
            else (day + interval '12 hours') at time zone $4 end as at,
          (day + interval '1 day') at time zone $4 as ends
        from (select date_trunc('day', $2::timestamptz at time zone $4) as today) t,
          generate_series(today - make_interval(days => $3::int), today, interval '1 day') as day) days)
    select m.at, h.available_after_cents, h.in_transit_after_cents
    from moments m join read.account_history h on h.uid = $1 and h.line = m.line
    order by m.at`,
    [wish.uid, now, wish.days - 1, wish.timeZone],
    { prepare: true },
  );
  return {
    points: rows.map((row) => ({
      at: row.at.toISOString(),
      balance: toDollars(row.available_after_cents),
      inTransit: toDollars(row.in_transit_after_cents),
    })),
  };
}
