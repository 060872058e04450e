// Whether shown tables that another version of the program made have the columns that this one reads.
import type { Sql, TransactionSql } from "postgres";
import { undoneAfter } from "#db/undone.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createTableSql, tableName } from "#ledger/projection/render.ts";

type Column = { readonly name: string; readonly type: string };

async function columnsOf(sql: Sql | TransactionSql, table: string): Promise<Column[]> {
  return sql<Column[]>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped order by attname`;
}

/** The columns that a definition's tables have, found by creating the tables and rolling back. */
async function columnsWanted(sql: Sql, projection: Projection): Promise<Map<string, Column[]>> {
  const wanted = new Map<string, Column[]>();
  // No generation has this number.
  const trial = 0;
  await undoneAfter(sql, async (transaction) => {
    for (const table of projection.tables) {
      await transaction.unsafe(createTableSql(table, trial));
      wanted.set(table.name, await columnsOf(transaction, tableName(table.name, trial)));
    }
  });
  return wanted;
}

/** Columns, as `table.column type`, that this program reads but the generation lacks or has with another type. */
export async function missingColumns(
  sql: Sql,
  projection: Projection,
  generation: number,
): Promise<string[]> {
  const missing: string[] = [];
  for (const [table, columns] of await columnsWanted(sql, projection)) {
    const there = await columnsOf(sql, tableName(table, generation));
    for (const { name, type } of columns) {
      if (!there.some((column) => column.name === name && column.type === type)) {
        missing.push(`${table}.${name} ${type}`);
      }
    }
  }
  return missing;
}
