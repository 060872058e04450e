// Shown tables that lack events: late ones, and those that a store has never had before, which workers fill while it is open.
import type { Sql } from "postgres";
import type { KnownHead } from "#ledger/projection/newer-events.ts";
import { knownThrough } from "#ledger/projection/newer-events.ts";

export type LateTables = {
  readonly projection: string;
  readonly position: number;
  /** The position to reach. */
  readonly head: number;
  /** The age of the first event that they lack, in whole seconds. */
  readonly seconds: number;
  /** They lack an event from before they were first shown, so they have never been at the head. */
  readonly isFirstFill: boolean;
};

export type FirstFill = Pick<LateTables, "projection" | "position" | "head">;

/** By name; a table that is read in the moment before its step is among them. */
export async function readLateTables(sql: Sql): Promise<readonly LateTables[]> {
  return sql<LateTables[]>`
    select p.name as projection, p.position,
      (select coalesce(max(position), 0) from log.events) as head,
      floor(extract(epoch from clock_timestamp() - e.recorded_at))::integer as seconds,
      coalesce(e.recorded_at < p.flipped_at, false) as "isFirstFill"
    from read.projections p join log.events e on e.position = p.position + 1
    where p.state = 'live'
    order by p.name limit 1000`;
}

export async function readFirstFills(sql: Sql): Promise<readonly FirstFill[]> {
  return (await readLateTables(sql)).filter(({ isFirstFill }) => isFirstFill);
}

/** Whether this program could feed them further: not while they are filled for the first time, or wait for a newer one. */
export function couldGoOn(
  { position, isFirstFill }: Pick<LateTables, "position" | "isFirstFill">,
  known: Pick<KnownHead, "head" | "newer">,
): boolean {
  return !isFirstFill && position < knownThrough(known);
}
