// Gives each test file its own PostgreSQL database: migrated and empty, or a copy of a filled one.
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";

/** A database that exists until it is closed. */
export type TestDatabase = {
  readonly name: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** As the application's role. */
  readonly sql: Sql;
  /** As the owner of the schema, for what the application may not do. */
  readonly ownerSql: Sql;
  /** Closes both pools and drops the database. */
  readonly close: () => Promise<void>;
};

/** The template of a new database: the migrated one, an empty one, or one made by `filledOnce`. */
type Origin = "migrated" | "empty" | { readonly name: string };

/**
 * A new database. Call it in `beforeAll` (or `beforeEach`), and `close` in `afterAll` (or `afterEach`). One without
 * the schema is for tests that migrate it themselves.
 */
export async function testDatabase(origin: Origin = "migrated"): Promise<TestDatabase> {
  const server = inject("testServer");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asSuperuser(
    `create database ${name} template ${templateOf(origin)} strategy file_copy owner ledger_owner`,
  );
  const ownerUrl = withDatabase(server.ownerUrl, name);
  const appUrl = withDatabase(server.appUrl, name);
  const sql = connect(appUrl, { applicationName: "test" });
  const ownerSql = connect(ownerUrl, { applicationName: "test-owner", maxConnections: 2 });
  return {
    name,
    ownerUrl,
    appUrl,
    sql,
    ownerSql,
    close: async () => {
      await disconnect({ sql, ownerSql });
      await asSuperuser(`drop database ${name} with (force)`);
    },
  };
}

/**
 * For files whose tests all begin with the same books: `fill` runs once in this process, on a database that is then
 * copied for each test. `fill` must end the connections that it opens.
 */
export function filledOnce(
  fill: (database: TestDatabase) => Promise<void>,
  origin: Origin = "migrated",
): () => Promise<TestDatabase> {
  let filled: Promise<TestDatabase> | undefined;
  return async () => {
    filled ??= makeFilled(fill, origin);
    return testDatabase(await filled);
  };
}

/**
 * The same, but once for the processes of all tests together. `name` must tell apart everything that `fill` depends
 * on: in watch mode, the server outlives changes of the source.
 */
export function filledOnceForAll(
  name: string,
  fill: (database: TestDatabase) => Promise<void>,
): () => Promise<TestDatabase> {
  let filled: Promise<void> | undefined;
  const make = async (): Promise<void> => {
    await asSuperuser("select pg_advisory_lock(4711, 9)");
    try {
      const found = await asSuperuser(`select 1 from pg_database where datname = '${name}'`);
      if (found.length === 0) {
        const { name: draft } = await makeFilled(fill, "migrated");
        await asSuperuser(`alter database ${draft} rename to ${name}`);
      }
    } finally {
      await asSuperuser("select pg_advisory_unlock(4711, 9)");
    }
  };
  return async () => {
    filled ??= make();
    await filled;
    return testDatabase({ name });
  };
}

async function makeFilled(
  fill: (database: TestDatabase) => Promise<void>,
  origin: Origin,
): Promise<TestDatabase> {
  const database = await testDatabase(origin);
  await fill(database);
  // A database with connections cannot be copied. It is removed with the server.
  await disconnect(database);
  return database;
}

function templateOf(origin: Origin): string {
  if (typeof origin === "object") {
    return origin.name;
  }
  return origin === "migrated" ? "ledger" : "template0";
}

async function disconnect({ sql, ownerSql }: Pick<TestDatabase, "sql" | "ownerSql">) {
  await Promise.all([sql.end({ timeout: 5 }), ownerSql.end({ timeout: 5 })]);
}

let superuser: Sql | undefined;

/** By one connection for all files of this process: a new one takes longer than making a database. It ends with the process. */
async function asSuperuser(statement: string): Promise<readonly unknown[]> {
  superuser ??= connect(inject("testServer").superuserUrl, {
    applicationName: "test-admin",
    maxConnections: 1,
  });
  return superuser.unsafe(statement);
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
