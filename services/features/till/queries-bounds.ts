// When a day of the till begins and ends, and which day it is now: counted days keep the bounds of their count.
import { DAY_MS, dayIn } from "#ledger/day-text.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { Calendar } from "#http/store-days.ts";
import { dayAfter, readDayBegins } from "#http/store-days.ts";
import { tillClosingsTable } from "#features/till/projection.ts";

const inClosings = withTables(tillClosingsTable);

export type DayBounds = { readonly from: Date; readonly to: Date };
export type CountedDay = DayBounds & { readonly day: string };

/** No two time zones are further apart than this. */
const NEAR_MS = 2 * DAY_MS;

/** The counted days whose bounds may touch this day's in any time zone, oldest first. */
async function readCountedNear(reads: Reads, day: string): Promise<CountedDay[]> {
  const shifted = (byMs: number) =>
    new Date(Date.parse(`${day}T00:00:00Z`) + byMs).toISOString().slice(0, 10);
  const rows = await inClosings(reads)
    .selectFrom("read.till_closings")
    .distinctOn("day")
    .select(["day", "begins_at", "ends_at"])
    .where("day", ">=", shifted(-NEAR_MS))
    .where("day", "<=", shifted(NEAR_MS))
    .orderBy("day")
    .orderBy("position", "desc")
    .execute();
  return rows.map(({ day: counted, begins_at: from, ends_at: to }) => ({ day: counted, from, to }));
}

/** Days of closed months keep the midnights of their time zone, as in all other lists. */
export async function readBounds({ reads, store }: Calendar, day: string): Promise<DayBounds> {
  const [midnights, counted] = await Promise.all([
    store.dayBegins([day, dayAfter(day)]).then((days) => readDayBegins(reads, days)),
    readCountedNear(reads, day),
  ]);
  const [from, to] = midnights;
  if (from === undefined || to === undefined) {
    throw new Error("PostgreSQL returned no row for the bounds of a day");
  }
  return boundsOf(day, { from, to }, counted);
}

/** The store's day that an instant is in. */
export async function readToday(reads: Reads, at: Date, timeZone: string): Promise<string> {
  const day = dayIn(at, timeZone);
  return dayAt(at, day, await readCountedNear(reads, day));
}

/**
 * A counted day keeps its bounds, the day after it begins where it ended, the day before it ends where it began, and
 * all others begin at the store's midnight, as far as counted days leave room. So no two days overlap. `counted`
 * is oldest first.
 */
export function boundsOf(
  day: string,
  midnights: DayBounds,
  counted: readonly CountedDay[],
): DayBounds {
  const own = counted.find((one) => one.day === day);
  const before = counted.findLast((one) => one.day < day);
  const after = counted.find((one) => one.day > day);
  const untilAfter = (at: Date) => (after !== undefined && after.from < at ? after.from : at);
  const notBefore = (least: Date | undefined, at: Date) =>
    least !== undefined && least > at ? least : at;
  const isAfterCounted = before !== undefined && dayAfter(before.day) === day;
  const isBeforeCounted = after !== undefined && after.day === dayAfter(day);
  const from = own?.from ?? (isAfterCounted ? before.to : untilAfter(midnights.from));
  const to = own?.to ?? (isBeforeCounted ? after.from : untilAfter(midnights.to));
  // Also mends days that overlap in older counts: counted again, the later one begins where the earlier one ended.
  const begin = notBefore(before?.to, from);
  return { from: begin, to: notBefore(begin, to) };
}

/** `day` is the day by the store's present time zone, `counted` the counted days around it, oldest first. */
export function dayAt(at: Date, day: string, counted: readonly CountedDay[]): string {
  const own = counted.find(({ from, to }) => from <= at && at < to);
  if (own !== undefined) {
    return own.day;
  }
  const last = counted.findLast(({ to }) => to <= at);
  return last !== undefined && day <= last.day ? dayAfter(last.day) : day;
}
