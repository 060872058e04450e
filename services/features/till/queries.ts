// The reads of the till's days: the payments of one day as the ledger has them now, and the counted days.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable, withTables } from "#http/reads.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import { toDollars } from "#ledger/money.ts";
import type { RowOf } from "#ledger/projection/columns.ts";
import { saleRefundsTable, salesTable } from "#features/sales/projection.ts";
import type {
  TillClosing,
  TillDayResponse,
  TillDaysResponse,
  TillPaymentView,
} from "#features/till/contract.ts";
import type { TillPayment } from "#features/till/events.ts";
import { tillClosingsTable } from "#features/till/projection.ts";
import type { DayBounds } from "#features/till/queries-bounds.ts";
import { boundsOf } from "#features/till/queries-bounds.ts";
import { paidIn } from "#features/till/queries-paid.ts";
import { readSince } from "#features/till/queries-since.ts";

const inClosings = withTables(tillClosingsTable);

const instant = (text: string) => sql`${text}::text::timestamptz`;

export type DayPayments = {
  /** The position up to which the tables had the log when they were read. */
  readonly throughPosition: number;
  /** Cash, card and other always; null only where there is some. */
  readonly payments: readonly TillPayment[];
};

/** Of the till's sales and refunds, and of all others that say how they were paid. One statement, so that all of it is from one moment. */
export async function readPayments(reads: Reads, { from, to }: DayBounds): Promise<DayPayments> {
  const [starts, ends] = [from.toISOString(), to.toISOString()];
  const { rows } = await sql<{ readonly through: number; readonly payments: TillPayment[] }>`
    with paid as (${paidIn(instant(starts), instant(ends))}),
    totals as (
      select t.tender, coalesce(sum(p.sold), 0)::bigint as sold, coalesce(sum(p.refunded), 0)::bigint as refunded
      from (values (1, 'cash'), (2, 'card'), (3, 'other'), (4, null)) t (place, tender)
      left join paid p on p.tender is not distinct from t.tender
      group by t.place, t.tender
      having t.tender is not null or count(p.sold) > 0
      order by t.place)
    select (select position from read.projections where name = 'sales' and state = 'live') as through,
      (select jsonb_agg(jsonb_build_object('tender', tender, 'soldCents', sold, 'refundedCents', refunded))
        from totals) as payments`.execute(reads);
  const [row] = rows;
  if (row === undefined) {
    throw new Error("PostgreSQL returned no row for the payments of a day");
  }
  return { throughPosition: row.through, payments: row.payments };
}

/** What happened on the day and is not in `readPayments`. */
export async function readElsewhere(
  reads: Reads,
  { from, to }: DayBounds,
): Promise<TillDayResponse["elsewhere"]> {
  const [starts, ends] = [from.toISOString(), to.toISOString()];
  const { rows } = await sql<{
    readonly sales: number;
    readonly sold: number;
    readonly back: number;
  }>`
    select s.sales, s.sold, r.back
    from (
      select count(*)::bigint as sales, coalesce(sum(price_cents + sales_tax_cents), 0)::bigint as sold
      from ${nameOfTable(salesTable)}
      where sold_at >= ${starts}::text::timestamptz and sold_at < ${ends}::text::timestamptz
        and price_cents is not null and channel is distinct from 'pos' and tender is null) s,
      (select coalesce(sum(r.price_cents + r.tax_cents), 0)::bigint as back
      from ${nameOfTable(saleRefundsTable)} r
      join ${nameOfTable(salesTable)} s on s.sale_id = r.sale_id
      where r.refunded_at >= ${starts}::text::timestamptz and r.refunded_at < ${ends}::text::timestamptz
        and s.channel is distinct from 'pos' and r.tender is null) r`.execute(reads);
  const [row] = rows;
  return {
    sales: row?.sales ?? 0,
    soldAmount: toDollars(row?.sold ?? 0),
    refundedAmount: toDollars(row?.back ?? 0),
  };
}

/** What the last counted day before this one left in the drawer; null if there is none. */
export async function readLeftBefore(reads: Reads, day: string): Promise<number | null> {
  const last = await inClosings(reads)
    .selectFrom("read.till_closings")
    .select("left_cents")
    .where("day", "<", day)
    .orderBy("day", "desc")
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return last === undefined ? null : toDollars(last.left_cents);
}

export type Words = { readonly profiles: Profiles; readonly notes: Notes };

/** The position of the count of this day that counts; undefined while there is none. */
export async function findCount(reads: Reads, day: string): Promise<number | undefined> {
  const row = await inClosings(reads)
    .selectFrom("read.till_closings")
    .select("position")
    .where("day", "=", day)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.position;
}

/** All counts of this day, the newest first. */
export async function readClosings(
  reads: Reads,
  words: Words,
  day: string,
): Promise<TillClosing[]> {
  const rows = await closingRows(reads)
    .where("c.day", "=", day)
    .orderBy("c.position", "desc")
    .execute();
  return viewsOf(reads, words, rows);
}

/** What the counted day before leaves now, and what it had left when the row's count was made. */
function closingRows(reads: Reads) {
  return inClosings(reads)
    .selectFrom("read.till_closings as c")
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("read.till_closings as b")
          .select(["b.day", "b.left_cents", "b.ends_at"])
          .whereRef("b.day", "<", "c.day")
          .orderBy("b.day", "desc")
          .orderBy("b.position", "desc")
          .limit(1)
          .as("now"),
      (on) => on.onTrue(),
    )
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("read.till_closings as b")
          .select("b.left_cents")
          .whereRef("b.day", "<", "c.day")
          .whereRef("b.position", "<", "c.position")
          .orderBy("b.day", "desc")
          .orderBy("b.position", "desc")
          .limit(1)
          .as("then"),
      (on) => on.onTrue(),
    )
    .selectAll("c")
    .select([
      "now.day as before_day",
      "now.ends_at as before_ends_at",
      "now.left_cents as left_now_cents",
      "then.left_cents as left_then_cents",
    ]);
}

/** The counts of the newest counted days, whole days only. */
export async function listClosings(
  reads: Reads,
  words: Words,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<TillDaysResponse> {
  const days = await inClosings(reads)
    .selectFrom("read.till_closings")
    .select("day")
    .distinct()
    .where("day", "<", before ?? "9999")
    .orderBy("day", "desc")
    .limit(limit + 1)
    .execute();
  const shown = days.slice(0, limit).map(({ day }) => day);
  const last = shown.at(-1);
  if (last === undefined) {
    return { closings: [], nextBefore: null };
  }
  const rows = await closingRows(reads)
    .where("c.day", ">=", last)
    .where("c.day", "<", before ?? "9999")
    .orderBy("c.day", "desc")
    .orderBy("c.position", "desc")
    .execute();
  return {
    closings: await viewsOf(reads, words, rows),
    nextBefore: days.length > shown.length ? last : null,
  };
}

type ClosingRow = RowOf<typeof tillClosingsTable> & {
  readonly before_day: string | null;
  readonly before_ends_at: Date | null;
  readonly left_now_cents: number | null;
  readonly left_then_cents: number | null;
};

/** The newest count of a day comes first, and replaces those below it. */
function isReplaced(rows: readonly ClosingRow[], index: number): boolean {
  return rows[index - 1]?.day === rows[index]?.day;
}

/** A count with the bounds of its day. */
function countedOf({ day, begins_at, ends_at, before_day, before_ends_at, payments }: ClosingRow) {
  const own = { day, from: begins_at, to: ends_at };
  const before =
    before_day === null || before_ends_at === null
      ? []
      : [{ day: before_day, from: before_ends_at, to: before_ends_at }];
  return { day, ...boundsOf(day, own, [...before, own]), payments };
}

async function viewsOf(
  reads: Reads,
  { profiles, notes }: Words,
  rows: readonly ClosingRow[],
): Promise<TillClosing[]> {
  const counting = rows.filter((_, index) => !isReplaced(rows, index));
  const [since, names, texts] = await Promise.all([
    readSince(reads, counting.map(countedOf)),
    profiles.displayNames(new Set(rows.map(({ closed_by: uid }) => uid))),
    notes.findMany(rows.flatMap(({ note_id: id }) => id ?? [])),
  ]);
  return rows.map((row, index) => ({
    position: row.position,
    day: row.day,
    payments: row.payments.map(paymentView),
    openingAmount: toDollars(row.opening_cents),
    paidInAmount: toDollars(row.paid_in_cents),
    paidOutAmount: toDollars(row.paid_out_cents),
    expectedAmount: toDollars(row.expected_cents),
    countedAmount: toDollars(row.counted_cents),
    differenceAmount: toDollars(row.counted_cents - row.expected_cents),
    leftAmount: toDollars(row.left_cents),
    note: texts.get(row.note_id ?? "") ?? null,
    closedAt: row.closed_at.toISOString(),
    closedBy: { uid: row.closed_by, displayName: names.get(row.closed_by) ?? row.closed_by },
    isReplaced: isReplaced(rows, index),
    newOpening: isReplaced(rows, index) ? null : newOpeningOf(row),
    since: isReplaced(rows, index) ? [] : (since.get(row.day) ?? []),
  }));
}

/** Somebody may have begun with another amount on purpose, so only a later change of the day before counts. */
function newOpeningOf(row: ClosingRow): TillClosing["newOpening"] {
  const { before_day: day, left_now_cents: now, left_then_cents: then } = row;
  return day === null || now === null || now === then || now === row.opening_cents
    ? null
    : { day, amount: toDollars(now) };
}

export function paymentView({ tender, soldCents, refundedCents }: TillPayment): TillPaymentView {
  return { tender, soldAmount: toDollars(soldCents), refundedAmount: toDollars(refundedCents) };
}
