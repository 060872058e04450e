// Compares the schema with the migrations: who may change the log, and which triggers and constraints apply to writes.
import type { TransactionSql } from "postgres";
import type { ServerTrigger } from "#db/schema-snapshot.ts";
import {
  describeUnexpected,
  readExpectedSchema,
  readSchema,
  readServerTriggers,
  roleNames,
  schemaDifferences,
} from "#db/schema-snapshot.ts";
import type { Problem } from "#ledger/verify/problem.ts";

function describeNoted({ name, owner, definition }: ServerTrigger): string {
  return (
    `The event trigger ${name} of the superuser ${owner}: ${definition}, also when the store changes its schema. ` +
    "A managed database may have brought it"
  );
}

/**
 * Every grant, trigger, function, constraint and index that is not as the migrations make it, by name. Notes are about
 * triggers of the server's superusers: where the server is the store's own, no provider has any, so those are problems.
 */
export async function checkSchema(
  sql: TransactionSql,
  { hasOwnServer }: { readonly hasOwnServer: boolean },
): Promise<{ readonly problems: readonly Problem[]; readonly notes: readonly string[] }> {
  const { app, owner } = await roleNames(sql);
  const differences = schemaDifferences(await readExpectedSchema(), await readSchema(sql));
  const triggers = await readServerTriggers(sql);
  const unexpected = triggers.map(({ name, definition }) =>
    describeUnexpected(`event trigger ${name}`, definition),
  );
  return {
    problems: [...differences, ...(hasOwnServer ? unexpected : [])].map((difference) => ({
      check: "schema",
      position: 0,
      message: difference.replaceAll("{app}", app).replaceAll("{owner}", owner),
    })),
    notes: hasOwnServer ? [] : triggers.map(describeNoted),
  };
}
