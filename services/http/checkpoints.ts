// How far the log is and how far each live read table has followed it: one query, whoever asks.
import type { Sql } from "#db/connect.ts";

export type Checkpoints = {
  /** The log's last position; 0 when it is empty. */
  readonly head: number;
  /** The position that each projection's live tables have reached. */
  readonly positions: ReadonlyMap<string, number>;
};

export type ReadCheckpoints = () => Promise<Checkpoints>;

/** Reads the checkpoints in one snapshot. */
export function checkpointsIn(sql: Sql): ReadCheckpoints {
  return async () => {
    const rows = await sql<{ head: number; name: string | null; position: number | null }[]>`
      select head.position as head, p.name, p.position
      from (select coalesce(max(position), 0) as position from log.events) as head
      left join read.projections p on p.state = 'live'`;
    const positions = new Map<string, number>();
    for (const { name, position } of rows) {
      if (name !== null && position !== null) {
        positions.set(name, position);
      }
    }
    return { head: rows[0]?.head ?? 0, positions };
  };
}
