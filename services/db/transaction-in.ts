// A transaction on a reserved connection, which has no `begin` of its own in the driver.
import type { ReservedSql } from "postgres";

/** Returns what `work` returns. `options` are those of BEGIN. */
export async function transactionIn<Result>(
  session: ReservedSql,
  options: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await session.unsafe(`begin ${options}`);
  try {
    const result = await work();
    await session.unsafe("commit");
    return result;
  } catch (error) {
    // Fails only on a lost connection, whose transaction the server has rolled back.
    await session.unsafe("rollback").catch(() => undefined);
    throw error;
  }
}
