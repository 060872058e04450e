// What screens read of an account: its two balances, its ledger with the running balance, and the balance over time.
import type { Expression, SqlBool } from "kysely";
import { sql } from "kysely";
import { CSV_MAX_LINES, tooManyLines } from "#http/csv.ts";
import { midnight } from "#http/midnight.ts";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import type { BalanceResponse, LedgerLine, LedgerResponse } from "#features/accounts/contract.ts";
import type {
  BalanceSeriesResponse,
  SummaryResponse,
} from "#features/accounts/contract-summary.ts";
import { linesUntil, selectLines, toLines } from "#features/accounts/ledger-lines.ts";
import type { LedgerPeople } from "#features/accounts/ledger-lines.ts";
import { withOutcomes } from "#features/accounts/queries-recent.ts";
import { accountHistoryTable, balancesTable } from "#features/accounts/projection.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { salesTable } from "#features/sales/projection.ts";
import { tradeOffersTable, tradesTable } from "#features/trades/projection.ts";
import type { MonthsState } from "#features/months/streams.ts";
import { beginsOf, monthAfter } from "#features/months/streams.ts";
import { toDollars } from "#ledger/money.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";

const inAccounts = withTables(balancesTable, accountHistoryTable);
const inAll = withTables(
  inventoryItemsTable,
  salesTable,
  payoutsTable,
  tradesTable,
  tradeOffersTable,
);

export type LedgerFilters = {
  /** Event types; all if empty. */
  readonly types: readonly string[];
  readonly from: string | undefined;
  readonly to: string | undefined;
};

const balancesOf = statement(
  (reads, value: ValueOf<{ readonly available: string; readonly payouts: string }>) =>
    inAccounts(reads)
      .selectFrom("read.balances")
      .select(["account", "balance_cents"])
      .where("account", "in", [value("available"), value("payouts")]),
);

/** Both balances of a consignor; zero without any posting. */
export async function readBalance(reads: Reads, uid: string): Promise<BalanceResponse> {
  const available = availableAccount.of(uid);
  const payouts = payoutsAccount.of(uid);
  const rows = await balancesOf(reads, { available, payouts });
  const of = (name: string) =>
    toDollars(rows.find((row) => row.account === name)?.balance_cents ?? 0);
  return { balance: of(available), inTransit: of(payouts) };
}

/** The dashboard's tiles, from the read tables of all features. */
export async function readSummary(reads: Reads, uid: string): Promise<SummaryResponse> {
  const [balances, counts] = await Promise.all([
    readBalance(reads, uid),
    inAll(reads)
      .selectNoFrom((eb) => [
        eb
          .selectFrom("read.inventory_items")
          .select(eb.fn.countAll<number>().as("count"))
          .where("owner_uid", "=", uid)
          .where("quantity", ">", 0)
          .where(sql<SqlBool>`not archived`)
          .as("active_items"),
        eb
          .selectFrom("read.sales")
          .select(eb.fn.countAll<number>().as("count"))
          .where("consignor_id", "=", uid)
          .as("sales"),
        eb
          .selectFrom("read.payouts")
          .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as("paid"))
          .where("consignor_uid", "=", uid)
          .where("status", "=", "paid")
          .as("paid"),
        eb
          .selectFrom("read.trades")
          .select(sql<number>`coalesce(sum(held_cents), 0)::bigint`.as("held"))
          .where("buyer_uid", "=", uid)
          .where("held_cents", ">", sql.lit(0))
          .as("held"),
        eb
          .selectFrom("read.trade_offers as o")
          .innerJoin("read.trades as t", "t.trade_id", "o.trade_id")
          .select(sql<number>`coalesce(sum(o.accepted_units), 0)::bigint`.as("units"))
          .where("o.seller_uid", "=", uid)
          .where("o.accepted_units", ">", sql.lit(0))
          .where("t.fulfilled_at", "is", null)
          .as("units_in_trades"),
      ])
      .executeTakeFirst(),
  ]);
  return {
    available: balances.balance,
    inTransit: balances.inTransit,
    heldForTrades: toDollars(counts?.held ?? 0),
    activeItems: counts?.active_items ?? 0,
    unitsInTrades: counts?.units_in_trades ?? 0,
    salesCount: counts?.sales ?? 0,
    totalPaid: toDollars(counts?.paid ?? 0),
  };
}

/** The conditions of the filters on a line `h`; empty filters cost nothing. */
function conditionsOf(uid: string, { types, from, to }: LedgerFilters): Expression<SqlBool>[] {
  const until = (time: string) =>
    linesUntil(uid, "booked_at", "<", sql`${time}::text::timestamptz`);
  return [
    ...(types.length === 0
      ? []
      : [sql<SqlBool>`h.type = any (string_to_array(${types.join(",")}, ','))`]),
    ...(from === undefined ? [] : [sql<SqlBool>`h.line > ${until(from)}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`h.line <= ${until(to)}`]),
  ];
}

type MonthRow = {
  readonly month: string;
  readonly opening: number;
  readonly closing: number;
  readonly lines: number;
};

/** Opening, closing and number of lines of the page's months, up to `until` and regardless of the other filters. */
async function readMonths(
  reads: Reads,
  uid: string,
  { timeZone, closings }: { readonly timeZone: string; readonly closings: MonthsState },
  months: readonly string[],
  until: string | undefined,
): Promise<LedgerResponse["months"]> {
  if (months.length === 0) {
    return [];
  }
  const days = (of: (month: string) => string) =>
    beginsOf(
      months.map((month) => `${of(month)}-01`),
      timeZone,
      closings,
    );
  const lists = [days((month) => month), days(monthAfter)].flatMap((begins) => [
    begins.map(({ day }) => day).join(","),
    begins.map((begin) => begin.timeZone).join(","),
    // A month whose begin is not fixed has an empty place in the list.
    begins.map(({ fixed }) => fixed ?? "").join(","),
  ]);
  const { rows } = await sql<MonthRow>`
    with asked as (
      select m as month, coalesce(nullif(starts_at, '')::timestamptz, ${midnight(sql.ref("first"), sql.ref("first_zone"))}) as starts,
        least(coalesce(nullif(ends_at, '')::timestamptz, ${midnight(sql.ref("next"), sql.ref("next_zone"))}),
          ${until ?? "infinity"}::text::timestamptz) as ends
      from unnest(${sql.join([months.join(","), ...lists].map((list) => sql`string_to_array(${list}::text, ',')`))})
        as m (m, first, first_zone, starts_at, next, next_zone, ends_at)),
    bounds as materialized (
      select month, ${linesUntil(uid, "booked_at", "<", sql`starts`)} as lines_before,
        ${linesUntil(uid, "booked_at", "<", sql`ends`)} as last_line
      from asked)
    select b.month, b.last_line - b.lines_before as lines, coalesce(o.available_after_cents, 0) as opening,
      coalesce(c.available_after_cents, 0) as closing
    from bounds b
    left join read.account_history o on o.uid = ${uid} and o.line = b.lines_before
    left join read.account_history c on c.uid = ${uid} and c.line = b.last_line
    order by b.month desc`.execute(reads);
  return rows.map(({ month, opening, closing, lines }) => ({
    month,
    opening: toDollars(opening),
    closing: toDollars(closing),
    lines,
  }));
}

/** A page of the ledger, newest first, with the months it touches. */
export async function readLedger(
  { reads, searches }: ReadDeps,
  people: LedgerPeople,
  query: {
    readonly uid: string;
    readonly timeZone: string;
    readonly closings: MonthsState;
    readonly filters: LedgerFilters;
    readonly before: number | undefined;
    readonly limit: number;
    readonly forAdmin: boolean;
  },
): Promise<LedgerResponse> {
  const { uid, timeZone, closings, filters, before, limit, forAdmin } = query;
  const page = selectLines(searches, uid, timeZone, closings)
    .where((eb) => eb.and(conditionsOf(uid, filters)))
    .orderBy("h.line", "desc")
    .limit(limit + 1);
  const [rows, last] = await Promise.all([
    (before === undefined ? page : page.where("h.line", "<", before)).execute(),
    inAccounts(reads)
      .selectFrom("read.account_history")
      .select("line")
      .where("uid", "=", uid)
      .orderBy("line", "desc")
      .limit(1)
      .executeTakeFirst(),
  ]);
  const shown = rows.slice(0, limit);
  const [lines, months] = await Promise.all([
    toLines(people, shown, forAdmin).then((lines) => withOutcomes(reads, lines)),
    readMonths(reads, uid, query, [...new Set(shown.map((row) => row.month))], filters.to),
  ]);
  return {
    lines,
    months,
    lineCount: last?.line ?? 0,
    nextBefore: rows.length > limit ? (shown.at(-1)?.line ?? null) : null,
  };
}

/** Other requests wait while one batch is made, so it takes a few milliseconds. */
const EXPORT_BATCH = 200;

/** All filtered lines, oldest first, in batches. Throws HttpError 400 if there are more than a file may have. */
export async function* exportLedger(
  searches: Reads,
  people: LedgerPeople,
  query: {
    readonly uid: string;
    readonly timeZone: string;
    readonly closings: MonthsState;
    readonly filters: LedgerFilters;
  },
  maxLines = CSV_MAX_LINES,
): AsyncGenerator<LedgerLine[]> {
  const { uid, timeZone, closings, filters } = query;
  const matching = selectLines(searches, uid, timeZone, closings).where((eb) =>
    eb.and(conditionsOf(uid, filters)),
  );
  const found = await searches
    .selectFrom(
      matching
        .clearSelect()
        .select(sql.lit(1).as("one"))
        .limit(maxLines + 1)
        .as("lines"),
    )
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  if ((found?.count ?? 0) > maxLines) {
    throw tooManyLines(maxLines);
  }
  for (let last = 0, more = true; more;) {
    const rows = await matching
      .where("h.line", ">", last)
      .orderBy("h.line")
      .limit(EXPORT_BATCH)
      .execute();
    more = rows.length === EXPORT_BATCH;
    last = rows.at(-1)?.line ?? last;
    // The file does not name actors.
    yield await toLines(people, rows, false);
  }
}

type SeriesRow = {
  readonly at: Date;
  readonly available_after_cents: number;
  readonly in_transit_after_cents: number;
};

/**
 * The balances at the end of each of the last days of the store, and now; days before the first line are left out.
 * A day's point is at noon, so that it is the same day in any reader's time zone.
 */
export async function readBalanceSeries(
  reads: Reads,
  query: { readonly uid: string; readonly timeZone: string; readonly days: number },
  now: Date,
): Promise<BalanceSeriesResponse> {
  const { uid, timeZone, days } = query;
  const { rows } = await sql<SeriesRow>`
    with moments as materialized (
      select at, ${linesUntil(uid, "booked_at", "<", sql`ends`)} as line
      from (
        select case when day = today then ${now}::timestamptz
            else (day + interval '12 hours') at time zone ${timeZone} end as at,
          ${midnight(sql`day + interval '1 day'`, sql`${timeZone}`)} as ends
        from (select date_trunc('day', ${now}::timestamptz at time zone ${timeZone}) as today) t,
          generate_series(today - make_interval(days => ${days - 1}::int), today, interval '1 day') as day) days)
    select m.at, h.available_after_cents, h.in_transit_after_cents
    from moments m join read.account_history h on h.uid = ${uid} and h.line = m.line
    order by m.at`.execute(reads);
  return {
    points: rows.map((row) => ({
      at: row.at.toISOString(),
      balance: toDollars(row.available_after_cents),
      inTransit: toDollars(row.in_transit_after_cents),
    })),
  };
}
