// The row keys that are held back: which ones, since which event, and why.
import type { Sql, TransactionSql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import type { GenerationState } from "#ledger/projection/generation.ts";

/** A row key that could not be folded and is held back, and why. */
export type HeldKey = {
  readonly projection: string;
  readonly generation: number;
  readonly version: number;
  readonly state: GenerationState;
  readonly key: string;
  /** The first event that could not be applied to this key. */
  readonly atPosition: number;
  readonly error: string;
};

const COLUMNS = `
  q.projection, q.generation, p.version, p.state, q.key, q.at_position as "atPosition", q.error
  from read.quarantine q
  join read.projections p on p.name = q.projection and p.generation = q.generation`;

/** Held keys of generations in these states, the shown ones first, in a stable order; at most `limit`. */
export async function readHeldKeys(
  sql: Sql | TransactionSql,
  states: readonly GenerationState[],
  limit: number,
): Promise<HeldKey[]> {
  return sql.unsafe<HeldKey[]>(
    `select ${COLUMNS}
     where p.state = any ($1::text[])
     order by (p.state = 'live') desc, q.projection, q.generation desc, q.at_position, q.key
     limit $2`,
    [textArray(states), limit],
  );
}

/** Held keys of one generation by event: the first ones up to a number, or those in a list. */
export async function readHeldKeysOf(
  sql: Sql | TransactionSql,
  name: string,
  generation: number,
  which: number | readonly string[],
): Promise<HeldKey[]> {
  const [keys, limit] =
    typeof which === "number" ? [null, which] : [textArray(which), which.length];
  return sql.unsafe<HeldKey[]>(
    `select ${COLUMNS}
     where q.projection = $1 and q.generation = $2 and ($3::text[] is null or q.key = any ($3::text[]))
     order by q.at_position, q.key limit $4`,
    [name, generation, keys, limit],
  );
}

/** Every held key of one generation, which its step leaves out. Without a limit, since none may be forgotten. */
export async function keysHeldIn(
  sql: Sql | TransactionSql,
  name: string,
  generation: number,
): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from read.quarantine where projection = ${name} and generation = ${generation}
    order by key`;
  return rows.map((row) => row.key);
}

/** How many keys a generation holds back. */
export type HeldCount = {
  readonly projection: string;
  readonly generation: number;
  readonly state: GenerationState;
  readonly held: number;
  /** How many of them the shown generation does not hold back: with any, the generation is not shown automatically. */
  readonly newlyHeld: number;
};

/** One row for each generation that holds back any key; the shown ones have no newly held keys. */
export async function countHeldKeys(sql: Sql | TransactionSql): Promise<HeldCount[]> {
  return sql<HeldCount[]>`
    select p.name as projection, p.generation, p.state, count(*) as held,
      count(*) filter (where live.generation is not null and not exists (
        select from read.quarantine shown
        where shown.projection = p.name and shown.generation = live.generation
          and shown.key = q.key)) as "newlyHeld"
    from read.projections p
    join read.quarantine q on q.projection = p.name and q.generation = p.generation
    left join read.projections live on live.name = p.name and live.state = 'live'
    group by p.name, p.generation, p.state
    order by p.name, p.generation`;
}

/** How many keys this generation holds back that the shown one does not. */
export async function countNewlyHeld(
  sql: Sql | TransactionSql,
  name: string,
  generation: number,
): Promise<number> {
  const counts = await countHeldKeys(sql);
  return (
    counts.find((entry) => entry.projection === name && entry.generation === generation)
      ?.newlyHeld ?? 0
  );
}
