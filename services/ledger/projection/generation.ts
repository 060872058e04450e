// The generations of a projection's tables: creates them, shows one through the views, and drops old ones.
import type { Sql, TransactionSql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import { codeOf } from "#ledger/log/failure.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { hashOfDefinition, keepDefinition, readDefinition } from "#ledger/projection/definition.ts";
import {
  createIndexSql,
  createTableSql,
  createViewSql,
  dropTableSql,
  dropViewSql,
} from "#ledger/projection/render.ts";

export type GenerationState = "building" | "ready" | "live" | "previous";

/** The state and position of one generation of a projection. */
export type Generation = {
  readonly name: string;
  readonly generation: number;
  readonly version: number;
  readonly state: GenerationState;
  readonly position: number;
  /** The hash of the definition that the tables were made with; null if it was not kept. */
  readonly definitionHash: string | null;
};

/** Every generation of every projection, in a stable order. */
export async function readGenerations(sql: Sql | TransactionSql): Promise<Generation[]> {
  return sql<Generation[]>`
    select name, generation, version, state, position, definition_hash as "definitionHash"
    from read.projections
    order by name, generation`;
}

/** The generation that is shown; undefined before the first one. */
export async function readLive(
  sql: Sql | TransactionSql,
  name: string,
): Promise<Generation | undefined> {
  return (await readGenerations(sql)).find(
    (entry) => entry.name === name && entry.state === "live",
  );
}

/** The tables from before the last flip; undefined if there are none. */
export function olderThanShown(
  generations: readonly Generation[],
  name: string,
): Generation | undefined {
  const own = generations.filter((entry) => entry.name === name);
  const shown = own.find(({ state }) => state === "live");
  return own.findLast(
    ({ state, generation }) => state === "previous" && generation < (shown?.generation ?? 0),
  );
}

/** After all that there were, also after tables whose row is lost. */
async function nextGeneration(sql: TransactionSql, { name, tables }: Projection): Promise<number> {
  const [row] = await sql<{ next: number }[]>`
    select greatest(0, (select max(generation) from read.projections where name = ${name}), (
      select max(substring(relname from '_g([0-9]{1,9})$')::integer) from pg_class
      where relnamespace = 'read'::regnamespace and relkind = 'r'
        and regexp_replace(relname, '_g[0-9]+$', '') = any(${textArray(tables.map((table) => table.name))}::text[]))) + 1 as next`;
  return row?.next ?? 1;
}

/** Whoever makes tables of this projection, or drops what no row names, does so alone. */
async function takeCreation(transaction: TransactionSql, name: string): Promise<void> {
  await transaction`select pg_advisory_xact_lock(4712, hashtext(${name}))`;
}

/** Makes the tables of a new generation at position 0, with only the keys and indexes that its step needs. */
export async function createGeneration(sql: Sql, projection: Projection): Promise<Generation> {
  return sql.begin(async (transaction) => {
    await takeCreation(transaction, projection.name);
    const generation = await nextGeneration(transaction, projection);
    for (const table of projection.tables) {
      await transaction.unsafe(createTableSql(table, generation));
      for (const statement of createIndexSql(table, generation, table.stepIndexes ?? [])) {
        await transaction.unsafe(statement);
      }
    }
    await transaction`
      insert into read.projections (name, generation, version, state, position)
      values (${projection.name}, ${generation}, ${projection.version}, 'building', 0)`;
    await keepDefinition(transaction, generation, projection);
    return {
      name: projection.name,
      generation,
      version: projection.version,
      state: "building",
      position: 0,
      definitionHash: hashOfDefinition(projection),
    };
  });
}

/** Adds the indexes that are missing: those that only queries need. */
export async function indexGeneration(
  sql: Sql,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const table of projection.tables) {
    for (const statement of createIndexSql(table, generation)) {
      await sql.unsafe(statement.replace("create index ", "create index if not exists "));
    }
  }
}

/** Drops a generation that is not live, and its tables. */
export async function dropGeneration(
  sql: Sql,
  projection: Projection,
  generation: number,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const made = (await readDefinition(transaction, projection.name, generation)) ?? projection;
    const dropped = await transaction`
      delete from read.projections
      where name = ${projection.name} and generation = ${generation} and state <> 'live'`;
    if (dropped.count === 0) {
      throw new Error(`Generation ${generation} of ${projection.name} is live or unknown`);
    }
    await transaction`
      delete from read.quarantine
      where projection = ${projection.name} and generation = ${generation}`;
    for (const table of made.tables) {
      await transaction.unsafe(dropTableSql(table, generation));
    }
  });
}

/**
 * Drops tables of generations whose row is lost: nothing feeds or shows them. Those that another's view or another role
 * still has are left. Returns what was dropped.
 */
export async function dropUnnamed(
  sql: Sql,
  { name, tables }: Projection,
): Promise<readonly string[]> {
  return sql.begin(async (transaction) => {
    await takeCreation(transaction, name);
    const unnamed = await transaction<{ table: string }[]>`
      select 'read.' || c.relname as "table"
      from pg_class c, regexp_match(c.relname, '^(.+)_g([0-9]{1,9})$') as parts
      where c.relnamespace = 'read'::regnamespace and c.relkind = 'r'
        and parts[1] = any(${textArray(tables.map((table) => table.name))}::text[])
        and pg_has_role(c.relowner, 'usage')
        and not exists (
          select from read.projections p where p.name = ${name} and p.generation = parts[2]::integer)
        and not exists (
          select from pg_depend d where d.refobjid = c.oid and d.classid = 'pg_rewrite'::regclass)
      order by 1`;
    for (const { table } of unnamed) {
      await transaction.unsafe(`drop table ${table}`);
    }
    return unnamed.map(({ table }) => table);
  });
}

/** Views of tables that only the shown generation has: they would block dropping it. */
async function dropOldViews(transaction: TransactionSql, projection: Projection): Promise<void> {
  const [live] = await transaction<{ generation: number }[]>`
    select generation from read.projections where name = ${projection.name} and state = 'live'`;
  const shown = live && (await readDefinition(transaction, projection.name, live.generation));
  for (const table of shown?.tables ?? []) {
    if (!projection.tables.some(({ name }) => name === table.name)) {
      await transaction.unsafe(dropViewSql(table));
    }
  }
}

async function flipOnce(
  sql: Sql,
  projection: Projection,
  generation: number,
  inSameTransaction: ((transaction: TransactionSql) => Promise<void>) | undefined,
): Promise<void> {
  await sql.begin(async (transaction) => {
    // Readers of the old view must not queue behind the flip: it gives up and tries again.
    await transaction`set local lock_timeout = '500ms'`;
    await dropOldViews(transaction, projection);
    await transaction`
      update read.projections set state = 'previous'
      where name = ${projection.name} and state = 'live' and generation <> ${generation}`;
    await transaction`
      update read.projections set state = 'live', flipped_at = now()
      where name = ${projection.name} and generation = ${generation}`;
    for (const table of projection.tables) {
      for (const statement of createViewSql(table, generation)) {
        await transaction.unsafe(statement);
      }
    }
    await inSameTransaction?.(transaction);
  });
}

const LOCK_NOT_AVAILABLE = "55P03";

/** Shows a generation: pointer and views switch in one short transaction, retried until no reader is in the way. */
export async function flipGeneration(
  sql: Sql,
  projection: Projection,
  generation: number,
  inSameTransaction?: (transaction: TransactionSql) => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await flipOnce(sql, projection, generation, inSameTransaction);
      return;
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || tries >= 60) {
        throw error;
      }
    }
  }
}
