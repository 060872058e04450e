// A database as an older version of the program left it, for tests of what the next start makes of it.
import { randomBytes } from "node:crypto";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { appRole } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";

export type OldDatabase = {
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** As the owner of the schema. */
  readonly ownerSql: Sql;
  /** As the application's role. */
  readonly sql: Sql;
  /** Brings the schema to today's. */
  readonly upgrade: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const migrations = join(import.meta.dirname, "..", "..", "..", "migrations");

/** A new database with the migrations up to this number. */
export async function databaseOf(lastMigration: string): Promise<OldDatabase> {
  const server = inject("testServer");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const folder = await mkdtemp(join(tmpdir(), "old-migrations-"));
  await asSuperuser(`create database ${name} owner ledger_owner`);
  const within = (url: string): string => {
    const address = new URL(url);
    address.pathname = `/${name}`;
    return address.href;
  };
  const ownerUrl = within(server.ownerUrl);
  const appUrl = within(server.appUrl);
  for (const file of await readdir(migrations)) {
    if (file.slice(0, lastMigration.length) <= lastMigration) {
      await copyFile(join(migrations, file), join(folder, file));
    }
  }
  await migrate({ ownerUrl, appRole, folder });
  await rm(folder, { recursive: true });
  const ownerSql = connect(ownerUrl, { applicationName: "test-owner", maxConnections: 2 });
  const sql = connect(appUrl, { applicationName: "test" });
  return {
    ownerUrl,
    appUrl,
    ownerSql,
    sql,
    upgrade: async () => {
      await migrate({ ownerUrl, appRole });
    },
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
