// Gives each test file a PostgreSQL database of its own, migrated and empty.
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";

/** A database that exists until it is closed. */
export type TestDatabase = {
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** As the application's role. */
  readonly sql: Sql;
  /** As the owner of the schema, for what the application itself may not do. */
  readonly ownerSql: Sql;
  /** Closes both pools and drops the database. */
  readonly close: () => Promise<void>;
};

/**
 * A new database. Call it in `beforeAll` (or `beforeEach`), and `close` in `afterAll` (or `afterEach`). Without
 * the schema it is for tests that migrate it themselves.
 */
export async function testDatabase(
  schema: "migrated" | "empty" = "migrated",
): Promise<TestDatabase> {
  const server = inject("testServer");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asSuperuser(
    `create database ${name} template ${schema === "migrated" ? "ledger" : "template0"} strategy file_copy owner ledger_owner`,
  );
  const ownerUrl = withDatabase(server.ownerUrl, name);
  const appUrl = withDatabase(server.appUrl, name);
  const sql = connect(appUrl, { applicationName: "test" });
  const ownerSql = connect(ownerUrl, { applicationName: "test-owner", maxConnections: 2 });
  return {
    ownerUrl,
    appUrl,
    sql,
    ownerSql,
    close: async () => {
      await Promise.all([sql.end({ timeout: 5 }), ownerSql.end({ timeout: 5 })]);
      await asSuperuser(`drop database ${name} with (force)`);
    },
  };
}

async function asSuperuser(statement: string): Promise<void> {
  const sql = connect(inject("testServer").superuserUrl, {
    applicationName: "test-admin",
    maxConnections: 1,
  });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
