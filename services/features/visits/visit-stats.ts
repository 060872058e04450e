// Reads the numbers of visits. Today's and the totals come from the sums of the days, which are few rows.
import type { Sql } from "#db/connect.ts";
import type { StatsResponse } from "#features/visits/contract.ts";

const ACTIVE_MS = 300_000;
const SHOWN_DAYS = 14;
const SHOWN_PATHS = 8;

export async function readVisitStats(
  sql: Sql,
  now: Date,
  timeZone: string,
): Promise<StatsResponse> {
  const [days, paths, [sums]] = await Promise.all([
    sql<{ day: string; visitors: number; views: number }[]>`
      select to_char(shown.day, 'YYYY-MM-DD') as day,
        coalesce(d.visitors, 0)::float8 as visitors, coalesce(d.views, 0)::float8 as views
      from (select (${now}::timestamptz at time zone ${timeZone})::date - back as day
        from generate_series(0, ${SHOWN_DAYS - 1}::int) as back) as shown
      left join visits.days d using (day) order by shown.day`,
    sql<{ path: string; views: number }[]>`
      select path, sum(views)::float8 as views from visits.paths
      where day > (${now}::timestamptz at time zone ${timeZone})::date - ${SHOWN_DAYS}::int
      group by path order by sum(views) desc, path limit ${SHOWN_PATHS}`,
    sql<{ active: number; visitors: number; views: number }[]>`
      select
        (select count(distinct session_id) from visits.sessions
          where last_seen_at > ${new Date(now.getTime() - ACTIVE_MS)} and last_seen_at <= ${now})::int as active,
        (select coalesce(sum(first_visits), 0) from visits.days)::float8 as visitors,
        (select coalesce(sum(views), 0) from visits.days)::float8 as views`,
  ]);
  const today = days.at(-1);
  return {
    activeNow: sums?.active ?? 0,
    todayVisitors: today?.visitors ?? 0,
    todayViews: today?.views ?? 0,
    totalVisitors: sums?.visitors ?? 0,
    totalViews: sums?.views ?? 0,
    days: [...days],
    paths: [...paths],
  };
}
