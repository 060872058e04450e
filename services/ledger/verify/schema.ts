// Compares the schema with the migrations: who may change the log, and which triggers and constraints apply to writes.
import type { TransactionSql } from "postgres";
import {
  readExpectedSchema,
  readSchema,
  readServerTriggers,
  roleNames,
  schemaDifferences,
} from "#db/schema-snapshot.ts";
import type { Problem } from "#ledger/verify/problem.ts";

/**
 * Every grant, trigger, function, constraint and index that is not as the migrations make it, by name. Notes are about
 * triggers of the server's superusers.
 */
export async function checkSchema(
  sql: TransactionSql,
): Promise<{ readonly problems: readonly Problem[]; readonly notes: readonly string[] }> {
  const { app, owner } = await roleNames(sql);
  const differences = schemaDifferences(await readExpectedSchema(), await readSchema(sql));
  return {
    problems: differences.map((difference) => ({
      check: "schema",
      position: 0,
      message: difference.replaceAll("{app}", app).replaceAll("{owner}", owner),
    })),
    notes: await readServerTriggers(sql),
  };
}
