// Counts visits in memory first, then writes all of them in one statement, so that a burst costs the database little.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import { isWithinMemory } from "#features/visits/visit.ts";

export type VisitCounter = {
  /** Without a session, the visit is only added to the day's views. The path is one of a few: see `patternOf`. */
  readonly count: (visit: { readonly sessionId: string | null; readonly path: string }) => void;
  /** Resolves when everything counted so far is in the database, or could not be written. */
  readonly written: () => Promise<void>;
};

export type VisitCounterDeps = {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly timeZone: () => Promise<string>;
  readonly logger: Pick<Logger, "warn">;
};

/** At most one statement in this time. */
const REST_MS = 1_000;
type Counted = {
  readonly sessions: Map<string, { readonly views: number; readonly lastSeenAt: Date }>;
  readonly paths: Map<string, number>;
  /** Of no session. */
  otherViews: number;
};

const nothing = (): Counted => ({ sessions: new Map(), paths: new Map(), otherViews: 0 });

/** The first visit is written at once, later ones together. What cannot be written is lost, and logged. */
export function createVisitCounter(deps: VisitCounterDeps): VisitCounter {
  let counted = nothing();
  let writing: Promise<void> | undefined;
  let isResting = false;

  async function write(): Promise<void> {
    const batch = counted;
    counted = nothing();
    try {
      await writeVisits(deps, batch);
    } catch (error) {
      deps.logger.warn({ err: error, lost: batch.sessions.size }, "visits could not be counted");
    }
    writing = undefined;
    writeSoon();
  }

  function writeSoon(): void {
    if (isResting || writing !== undefined || counted.paths.size === 0) {
      return;
    }
    writing = write();
    isResting = true;
    setTimeout(() => {
      isResting = false;
      writeSoon();
    }, REST_MS).unref();
  }

  return {
    count({ sessionId, path }) {
      if (sessionId === null) {
        counted.otherViews += 1;
      } else {
        const views = (counted.sessions.get(sessionId)?.views ?? 0) + 1;
        counted.sessions.set(sessionId, { views, lastSeenAt: deps.clock() });
      }
      counted.paths.set(path, (counted.paths.get(path) ?? 0) + 1);
      writeSoon();
    },
    async written() {
      await writing;
      if (counted.paths.size > 0) {
        writing = write();
        await writing;
      }
    },
  };
}

async function writeVisits(
  { sql, clock, timeZone }: VisitCounterDeps,
  { sessions, paths, otherViews }: Counted,
): Promise<void> {
  const now = clock();
  const zone = await timeZone();
  const rows = [...sessions].map(([id, { views, lastSeenAt }]) => ({ id, views, lastSeenAt }));
  await sql.begin(async (transaction) => {
    // A session that was here before is known by a row of the last 90 days; an older one was counted then.
    await transaction`
      with seen as (
        select session_id, (last_seen_at at time zone ${zone})::date as day, views, last_seen_at,
          within_memory = 1 as is_within_memory
        from unnest(
          ${rows.map(({ id }) => id)}::text[],
          ${rows.map(({ views }) => views)}::int[],
          ${rows.map(({ lastSeenAt }) => lastSeenAt.toISOString())}::timestamptz[],
          ${rows.map(({ id }) => (isWithinMemory(id, now) ? 1 : 0))}::int[]
        ) as s (session_id, views, last_seen_at, within_memory)
      ), known as (
        select distinct session_id from visits.sessions join seen using (session_id)
      ), written as (
        insert into visits.sessions as s (session_id, day, views, last_seen_at)
        select session_id, day, views, last_seen_at from seen order by session_id
        on conflict (session_id, day) do update set
          views = s.views + excluded.views,
          last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at)
        returning session_id, xmax = 0 as is_new
      ), counted as (
        select seen.day, seen.views, is_new::int as visitors,
          (is_new and is_within_memory and known.session_id is null)::int as first_visits
        from seen join written using (session_id) left join known using (session_id)
        union all
        select (${now}::timestamptz at time zone ${zone})::date, ${otherViews}::int, 0, 0
      )
      insert into visits.days as d (day, views, visitors, first_visits)
      select day, sum(views), sum(visitors), sum(first_visits)
      from counted where views > 0 group by day order by day
      on conflict (day) do update set
        views = d.views + excluded.views,
        visitors = d.visitors + excluded.visitors,
        first_visits = d.first_visits + excluded.first_visits`;
    await transaction`
      insert into visits.paths as v (day, path, views)
      select (${now}::timestamptz at time zone ${zone})::date, path, views
      from unnest(${[...paths.keys()]}::text[], ${[...paths.values()]}::int[]) as s (path, views)
      order by path
      on conflict (day, path) do update set views = v.views + excluded.views`;
  });
}
