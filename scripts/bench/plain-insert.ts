// The baseline for a rebuild: the finished rows of a projection's tables, copied into empty ones by INSERT … SELECT.
import type { Sql } from "#db/connect.ts";
import type { Projection, ProjectionTable } from "#ledger/projection/define.ts";
import { tableName } from "#ledger/projection/render.ts";

// Far from every generation that a rebuild makes.
const COPY = 9_999;

/** Copies one projection's tables with the same keys, indexes and statistics, and drops the copy. */
export async function plainInsert(
  sql: Sql,
  projection: Projection,
  generation: number,
): Promise<{ ms: number; rows: number }> {
  let ms = 0;
  let rows = 0;
  for (const table of projection.tables) {
    const startedAt = performance.now();
    rows += await copyTable(sql, table, generation);
    ms += performance.now() - startedAt;
    await sql.unsafe(`drop table ${tableName(table.name, COPY)}`);
  }
  return { ms, rows };
}

async function copyTable(sql: Sql, table: ProjectionTable, generation: number): Promise<number> {
  const [from, to] = [tableName(table.name, generation), tableName(table.name, COPY)];
  await sql.unsafe(`create table ${to} (${[table.columns, ...table.keys].join(", ")})`);
  const columns = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${from}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`;
  const list = columns.map(({ name }) => `"${name}"`).join(", ");
  const copied = await sql.begin(async (transaction) => {
    // As the rebuild's own chunks.
    await transaction`set local synchronous_commit = off`;
    return transaction.unsafe(`insert into ${to} (${list}) select ${list} from ${from}`);
  });
  for (const body of table.indexes) {
    await sql.unsafe(`create index on ${to} ${body}`);
  }
  await sql.unsafe(`analyze ${to}`);
  return copied.count;
}
