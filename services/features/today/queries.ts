// Counts what waits for an admin. Each number reads only what it counts, through an index on what is open.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { midnight } from "#http/midnight.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement } from "#http/statement.ts";
import { balancesTable } from "#features/accounts/projection.ts";
import { auditEventsTable } from "#features/audit/projection.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { salesTable } from "#features/sales/projection.ts";
import { isOnItsWay, waitsForIntake, waitsForLabel } from "#features/shipments/conditions.ts";
import { shipmentsTable } from "#features/shipments/projection.ts";
import { tradesTable } from "#features/trades/projection.ts";
import { OWN_ENTRY_DAYS, UNSOLD_DAYS } from "#features/today/contract.ts";
import { DAY_MS } from "#ledger/day-text.ts";

/** As the list of items counts. */
const COUNT_CAP = 10_000;

/** The store's day at a moment and the same day last week, as dates and as instants. */
export type StoreDay = {
  readonly day: string;
  readonly lastWeekDay: string;
  readonly from: Date;
  readonly to: Date;
  readonly lastWeekFrom: Date;
  /** The time of day of the moment, a week before. */
  readonly lastWeekNow: Date;
  readonly lastWeekTo: Date;
  /** Where the days of the entries on own accounts begin. */
  readonly entriesFrom: Date;
};

const storeDay = statement(
  (_reads, value: ValueOf<{ readonly now: string; readonly zone: string }>) => {
    const local = sql`(${value("now")}::text::timestamptz at time zone ${value("zone")}::text)`;
    const start = sql`date_trunc('day', ${local})`;
    /** An instant some days after the start of the day. */
    const after = (days: number) =>
      midnight(sql`${start} + ${sql.lit(days)} * interval '1 day'`, sql`${value("zone")}::text`);
    return sql<StoreDay>`
    select to_char(${start}, 'YYYY-MM-DD') as day,
      to_char(${start} - interval '7 days', 'YYYY-MM-DD') as "lastWeekDay",
      ${after(0)} as "from", ${after(1)} as "to",
      ${after(-7)} as "lastWeekFrom", ${after(-6)} as "lastWeekTo",
      ((${local} - interval '7 days') at time zone ${value("zone")}::text) as "lastWeekNow",
      ${after(1 - OWN_ENTRY_DAYS)} as "entriesFrom"`;
  },
);

export async function readStoreDay(reads: Reads, now: Date, zone: string): Promise<StoreDay> {
  const [row] = await storeDay(reads, { now: now.toISOString(), zone });
  if (row === undefined) {
    throw new Error("A select without a table returned no row");
  }
  return row;
}

type Waiting = {
  readonly payouts: number;
  readonly payout_cents: number;
  readonly oldest_payout: Date | null;
  readonly orders: number;
  readonly oldest_order: Date | null;
  readonly reports: number;
  readonly oldest_report: Date | null;
  readonly arrived: number;
  readonly oldest_arrived: Date | null;
  readonly labels: number;
  readonly oldest_label: Date | null;
  readonly expected: number;
  readonly oldest_expected: Date | null;
  readonly debtors: number;
  readonly debt_cents: number;
  readonly has_sales: boolean;
  readonly has_goods: boolean;
  readonly has_consignors: boolean;
};

const waiting = statement(
  () => sql<Waiting>`
    select *
    from (
      select count(*) as payouts, coalesce(sum(amount_cents), 0)::bigint as payout_cents,
        min(requested_at) as oldest_payout
      from ${nameOfTable(payoutsTable)} where status = 'pending') p
    cross join (
      select count(*) as orders, min(status_since) as oldest_order
      from ${nameOfTable(tradesTable)} where status in ('awaiting_shipping', 'shipping_uploaded')) o
    cross join (
      select count(*) as reports, min(reported_at) as oldest_report
      from ${nameOfTable(tradesTable)} where reported_at is not null) r
    cross join (
      select count(*) filter (where ${waitsForIntake}) as arrived,
        min(s.delivered_at) filter (where ${waitsForIntake}) as oldest_arrived,
        count(*) filter (where ${waitsForLabel}) as labels,
        min(s.submitted_at) filter (where ${waitsForLabel}) as oldest_label,
        count(*) filter (where ${isOnItsWay}) as expected,
        min(s.submitted_at) filter (where ${isOnItsWay}) as oldest_expected
      from ${nameOfTable(shipmentsTable)} s
      where not s.deleted and (s.delivered_at is null or s.processed_at is null)) s
    cross join (
      select count(*) as debtors, coalesce(-sum(b.balance_cents), 0)::bigint as debt_cents
      from ${nameOfTable(balancesTable)} b
      join identity.profiles c on log.consignor_available_account(c.uid) = b.account
      where b.balance_cents < 0) d
    cross join (
      select exists (select from ${nameOfTable(salesTable)}) as has_sales,
        exists (select from ${nameOfTable(inventoryItemsTable)}) as has_goods,
        exists (
          select from identity.profiles where role = 'user' and deactivated_at is null
        ) as has_consignors) f`,
);

export async function readWaiting(reads: Reads): Promise<Waiting> {
  const [row] = await waiting(reads, {});
  if (row === undefined) {
    throw new Error("Counts without a group returned no row");
  }
  return row;
}

type StockValues = {
  /** Since when items are unsold, for each of `UNSOLD_DAYS`. */
  readonly [since: `since${number}`]: string;
  readonly cap: number;
};

const [SHORTEST, ...LONGER] = UNSOLD_DAYS;

const stock = statement((_reads, value: ValueOf<StockValues>) => {
  const first = sql`limit ${value("cap")}::bigint + 1`;
  const items = nameOfTable(inventoryItemsTable);
  const since = (days: number) => sql`${value(`since${days}`)}::timestamptz`;
  // As the list of items says it: nothing is sold before it was added, and that has the index.
  const unsoldFor = (days: number) => sql`
    select unsold_since from ${items}
    where not out_of_stock and not archived and added_at <= ${since(days)} and unsold_since <= ${since(days)} ${first}`;
  // What is unsold for longer is among those of the shortest time, unless there were too many to look at.
  const longer = LONGER.map(
    (days) => sql`case when (select count(*) from old) > ${value("cap")}::bigint
      then (select count(*) from (${unsoldFor(days)}) o)
      else (select count(*) from old where unsold_since <= ${since(days)}) end`,
  );
  return sql<{ readonly out: number; readonly unsold: readonly number[] }>`
    with old as materialized (${unsoldFor(SHORTEST)})
    select (
        select count(*) from (select from ${items} where out_of_stock and not archived ${first}) i) as out,
      json_build_array((select count(*) from old), ${sql.join(longer)}) as unsold`;
});

/** Items without stock, and those that do not sell. Planned for its own dates: how many are so old decides the way. */
export async function countStock(searches: Reads, now: Date, cap = COUNT_CAP) {
  const sinces = UNSOLD_DAYS.map((days) => [
    `since${days}` as const,
    new Date(now.getTime() - days * DAY_MS).toISOString(),
  ]);
  const [row] = await stock(searches, { ...Object.fromEntries(sinces), cap });
  const upToCap = (count: number) => ({ count: Math.min(count, cap), capped: count > cap });
  return {
    toCount: upToCap(row?.out ?? 0),
    unsold: UNSOLD_DAYS.map((days, nth) => ({ days, ...upToCap(row?.unsold[nth] ?? 0) })),
  };
}

type SoldRow = {
  readonly today: number;
  readonly today_cents: number;
  readonly by_now: number;
  readonly by_now_cents: number;
  readonly last_week: number;
  readonly last_week_cents: number;
};

type SoldValues = Readonly<
  Record<"from" | "to" | "lastWeekFrom" | "lastWeekNow" | "lastWeekTo", string>
>;

const sold = statement((_reads, value: ValueOf<SoldValues>) => {
  const at = (name: keyof SoldValues) => sql`${value(name)}::timestamptz`;
  const brought = sql`coalesce(sum(coalesce(s.price_cents, 0) - s.refunded_price_cents)`;
  const between = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
    sql`${nameOfTable(salesTable)} s where s.sold_at >= ${from} and s.sold_at < ${to}`;
  const isByNow = sql`filter (where s.sold_at < ${at("lastWeekNow")})`;
  return sql<SoldRow>`
    select *
    from (
      select count(*) as today, ${brought}, 0)::bigint as today_cents
      from ${between(at("from"), at("to"))}) t
    cross join (
      select count(*) as last_week, ${brought}, 0)::bigint as last_week_cents,
        count(*) ${isByNow} as by_now, ${brought} ${isByNow}, 0)::bigint as by_now_cents
      from ${between(at("lastWeekFrom"), at("lastWeekTo"))}) w`;
});

export async function readSold(reads: Reads, day: StoreDay): Promise<SoldRow> {
  const [row] = await sold(reads, {
    from: day.from.toISOString(),
    to: day.to.toISOString(),
    lastWeekFrom: day.lastWeekFrom.toISOString(),
    lastWeekNow: day.lastWeekNow.toISOString(),
    lastWeekTo: day.lastWeekTo.toISOString(),
  });
  if (row === undefined) {
    throw new Error("Sums without a group returned no row");
  }
  return row;
}

const ownEntries = statement(
  (_reads, value: ValueOf<{ readonly after: number }>) => sql<{
    readonly count: number;
    readonly first: number | null;
  }>`
    select count(*) as count, min(a.position) as first
    from ${nameOfTable(auditEventsTable)} a
    where a.own_entry and a.position > ${value("after")}::bigint`,
);

/** Entries of admins on their own accounts after a position. */
export async function readOwnEntries(reads: Reads, after: number) {
  const [row] = await ownEntries(reads, { after });
  return { count: row?.count ?? 0, fromPosition: row?.first ?? null };
}

/** The last proof of everything. */
export async function readLastProof(
  reads: Reads,
): Promise<{ readonly at: string; readonly position: number; readonly findings: number } | null> {
  const { rows } = await sql<{
    readonly proved_at: Date | null;
    readonly position: number | null;
    readonly findings: number | null;
  }>`select proved_at, position, findings from read.proof`.execute(reads);
  const [row] = rows;
  return row === undefined || row.proved_at === null
    ? null
    : {
        at: row.proved_at.toISOString(),
        position: row.position ?? 0,
        findings: row.findings ?? 0,
      };
}
