// Reads the position of the log and of each live read table in one query.
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "#db/connect.ts";
import type { Standby } from "#db/standby.ts";
import { whyRepeat } from "#http/read-source.ts";

export type Checkpoints = {
  /** The log's last position; 0 when it is empty. */
  readonly head: number;
  /** The position that each projection's live tables have reached. */
  readonly positions: ReadonlyMap<string, number>;
  /** How many row keys each projection's live tables hold back; those without held keys are left out. */
  readonly held: ReadonlyMap<string, number>;
};

export type ReadCheckpoints = () => Promise<Checkpoints>;

type Row = {
  readonly head: number;
  readonly positions: Readonly<Record<string, number>>;
  readonly held: Readonly<Record<string, number>>;
};

/** Reads the checkpoints in one snapshot, as one row: most reads wait for this. */
export function checkpointsIn(sql: Sql): ReadCheckpoints {
  return async () => {
    const [row] = await sql<Row[]>`
      select (select coalesce(max(position), 0) from log.events) as head,
        (select coalesce(json_object_agg(p.name, p.position), '{}')
         from read.projections p where p.state = 'live') as positions,
        (select coalesce(json_object_agg(h.projection, h.keys), '{}')
         from (
           select q.projection, count(*) as keys
           from read.quarantine q
           join read.projections p
             on p.name = q.projection and p.generation = q.generation and p.state = 'live'
           group by q.projection) h) as held`;
    return {
      head: row?.head ?? 0,
      positions: new Map(Object.entries(row?.positions ?? {})),
      held: new Map(Object.entries(row?.held ?? {})),
    };
  };
}

/**
 * The standby's own checkpoints; null while it must not be read from or does not answer in time, because reads that
 * do not need it wait for the same check.
 */
export function checkpointsOf(
  standby: Standby,
  patienceMs: number,
): () => Promise<Checkpoints | null> {
  return async () => {
    const pool = standby.pool();
    if (pool === null) {
      return null;
    }
    const answered = new AbortController();
    const looked = checkpointsIn(pool)().catch((error: unknown) => {
      if (whyRepeat(error) !== "conflict") {
        standby.noteLost(error);
      }
      return null;
    });
    const late = delay(patienceMs, null, { signal: answered.signal });
    const checkpoints = await Promise.race([looked, late.catch(() => null)]);
    answered.abort();
    return checkpoints;
  };
}
