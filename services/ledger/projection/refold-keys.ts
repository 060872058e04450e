// Folds row keys again from the events of their streams, into temporary tables, and swaps the result in.
import type { ReservedSql, Sql } from "postgres";
import { transactionIn } from "#db/transaction-in.ts";
import { textArray } from "#ledger/log/encode.ts";
import type { StoredProjection } from "#ledger/projection/define.ts";
import { sharesOf, temporaryName, withTablesBeside } from "#ledger/projection/fold-beside.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { renderSql, tableName } from "#ledger/projection/render.ts";
import type { Upcasts } from "#ledger/projection/upcasts.ts";

/** Replaces the live rows of the keys with the rows in the temporary tables. */
async function swapIn(
  sql: ReservedSql,
  projection: StoredProjection,
  generation: number,
  keys: readonly string[],
): Promise<void> {
  for (const statement of projection.forgetKeys) {
    await sql.unsafe(renderSql(statement, generation, "all"), [textArray(keys)]);
  }
  const derived = "derived" in projection ? projection.derived : undefined;
  for (const { name } of projection.tables) {
    if (derived?.tables.includes(name) === true) {
      continue;
    }
    const table = tableName(name, generation);
    const columns = await sql<{ list: string }[]>`
      select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
    const list = columns[0]?.list ?? "";
    await sql.unsafe(`insert into ${table} (${list}) select ${list} from ${temporaryName(name)}`);
  }
  for (const statement of derived?.deriveKeys ?? []) {
    await sql.unsafe(renderSql(statement, generation, "all"), [textArray(keys)]);
  }
}

async function checkpointOf(
  sql: Sql,
  name: string,
  generation: number,
  lock: "" | "for update",
): Promise<number> {
  const [row] = await sql.unsafe<{ position: number }[]>(
    `select position from read.projections where name = $1 and generation = $2 ${lock}`,
    [name, generation],
  );
  if (row === undefined) {
    throw new Error(`No generation ${generation} of ${name}`);
  }
  return row.position;
}

/**
 * The events that the keys are held back for. Such an event may touch a key without being of its streams; then its streams
 * alone would make rows without it, and they would be shown.
 */
async function heldFor(
  sql: Sql,
  name: string,
  generation: number,
  keys: readonly string[],
): Promise<readonly number[]> {
  const rows = await sql<{ position: number }[]>`
    select at_position as position from read.quarantine
    where projection = ${name} and generation = ${generation}
      and key = any (${textArray(keys)}::text[])`;
  return rows.map(({ position }) => position);
}

/**
 * Folds keys again up to the checkpoint and releases them if they were held. The checkpoint is locked only at the
 * end, for the swap and the events that were added during the fold. If they still cannot be folded, it throws the
 * step's error and changes nothing.
 */
export async function refoldKeys(
  sql: Sql,
  projection: StoredProjection,
  { generation }: Pick<Generation, "generation">,
  keys: readonly string[],
  upcasts: Upcasts,
): Promise<void> {
  const { name } = projection;
  const also = await heldFor(sql, name, generation, keys);
  const shares = (await sharesOf(sql, projection, keys)).map((share) => ({ ...share, also }));
  const order = { projection, generation, shares };
  await withTablesBeside(sql, order, async ({ session, foldTo, foldNear }) => {
    const olderUpTo = (through: number) => upcasts.bringTo(through, undefined);
    // While the checkpoint is locked, no table that is fed with it gets any further.
    await foldNear(() => checkpointOf(sql, name, generation, ""), olderUpTo);
    await transactionIn(session, "", async () => {
      const reached = await checkpointOf(session, name, generation, "for update");
      await foldTo(reached, await olderUpTo(reached));
      await swapIn(session, projection, generation, keys);
      await session`
        delete from read.quarantine
        where projection = ${name} and generation = ${generation}
          and key = any (${textArray(keys)}::text[])`;
    });
  });
}
