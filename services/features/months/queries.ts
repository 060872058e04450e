// The reads of the store's months: their bounds, their totals, and what was dated into closed ones afterwards.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { TransactionSql } from "postgres";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { HttpError } from "#http/errors.ts";
import { readDayBegins } from "#http/store-days.ts";
import type { Profiles } from "#identity/profiles.ts";
import { spelledOut } from "#ledger/explain.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";
import type { LateBy, LateEntry, MonthView } from "#features/months/contract-months.ts";
import type { MonthsState } from "#features/months/streams.ts";
import { beginsOf, monthAfter, monthAt, monthName, MONTHS } from "#features/months/streams.ts";
import type { MonthTotals } from "#features/reports/contract-month.ts";
import { reportUnpricedTable } from "#features/reports/projection.ts";
import { reportLinesTable } from "#features/reports/projection-lines.ts";

const lines = nameOfTable(reportLinesTable);

/** When consecutive months begin, and when the last one ends: see `beginsOf`. */
export async function readBegins(
  reads: Reads,
  { first, count }: { readonly first: string; readonly count: number },
  timeZone: string,
  state: MonthsState,
): Promise<readonly Date[]> {
  const months = [first];
  while (months.length <= count) {
    months.push(monthAfter(months.at(-1) ?? first));
  }
  const days = months.map((month) => `${month}-01`);
  return readDayBegins(reads, beginsOf(days, timeZone, state));
}

/** The reports' totals of the store's lines between two times, by what was recorded up to a position; null is all. */
export type ReadParts = (
  searches: Reads,
  bounds: readonly Date[],
  scope: { readonly kind: "store" },
  position?: number | null,
) => Promise<readonly MonthTotals[]>;

/** The totals of a month by what was recorded up to a position. */
export async function readTotals(
  { searches, readParts }: Pick<Parts, "searches" | "readParts">,
  bounds: readonly Date[],
  position: number,
): Promise<MonthTotals> {
  const [totals] = await readParts(searches, bounds, { kind: "store" }, position);
  if (totals === undefined) {
    throw new Error("A month without totals");
  }
  return totals;
}

/** Throws HttpError 409 `month_changed` if something was booked in a month after an admin looked at it. */
export async function refuseIfBookedSince(
  reads: Reads,
  month: string,
  [from, to]: readonly Date[],
  seenPosition: number,
): Promise<void> {
  const { rows } = await sql`
    select from ${lines} l
    where l.position > ${seenPosition}::bigint and l.booked_at >= ${from} and l.booked_at < ${to}
    limit 1`.execute(reads);
  if (rows.length > 0) {
    throw monthChanged(month);
  }
}

function monthChanged(month: string): HttpError {
  return new HttpError(
    409,
    "month_changed",
    `Something was recorded into ${monthName(month)} just now. Check its totals and close it again`,
  );
}

/**
 * Runs in the transaction that closes a month, which holds the log's lock: nothing may have been dated into the month
 * between the position that its totals were read at and the closing.
 */
export async function refuseGap(
  transaction: TransactionSql,
  { month, to, throughPosition }: { month: string; to: string; throughPosition: number },
): Promise<void> {
  const between = await transaction`
    select from log.events
    where position > ${throughPosition} and happened_at < ${to} and position < (
      select max(position) from log.event_streams where stream_id = ${MONTHS})
    limit 1`;
  if (between.length > 0) {
    throw monthChanged(month);
  }
}

export type Parts = ReadDeps & {
  readonly readEvent: ReadEvent;
  readonly profiles: Profiles;
  readonly readParts: ReadParts;
};

/** By whom, when and where in the log each month was closed, and its totals as they were then. */
async function readClosings(
  parts: Parts,
  month: string,
): Promise<ReadonlyMap<string, MonthView["closed"] & object>> {
  const rows = await parts.reads
    .selectFrom("log.event_streams as s")
    .innerJoin("log.events as e", "e.position", "s.position")
    .select(["e.position", "e.type", "e.schema_version", "e.data", "e.actor", "e.recorded_at"])
    .where("s.stream_id", "=", MONTHS)
    .orderBy("s.version")
    .execute();
  const names = await parts.profiles.displayNames(new Set(rows.map(({ actor }) => actor)));
  return new Map(
    rows.flatMap((row) => {
      const fields = fieldsOf(parts.readEvent(row));
      const name = String(fields["month"]);
      return name < month
        ? []
        : [
            [
              name,
              {
                position: row.position,
                at: row.recorded_at.toISOString(),
                by: { uid: row.actor, displayName: names.get(row.actor) ?? row.actor },
                timeZone: String(fields["timeZone"]),
                totals: fields["totals"] as MonthTotals,
              },
            ] as const,
          ];
    }),
  );
}

const columnOf: Readonly<Record<LateBy, RawBuilder<Date>>> = {
  dated: sql<Date>`l.late_from`,
  booked: sql<Date>`l.booked_at`,
};

/** Sales without a price are not lines. A late one is booked at the end of a closed month. */
function lateUnpriced({ closed }: MonthsState): RawBuilder<unknown> {
  const ends = closed.map(({ to }) => to).join(",");
  return sql`
    select u.position, e.type, e.happened_at as late_from, u.booked_at
    from ${nameOfTable(reportUnpricedTable)} u join log.events e on e.position = u.position
    where u.booked_at = any (string_to_array(${ends}, ',')::timestamptz[]) and u.booked_at > e.happened_at`;
}

/** How many late entries were dated into each of these periods, and how many are booked in it. */
async function countLate(
  reads: Reads,
  bounds: readonly Date[],
  by: LateBy,
  state: MonthsState,
): Promise<ReadonlyMap<number, number>> {
  const instants = bounds.map((at) => at.toISOString());
  const at = columnOf[by];
  const { rows } = await sql<{ readonly nth: number; readonly count: number }>`
    select width_bucket(${at}, string_to_array(${instants.join(",")}, ',')::timestamptz[]) as nth,
      count(distinct l.position) as count
    from (
      select position, late_from, booked_at from ${lines} where late_from is not null
      union all
      select position, late_from, booked_at from (${lateUnpriced(state)}) unpriced) l
    where ${at} >= ${instants[0]}::text::timestamptz
      and ${at} < ${instants.at(-1)}::text::timestamptz
    group by 1`.execute(reads);
  return new Map(rows.map(({ nth, count }) => [nth - 1, count]));
}

export type Shown = { readonly first: string; readonly count: number; readonly present: string };

/** Months in a row with their totals: the closed ones as they were closed, the others as they are now. */
export async function readMonthViews(
  parts: Parts,
  { first, count, present }: Shown,
  timeZone: string,
  state: MonthsState,
): Promise<MonthView[]> {
  const begins = await readBegins(parts.reads, { first, count }, timeZone, state);
  const [totals, closings, late, booked] = await Promise.all([
    parts.readParts(parts.searches, begins, { kind: "store" }),
    readClosings(parts, first),
    countLate(parts.reads, begins, "dated", state),
    countLate(parts.reads, begins, "booked", state),
  ]);
  const [firstClosed, lastClosed] = [state.closed[0], state.closed.at(-1)];
  let month = first;
  return totals.map((live, index): MonthView => {
    const own = month;
    month = monthAfter(own);
    const closed = closings.get(own) ?? null;
    const isNext =
      own < present && (lastClosed === undefined || own === monthAfter(lastClosed.month));
    return {
      month: own,
      from: begins[index]?.toISOString() ?? "",
      to: begins[index + 1]?.toISOString() ?? "",
      status:
        closed !== null
          ? "closed"
          : firstClosed !== undefined && own < firstClosed.month
            ? "before"
            : own === present
              ? "present"
              : "open",
      canClose: closed === null && isNext,
      closed,
      totals: closed?.totals ?? live,
      lateEntries: late.get(index) ?? 0,
      lateBooked: booked.get(index) ?? 0,
    };
  });
}

/** The month of the store's first line; null without one. */
export async function readFirstMonth(
  reads: Reads,
  timeZone: string,
  state: MonthsState,
): Promise<string | null> {
  const { rows } = await sql<{ readonly booked_at: Date }>`
    select booked_at from ${lines} order by booked_at, position limit 1`.execute(reads);
  const [row] = rows;
  return row === undefined ? null : monthAt(row.booked_at, timeZone, state);
}

const MOST_LATE = 200;

/** Entries dated into a period after it was closed, or booked in it and dated into closed ones. The newest first. */
export async function readLateEntries(
  parts: Parts,
  [from, to]: readonly Date[],
  by: LateBy,
  state: MonthsState,
): Promise<LateEntry[]> {
  const { rows } = await sql<{
    readonly position: number;
    readonly uid: string;
    readonly type: string;
    readonly sale: string | null;
    readonly price: number;
    readonly owed: number;
    readonly remitted: number;
    readonly without_price: boolean;
    readonly late_from: Date;
    readonly booked_at: Date;
    readonly recorded_at: Date;
  }>`
    select l.position, l.uid, l.type, l.price, l.owed, l.remitted, l.without_price, l.late_from, l.booked_at, e.recorded_at,
      (select log.id_of_sale_stream(s.stream_id) from log.event_streams s
        where s.position = l.position and log.is_sale_stream(s.stream_id) limit 1) as sale
    from (
      select position, uid, type, price_cents as price, available_cents + pending_cents + held_cents as owed,
        remitted_cents as remitted, false as without_price, late_from, booked_at
      from ${lines} where late_from is not null
      union all
      select position, ''::text, type, 0::bigint, 0::bigint, 0::bigint, true, late_from, booked_at
      from (${lateUnpriced(state)}) unpriced) l
    join log.events e on e.position = l.position
    where ${columnOf[by]} >= ${from} and ${columnOf[by]} < ${to}
    order by l.position desc, l.uid limit ${MOST_LATE}`.execute(parts.reads);
  const names = await parts.profiles.displayNames(
    new Set(rows.map(({ uid }) => uid).filter((uid) => uid !== "")),
  );
  return rows.map((row) => ({
    position: row.position,
    what: spelledOut(row.type),
    saleID: row.sale,
    consignor: row.uid === "" ? null : { uid: row.uid, displayName: names.get(row.uid) ?? row.uid },
    salePrice: toDollars(row.price),
    consignorAmount: toDollars(row.owed),
    remitted: toDollars(row.remitted),
    withoutPrice: row.without_price,
    happenedAt: row.late_from.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
    bookedAt: row.booked_at.toISOString(),
  }));
}
