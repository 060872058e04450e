// Runs statements and rolls them back: their effects are visible only inside their transaction.
import type { Sql, TransactionSql } from "postgres";

const undone = Symbol("undone");

/** Returns what `work` returns, or throws what it throws. `options` are those of BEGIN. */
export async function undoneAfter<Result>(
  sql: Sql,
  work: (transaction: TransactionSql) => Promise<Result>,
  options = "",
): Promise<Result> {
  const found: { result?: Result } = {};
  try {
    await sql.begin(options, async (transaction) => {
      found.result = await work(transaction);
      // The driver rolls a transaction back only on an error.
      throw undone;
    });
  } catch (error) {
    if (error !== undone) {
      throw error;
    }
  }
  return found.result as Result;
}
