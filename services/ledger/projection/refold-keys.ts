// Folds row keys again from the events of their streams, into temporary tables, and swaps the result in.
import type { Sql, TransactionSql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import type { StoredProjection } from "#ledger/projection/define.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { render, renderSql, tableName } from "#ledger/projection/render.ts";
import type { OlderEvents } from "#ledger/projection/sources.ts";
import type { Upcasts } from "#ledger/projection/upcasts.ts";

/** Keys that are folded together, with their streams; null if the whole log has to be read. */
type Share = { readonly keys: readonly string[]; readonly streams: readonly string[] | null };

type Range = { readonly after: number; readonly through: number };

function temporaryName(table: string): string {
  return `pg_temp.refold_${table}`;
}

async function sharesOf(
  sql: Sql,
  projection: StoredProjection,
  keys: readonly string[],
): Promise<Share[]> {
  if (!("streamsOfKey" in projection)) {
    return [{ keys, streams: null }];
  }
  const rows = await sql.unsafe<{ key: string; streams: string[] }[]>(
    `select key, coalesce((${projection.streamsOfKey}), '{}') as streams from unnest($1::text[]) as keys (key)`,
    [textArray(keys)],
  );
  const known = rows.filter(({ streams }) => streams.length > 0);
  const unknown = rows.filter(({ streams }) => streams.length === 0);
  return [
    { keys: known.map(({ key }) => key), streams: known.flatMap(({ streams }) => streams) },
    { keys: unknown.map(({ key }) => key), streams: null },
  ].filter((share) => share.keys.length > 0);
}

async function positionsIn(
  sql: TransactionSql,
  { streams }: Share,
  { after, through }: Range,
): Promise<number[] | null> {
  if (streams === null) {
    return null;
  }
  const rows = await sql<{ position: number }[]>`
    select distinct position from log.event_streams
    where stream_id = any (${textArray(streams)}::text[])
      and position > ${after} and position <= ${through}
    order by position`;
  return rows.map(({ position }) => position);
}

async function foldBeside(
  sql: TransactionSql,
  projection: StoredProjection,
  shares: readonly Share[],
  range: Range,
  older: OlderEvents,
): Promise<void> {
  for (const share of shares) {
    const only = await positionsIn(sql, share, range);
    if (only !== null && only.length === 0) {
      continue;
    }
    const parameters = [String(range.after), String(range.through), textArray(share.keys)];
    for (const statement of projection.step) {
      const text = render(statement, {
        tableOf: temporaryName,
        filter: "only",
        reading: { older, excused: [], only },
      });
      await sql.unsafe(text, parameters);
    }
  }
}

/**
 * Creates empty tables like those of the generation, with the keys that the step needs; only this transaction sees
 * them.
 */
async function makeTablesBeside(
  sql: TransactionSql,
  projection: StoredProjection,
  generation: number,
): Promise<void> {
  for (const { name, keys } of projection.tables) {
    const like = `like ${tableName(name, generation)} including defaults including generated`;
    await sql.unsafe(
      `create temporary table refold_${name} (${[like, ...keys].join(", ")}) on commit drop`,
    );
  }
}

/** Replaces the live rows of the keys with the rows in the temporary tables. */
async function swapIn(
  sql: TransactionSql,
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
  sql: Sql | TransactionSql,
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
  const shares = await sharesOf(sql, projection, keys);
  const found = await checkpointOf(sql, name, generation, "");
  const older = await upcasts.bringTo(found, undefined);
  await sql.begin(async (transaction) => {
    await makeTablesBeside(transaction, projection, generation);
    await foldBeside(transaction, projection, shares, { after: 0, through: found }, older);
    const reached = await checkpointOf(transaction, name, generation, "for update");
    if (reached > found) {
      const since: Range = { after: found, through: reached };
      const olderNow = await upcasts.bringTo(reached, undefined);
      await foldBeside(transaction, projection, shares, since, olderNow);
    }
    await swapIn(transaction, projection, generation, keys);
    await transaction`
      delete from read.quarantine
      where projection = ${name} and generation = ${generation}
        and key = any (${textArray(keys)}::text[])`;
  });
}
