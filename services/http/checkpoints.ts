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
  readonly name: string | null;
  readonly position: number | null;
  readonly held: number;
};

/** Reads the checkpoints in one snapshot. */
export function checkpointsIn(sql: Sql): ReadCheckpoints {
  return async () => {
    const rows = await sql<Row[]>`
      select head.position as head, p.name, p.position,
        (select count(*) from read.quarantine q
         where q.projection = p.name and q.generation = p.generation) as held
      from (select coalesce(max(position), 0) as position from log.events) as head
      left join read.projections p on p.state = 'live'`;
    const positions = new Map<string, number>();
    const held = new Map<string, number>();
    for (const row of rows) {
      if (row.name !== null && row.position !== null) {
        positions.set(row.name, row.position);
        if (row.held > 0) {
          held.set(row.name, row.held);
        }
      }
    }
    return { head: rows[0]?.head ?? 0, positions, held };
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
