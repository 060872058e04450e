// Whether shown tables that another version of the program made have the columns that this one reads.
import type { Sql, TransactionSql } from "postgres";
import type { Projection } from "#ledger/projection/define.ts";
import { tableName } from "#ledger/projection/render.ts";
import { inTrialTables } from "#ledger/projection/trial-tables.ts";

type Column = { readonly name: string; readonly type: string };

async function columnsOf(sql: Sql | TransactionSql, table: string): Promise<Column[]> {
  return sql<Column[]>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped order by attname`;
}

/** Columns, as `table.column type`, that this program reads but the generation lacks or has with another type. */
export async function missingColumns(
  sql: Sql,
  projection: Projection,
  generation: number,
): Promise<string[]> {
  const wanted = await inTrialTables(sql, projection.tables, async (transaction, nameOf) => {
    const found: [string, Column[]][] = [];
    for (const table of projection.tables) {
      found.push([table.name, await columnsOf(transaction, nameOf(table))]);
    }
    return found;
  });
  const missing: string[] = [];
  for (const [table, columns] of wanted) {
    const there = await columnsOf(sql, tableName(table, generation));
    for (const { name, type } of columns) {
      if (!there.some((column) => column.name === name && column.type === type)) {
        missing.push(`${table}.${name} ${type}`);
      }
    }
  }
  return missing;
}
