// A transaction whose BEGIN travels with its first statements; `sql.begin` waits for an answer first.
import type { ReservedSql, Sql } from "postgres";

/**
 * Runs `work` in a transaction. It may send statements right away, but none that writes before `begun` is answered: if
 * BEGIN is canceled, they are in no transaction. COMMIT is sent once all of them are answered, because the driver could
 * refuse one that it never sent.
 */
export async function inOneTransaction(
  sql: Sql,
  work: (transaction: ReservedSql, begun: Promise<unknown>) => Promise<void>,
): Promise<void> {
  const transaction = await sql.reserve();
  try {
    const begun = transaction.unsafe("begin").execute();
    try {
      await Promise.all([begun, work(transaction, begun)]);
      await transaction.unsafe("commit");
    } catch (error) {
      // Fails only on a lost connection, whose transaction the server has rolled back.
      await transaction.unsafe("rollback").catch(() => undefined);
      throw error;
    }
  } finally {
    transaction.release();
  }
}
