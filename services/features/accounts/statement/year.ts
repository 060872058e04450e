// A consignor's yearly statement: sales, share and payouts by month, with the balances at the year's begin and end.
import { sql } from "kysely";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { readDayBegins } from "#http/store-days.ts";
import { dayIn } from "#ledger/day-text.ts";
import type { Cents } from "#ledger/money.ts";
import { toDollars } from "#ledger/money.ts";
import type { YearsResponse, YearStatement } from "#features/accounts/contract-year.ts";
import type { LedgerPeople } from "#features/accounts/ledger-lines.ts";
import { accountHistoryTable } from "#features/accounts/projection.ts";
import { readFrame } from "#features/accounts/statement/statement.ts";
import type { MonthsState } from "#features/months/streams.ts";
import { beginsOf, monthAfter, monthAt, zoneAt, zonesOf } from "#features/months/streams.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { reportSumsTable } from "#features/reports/projection-sums.ts";

type Owed = {
  readonly availableCents: Cents;
  readonly pendingCents: Cents;
  readonly heldCents: Cents;
};

/** What a yearly statement says of a part of the year. */
type Part = {
  readonly sales: number;
  readonly consigned: {
    readonly soldCents: Cents;
    readonly refundedCents: Cents;
    readonly correctedCents: Cents;
  };
  readonly consignorCents: Cents;
  readonly tradedCents: Cents;
  readonly commissionCents: Cents;
  readonly tradeFeeCents: Cents;
  readonly adjustedCents: Cents;
  readonly takenOverCents: Cents;
  readonly paidCents: Cents;
  readonly returnedCents: Cents;
  readonly opening: Owed;
  readonly closing: Owed;
};

/** The reports' totals of one consignor's lines between times, by what was recorded up to a position. */
export type ReadOwnParts = (
  searches: Reads,
  bounds: readonly Date[],
  scope: { readonly kind: "consignor"; readonly uid: string },
  position?: number | null,
) => Promise<readonly Part[]>;

export type YearDeps = ReadDeps & LedgerPeople & { readonly readOwnParts: ReadOwnParts };

export type YearQuery = {
  readonly uid: string;
  readonly year: number;
  readonly storeName: string;
  readonly timeZone: string;
  /** As they were at the position. */
  readonly closings: MonthsState;
  readonly position: number;
  readonly issuedAt: string;
};

const owedOf = (owed: Owed): Cents => owed.availableCents + owed.pendingCents + owed.heldCents;

const centsOf = (part: Part) => ({
  sold: part.consigned.soldCents,
  refunded: part.consigned.refundedCents,
  corrected: part.consigned.correctedCents,
  share: part.consignorCents,
  paid: part.paidCents - part.returnedCents,
  other:
    part.tradedCents -
    part.commissionCents -
    part.tradeFeeCents +
    part.adjustedCents +
    part.takenOverCents,
});

type Summed = ReturnType<typeof centsOf>;

function figuresOf(sales: number, cents: Summed, owed: Cents): YearStatement["total"] {
  return {
    sales,
    sold: toDollars(cents.sold),
    refunded: toDollars(cents.refunded),
    corrected: toDollars(cents.corrected),
    share: toDollars(cents.share),
    paid: toDollars(cents.paid),
    other: toDollars(cents.other),
    owed: toDollars(owed),
  };
}

function totalOf(parts: readonly Part[], owed: Cents): YearStatement["total"] {
  const sum = (of: (part: Part) => number) => parts.reduce((total, part) => total + of(part), 0);
  return figuresOf(
    sum(({ sales }) => sales),
    {
      sold: sum((part) => centsOf(part).sold),
      refunded: sum((part) => centsOf(part).refunded),
      corrected: sum((part) => centsOf(part).corrected),
      share: sum((part) => centsOf(part).share),
      paid: sum((part) => centsOf(part).paid),
      other: sum((part) => centsOf(part).other),
    },
    owed,
  );
}

/** The year's months that have begun when the statement is issued: all twelve of a past year. */
function monthsSoFar(year: number, timeZone: string, issuedAt: string): readonly string[] {
  const present = dayIn(new Date(issuedAt), timeZone).slice(0, 7);
  return Array.from(
    { length: 12 },
    (_, index) => `${year}-${String(index + 1).padStart(2, "0")}`,
  ).filter((month) => month <= present);
}

/** As everything was recorded up to a position, so that the same statement can be made again. */
export async function readYear(deps: YearDeps, query: YearQuery): Promise<YearStatement> {
  const { uid, year, timeZone, position } = query;
  const months = monthsSoFar(year, timeZone, query.issuedAt);
  const days = [...months, monthAfter(months.at(-1) ?? `${year}-12`)].map((month) => `${month}-01`);
  const bounds = await readDayBegins(deps.reads, beginsOf(days, timeZone, query.closings));
  const [from, to] = [`${year}-01-01`, `${year}-12-31`];
  const [{ linesBefore: _before, lastLine: _last, closings: _closings, ...frame }, parts, payouts] =
    await Promise.all([
      readFrame(deps.reads, deps, { ...query, from, to, maxLines: Number.MAX_SAFE_INTEGER }),
      deps.readOwnParts(deps.searches, bounds, { kind: "consignor", uid }, position),
      readPayouts(deps.reads, query, bounds),
    ]);
  const [first, last] = [parts[0], parts.at(-1)];
  const owed = last === undefined ? 0 : owedOf(last.closing);
  return {
    ...frame,
    year,
    opening: { ...frame.opening, heldForTrades: toDollars(first?.opening.heldCents ?? 0) },
    closing: { ...frame.closing, heldForTrades: toDollars(last?.closing.heldCents ?? 0) },
    months: parts.map((part, index) => ({
      month: months[index] ?? "",
      ...figuresOf(part.sales, centsOf(part), owedOf(part.closing)),
    })),
    total: totalOf(parts, owed),
    payouts,
  };
}

async function readPayouts(
  reads: Reads,
  { uid, year, timeZone, closings, position }: YearQuery,
  bounds: readonly Date[],
): Promise<YearStatement["payouts"]> {
  const zones = zonesOf({ from: `${year}-01-01`, to: `${year}-12-31` }, timeZone, closings);
  // A payout that came back later was paid all the same: both are lines of their own.
  const { rows } = await sql<{
    readonly payout_id: string;
    readonly kind: "paid" | "returned";
    readonly paid_at: Date;
    readonly method: "cashapp" | "venmo";
    readonly cents: number;
  }>`
    select p.payout_id, f.kind, f.paid_at, p.method, f.sign * p.amount_cents as cents
    from ${nameOfTable(payoutsTable)} p
    cross join lateral (values ('paid', p.settled_at, p.settled_position, 1),
      ('returned', p.returned_at, p.returned_position, -1)) as f (kind, paid_at, position, sign)
    where p.consignor_uid = ${uid} and p.status in ('paid', 'returned') and f.position <= ${position}::bigint
      and f.paid_at >= ${bounds[0]} and f.paid_at < ${bounds.at(-1)}
    order by f.paid_at, f.position`.execute(reads);
  return rows.map((row) => ({
    payoutID: row.payout_id,
    kind: row.kind,
    paidAt: row.paid_at.toISOString(),
    day: dayIn(row.paid_at, zoneAt(monthAt(row.paid_at, timeZone, closings), zones)),
    method: row.method,
    amount: toDollars(row.cents),
  }));
}

/** The years from the account's first entry to the present one, the newest first. */
export async function readYears(
  { reads, searches, readOwnParts }: Pick<YearDeps, "reads" | "searches" | "readOwnParts">,
  uid: string,
  { timeZone, closings }: { readonly timeZone: string; readonly closings: MonthsState },
  now: Date,
): Promise<YearsResponse["years"]> {
  const yearOf = (at: Date) => Number(monthAt(at, timeZone, closings).slice(0, 4));
  const { rows } = await sql<{ readonly booked_at: Date }>`
    select booked_at from ${nameOfTable(accountHistoryTable)}
    where uid = ${uid} and line = 1`.execute(reads);
  const [line] = rows;
  if (line === undefined) {
    return [];
  }
  const [first, last] = [yearOf(line.booked_at), yearOf(now)];
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const days = [...years, last + 1].map((year) => `${year}-01-01`);
  const bounds = await readDayBegins(reads, beginsOf(days, timeZone, closings));
  const parts = await readOwnParts(searches, bounds, { kind: "consignor", uid });
  return years
    .map((year, index) => {
      const part = parts[index];
      const { sold, share, paid } =
        part === undefined ? { sold: 0, share: 0, paid: 0 } : centsOf(part);
      return { year, sold: toDollars(sold), share: toDollars(share), paid: toDollars(paid) };
    })
    .reverse();
}

/** Everybody with entries in a year. */
export async function readPeopleOfYear(
  reads: Reads,
  year: number,
  { timeZone, closings }: Pick<YearQuery, "timeZone" | "closings">,
): Promise<readonly string[]> {
  const days = [`${year}-01-01`, `${year + 1}-01-01`];
  const bounds = await readDayBegins(reads, beginsOf(days, timeZone, closings));
  // Sums are by months of UTC, so those around the year's begin and end may belong to the years before and after it.
  const { rows } = await sql<{ readonly uid: string }>`
    select distinct s.uid from ${nameOfTable(reportSumsTable)} s
    where s.span = 'month' and s.since >= date_trunc('month', ${bounds[0]}::timestamptz, 'UTC')
      and s.since < ${bounds.at(-1)}::timestamptz and s.uid not in ('', '*')
      and exists (
        select from ${nameOfTable(accountHistoryTable)} h
        where h.uid = s.uid and h.booked_at >= ${bounds[0]} and h.booked_at < ${bounds.at(-1)})
    order by s.uid`.execute(reads);
  return rows.map(({ uid }) => uid);
}
