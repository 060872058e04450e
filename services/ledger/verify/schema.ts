// Compares the schema with the migrations: who may change the log, and which triggers and constraints apply to writes.
import type { TransactionSql } from "postgres";
import {
  readExpectedSchema,
  readSchema,
  roleNames,
  schemaDifferences,
} from "#db/schema-snapshot.ts";
import type { Problem } from "#ledger/verify/problem.ts";

/** Every grant, trigger, function, constraint and index that is not as the migrations make it, by name. */
export async function checkSchema(sql: TransactionSql): Promise<Problem[]> {
  const { app, owner } = await roleNames(sql);
  const differences = schemaDifferences(await readExpectedSchema(), await readSchema(sql));
  return differences.map((difference) => ({
    check: "schema",
    position: 0,
    message: difference.replaceAll("{app}", app).replaceAll("{owner}", owner),
  }));
}
