// The sample store's visits of the last 14 days: sums by day, which is what is kept of real ones. They are not events.
import { DAY_MS, dayIn } from "#ledger/day-text.ts";
import type { Sql } from "#db/connect.ts";

/** Visitors of each day, the oldest first; the last is today. */
const visitors = [14, 11, 9, 17, 22, 26, 19, 15, 13, 12, 21, 28, 34, 9];
const VIEWS_EACH = 4;

/** What part of the views each screen has, in hundredths. */
const shares = [
  ["/", 38],
  ["/login", 21],
  ["/dashboard", 19],
  ["/marketplace", 12],
  ["/sales-history", 7],
  ["/user-shipments", 3],
] as const;

/** Adds them to a store that has counted no visit yet. */
export async function addSampleVisits(sql: Sql, now: Date, timeZone: string): Promise<void> {
  const days = visitors.map((count, index) => ({
    day: dayIn(new Date(now.getTime() - (visitors.length - 1 - index) * DAY_MS), timeZone),
    views: count * VIEWS_EACH + (index % 3),
    visitors: count,
    first_visits: Math.round(count * 0.6),
  }));
  const paths = days.flatMap(({ day, views }) =>
    shares.map(([path, share]) => ({ day, path, views: Math.ceil((views * share) / 100) })),
  );
  await sql.begin(async (transaction) => {
    const added = await transaction`
      insert into visits.days (day, views, visitors, first_visits)
      select day::date, views, visitors, first_visits
      from jsonb_to_recordset(${transaction.json(days)}) as d (day text, views int, visitors int, first_visits int)
      where not exists (select from visits.days)
      on conflict do nothing`;
    if (added.count > 0) {
      await transaction`
        insert into visits.paths (day, path, views)
        select day::date, path, views
        from jsonb_to_recordset(${transaction.json(paths)}) as p (day text, path text, views int)
        on conflict do nothing`;
    }
  });
}
