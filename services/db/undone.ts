// Tries statements out: what they do is seen inside their transaction, and nothing of it is kept.
import type { Sql, TransactionSql } from "postgres";

const undone = Symbol("undone");

/** Answers what `work` answers, or throws what it throws. `options` are those of BEGIN. */
export async function undoneAfter<Result>(
  sql: Sql,
  work: (transaction: TransactionSql) => Promise<Result>,
  options = "",
): Promise<Result> {
  const found: { result?: Result } = {};
  try {
    await sql.begin(options, async (transaction) => {
      found.result = await work(transaction);
      // Only an error ends a transaction of the driver's without a commit.
      throw undone;
    });
  } catch (error) {
    if (error !== undone) {
      throw error;
    }
  }
  return found.result as Result;
}
