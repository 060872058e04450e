// The condition of the store's time zone in `/readyz`: whether Node.js and PostgreSQL have the same rules for it.
import type { Sql } from "#db/connect.ts";
import type { ReadinessCheck } from "#http/readiness.ts";
import { codeOf } from "#ledger/log/failure.ts";
import { NO_SUCH_ZONE } from "#http/known-time-zones.ts";
import { aheadOfUtc } from "#http/time-zones.ts";
import { DAY_MS } from "#ledger/day-text.ts";

const DAYS_BACK = 31;
const DAYS_AHEAD = 400;
/** After this they are compared again: PostgreSQL may have been updated, or the store's time zone changed. */
const KEPT_MS = 3_600_000;

/** An instant, and how far PostgreSQL says that a zone's clocks are ahead of UTC then. In milliseconds. */
type Reading = { readonly instantMs: number; readonly aheadMs: number };

/** A reading for each day from a month ago to a year ahead. */
async function readDays(sql: Sql, timeZone: string, now: Date): Promise<readonly Reading[]> {
  const first = Math.floor(now.getTime() / DAY_MS - DAYS_BACK) * DAY_MS + DAY_MS / 2;
  return sql<Reading[]>`
    select (extract(epoch from at) * 1000)::bigint as "instantMs",
      (extract(epoch from at at time zone ${timeZone} - at at time zone 'UTC') * 1000)::bigint as "aheadMs"
    from generate_series(0, ${DAYS_BACK + DAYS_AHEAD}::integer) as days (day)
    cross join lateral (
      select to_timestamp(${first / 1000}::float8) + day * interval '24 hours' as at) instants
    order by day`;
}

/** The first day, as "2026-11-01", on which Node.js says something else; null if there is none. */
export function firstDifference(timeZone: string, days: readonly Reading[]): string | null {
  const ahead = aheadOfUtc(timeZone);
  const found = days.find(({ instantMs, aheadMs }) => ahead(instantMs) !== aheadMs);
  return found === undefined ? null : new Date(found.instantMs).toISOString().slice(0, 10);
}

/** How the two differ, in a sentence; null if they do not. */
async function describeDifference(sql: Sql, timeZone: string, now: Date): Promise<string | null> {
  try {
    const day = firstDifference(timeZone, await readDays(sql, timeZone, now));
    return day === null
      ? null
      : `Node.js and PostgreSQL have different rules for ${timeZone} from about ${day} on: ` +
          "times in files and on receipts may be an hour away from the store's days. Update the older of the two";
  } catch (error) {
    if (codeOf(error) === NO_SUCH_ZONE) {
      return `PostgreSQL does not know the time zone ${timeZone}: everything that uses the store's days fails. Update PostgreSQL, or choose another name of the zone in Settings`;
    }
    throw error;
  }
}

/**
 * A warning, never a failure: each of them brings its own list of when clocks change. Days of the store follow
 * PostgreSQL's; times on receipts, in files and of imported dates follow that of Node.js.
 */
export function timeZoneCheck(
  sql: Sql,
  readTimeZone: () => Promise<string>,
  clock: () => Date,
): ReadinessCheck {
  let kept: { readonly until: number; readonly fault: string | null } = { until: 0, fault: null };
  return {
    name: "time zone",
    look: async () => {
      const now = clock();
      if (kept.until <= now.getTime()) {
        const fault = await describeDifference(sql, await readTimeZone(), now);
        kept = { until: now.getTime() + KEPT_MS, fault };
      }
      return kept.fault === null
        ? { state: "ok", message: "Node.js and PostgreSQL have the same rules" }
        : { state: "warning", message: kept.fault };
    },
  };
}
