// Counts visits: in memory first, then with one statement for all that came meanwhile, so that a burst costs the database little.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import { isWithinMemory, OTHER_PATH } from "#features/visits/visit.ts";

export type VisitCounter = {
  readonly count: (visit: { readonly sessionId: string; readonly path: string }) => void;
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
/** More sessions than this in a second are no visitors. */
const MOST_SESSIONS = 5_000;
/** More addresses than this in a day are no screens. */
const MOST_PATHS = 200;

type Counted = {
  readonly sessions: Map<string, { views: number; lastSeenAt: Date }>;
  readonly paths: Map<string, number>;
};

const nothing = (): Counted => ({ sessions: new Map(), paths: new Map() });

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
    if (isResting || writing !== undefined || counted.sessions.size === 0) {
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
      const session = counted.sessions.get(sessionId) ?? { views: 0, lastSeenAt: deps.clock() };
      if (session.views === 0 && counted.sessions.size >= MOST_SESSIONS) {
        return;
      }
      session.views += 1;
      session.lastSeenAt = deps.clock();
      counted.sessions.set(sessionId, session);
      counted.paths.set(path, (counted.paths.get(path) ?? 0) + 1);
      writeSoon();
    },
    async written() {
      await writing;
      if (counted.sessions.size > 0) {
        writing = write();
        await writing;
      }
    },
  };
}

async function writeVisits(
  { sql, clock, timeZone }: VisitCounterDeps,
  { sessions, paths }: Counted,
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
      )
      insert into visits.days as d (day, views, visitors, first_visits)
      select seen.day, sum(seen.views), count(*) filter (where is_new),
        count(*) filter (where is_new and is_within_memory and known.session_id is null)
      from seen join written using (session_id) left join known using (session_id)
      group by seen.day order by seen.day
      on conflict (day) do update set
        views = d.views + excluded.views,
        visitors = d.visitors + excluded.visitors,
        first_visits = d.first_visits + excluded.first_visits`;
    await transaction`
      with today as (select (${now}::timestamptz at time zone ${zone})::date as day),
      seen as (
        select case
          when (select count(*) from visits.paths p join today using (day)) < ${MOST_PATHS}
            or exists (select from visits.paths p join today using (day) where p.path = s.path)
          then s.path else ${OTHER_PATH} end as path, s.views
        from unnest(${[...paths.keys()].slice(0, MOST_PATHS)}::text[],
          ${[...paths.values()].slice(0, MOST_PATHS)}::int[]) as s (path, views)
      )
      insert into visits.paths as v (day, path, views)
      select day, path, sum(seen.views) from seen, today group by day, path order by path
      on conflict (day, path) do update set views = v.views + excluded.views`;
  });
}
