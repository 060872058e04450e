// Shown tables that a store has never had before: workers fill them while it is open.
import type { Sql } from "postgres";

export type FirstFill = {
  readonly projection: string;
  readonly position: number;
  /** The position to reach. */
  readonly head: number;
};

/** A table that lacks an event from before it was first shown has never been at the head. */
export async function readFirstFills(sql: Sql): Promise<readonly FirstFill[]> {
  return sql<FirstFill[]>`
    select p.name as projection, p.position,
      (select coalesce(max(position), 0) from log.events) as head
    from read.projections p join log.events e on e.position = p.position + 1
    where p.state = 'live' and e.recorded_at < p.flipped_at
    order by p.name limit 1000`;
}
