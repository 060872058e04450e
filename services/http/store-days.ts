// When days of the store begin: at midnight of a time zone, or at an instant that a closed month fixed.
import { sql } from "kysely";
import { midnight } from "#http/midnight.ts";
import type { Reads } from "#http/reads.ts";
import { DAY_MS } from "#ledger/day-text.ts";

export type DayBegin = {
  /** "2026-11-30" */
  readonly day: string;
  readonly timeZone: string;
  /** ISO 8601, where a closing fixed it; null for midnight. */
  readonly fixed: string | null;
};

/** Whole months in a row whose days are of one time zone. */
export type ZoneSpan = {
  readonly timeZone: string;
  /** ISO 8601, where closings fixed its begin and end; null if it has none. */
  readonly from: string | null;
  readonly to: string | null;
  /** "2026-10"; null where `from` and `to` are. */
  readonly firstMonth: string | null;
  readonly lastMonth: string | null;
};

/** All time as days of one time zone. */
export function onlyZone(timeZone: string): readonly ZoneSpan[] {
  return [{ timeZone, from: null, to: null, firstMonth: null, lastMonth: null }];
}

/** The last day that is written with four digits of a year. */
const LAST_DAY = "9999-12-31";

/** The day after. After the last possible day it is that day again. */
export function dayAfter(day: string): string {
  return day >= LAST_DAY
    ? LAST_DAY
    : new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}

/** The midnights that a database was asked for, by time zone and day. */
type Midnights = { readonly askedAt: number; readonly known: Map<string, number> };

/** By their time zone's name, so a change of the store's zone asks for others. */
const midnightsOf = new WeakMap<Reads, Midnights>();
/** After this, PostgreSQL is asked again: a newer one may know other rules of a time zone. */
const KEPT_MS = 3_600_000;
const MOST_KEPT = 5_000;

function knownTo(reads: Reads): Map<string, number> {
  const found = midnightsOf.get(reads);
  const now = performance.now();
  if (found !== undefined && now - found.askedAt < KEPT_MS && found.known.size < MOST_KEPT) {
    return found.known;
  }
  const known = new Map<string, number>();
  midnightsOf.set(reads, { askedAt: now, known });
  return known;
}

/** When each day's midnight is, by PostgreSQL's rules of its time zone, as in statements that count days. */
async function readMidnights(reads: Reads, days: readonly DayBegin[]): Promise<readonly number[]> {
  const known = knownTo(reads);
  const names = days.map(({ day, timeZone }) => `${day} ${timeZone}`);
  const begins = names.map((name) => known.get(name));
  if (begins.every((at) => at !== undefined)) {
    return begins;
  }
  const listed = (of: (one: DayBegin) => string) => days.map(of).join(",");
  const { rows } = await sql<{ readonly at: Date }>`
    select ${midnight(sql.ref("day"), sql.ref("zone"))} as at
    from unnest(string_to_array(${listed(({ day }) => day)}, ','),
      string_to_array(${listed(({ timeZone }) => timeZone)}, ',')) with ordinality as days (day, zone, nth)
    order by nth`.execute(reads);
  return rows.map(({ at }, index) => {
    known.set(names[index] ?? "", at.getTime());
    return at.getTime();
  });
}

/** When consecutive days begin. After a change of the time zone, a day may end before a fixed month begins. */
export async function readDayBegins(
  reads: Reads,
  days: readonly DayBegin[],
): Promise<readonly Date[]> {
  const midnights = await readMidnights(reads, days);
  const begins = midnights.map((at, index) => {
    const fixed = days[index]?.fixed ?? null;
    return fixed === null ? at : Date.parse(fixed);
  });
  return begins.map((_begin, index) => new Date(Math.max(...begins.slice(0, index + 1))));
}

/** What says when days of the store begin. */
export type Calendar = {
  readonly reads: Reads;
  readonly store: {
    readonly dayBegins: (days: readonly string[]) => Promise<readonly DayBegin[]>;
  };
};

/** When one day of the store begins. */
export async function beginOfDay({ reads, store }: Calendar, day: string): Promise<Date> {
  const [begin] = await readDayBegins(reads, await store.dayBegins([day]));
  if (begin === undefined) {
    throw new Error(`The store did not say when ${day} begins`);
  }
  return begin;
}
