// How old the first event is that a read table lacks: its lag in seconds.
import type { Sql } from "postgres";
import { numberArray } from "#ledger/log/encode.ts";

/** By position of tables: the age of the next event, in seconds. Positions at the head are missing. */
export async function readLags(
  sql: Sql,
  positions: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await sql<{ position: number; seconds: number }[]>`
    select e.position - 1 as position,
      greatest(0, extract(epoch from clock_timestamp() - e.recorded_at))::float8 as seconds
    from log.events e
    where e.position = any (select p + 1 from unnest(${numberArray([...new Set(positions)])}::bigint[]) as p)`;
  return new Map(rows.map(({ position, seconds }) => [position, seconds]));
}

/** Rounded to milliseconds; 0 at the head. */
export function lagSeconds(lags: ReadonlyMap<number, number>, position: number): number {
  return Math.round((lags.get(position) ?? 0) * 1000) / 1000;
}
