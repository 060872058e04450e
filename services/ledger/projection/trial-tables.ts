// Makes the tables of a definition, lets somebody look at them, and rolls them back.
import type { Sql, TransactionSql } from "postgres";
import { undoneAfter } from "#db/undone.ts";
import type { ProjectionTable } from "#ledger/projection/define.ts";
import { createIndexSql, createTableSql, tableName } from "#ledger/projection/render.ts";

/** No generation has this number. */
const TRIAL = 0;

export function inTrialTables<Result>(
  sql: Sql,
  tables: readonly ProjectionTable[],
  look: (
    transaction: TransactionSql,
    nameOf: (table: ProjectionTable) => string,
  ) => Promise<Result>,
): Promise<Result> {
  return undoneAfter(sql, async (transaction) => {
    for (const table of tables) {
      for (const statement of [createTableSql(table, TRIAL), ...createIndexSql(table, TRIAL)]) {
        await transaction.unsafe(statement);
      }
    }
    return look(transaction, ({ name }) => tableName(name, TRIAL));
  });
}
