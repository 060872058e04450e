// Production refuses to start as a database role that could write the log; each way to be one is named.
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { findLogWriters } from "#db/log-writers.ts";
import { openDatabase } from "#db/open.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

const role = `mighty_${randomBytes(6).toString("hex")}`;
let database: TestDatabase;
let superuser: Sql;

beforeAll(async () => {
  database = await testDatabase();
  const url = new URL(inject("testServer").superuserUrl);
  url.pathname = `/${database.name}`;
  superuser = connect(url.href, { applicationName: "test-roles", maxConnections: 1 });
  await superuser.unsafe(`create role ${role} login password 'x'`);
});

afterEach(async () => {
  await superuser.unsafe(`drop owned by ${role}; alter role ${role} nosuperuser noinherit;
    revoke ledger_owner, pg_write_all_data from ${role}`);
});

afterAll(async () => {
  await superuser.unsafe(`drop role ${role}`);
  await superuser.end();
  await database.close();
});

test("the application's own role cannot write the log", async () => {
  expect(await findLogWriters(database.sql, ["ledger_app"])).toEqual([]);
});

test.each([
  ["is a superuser", `alter role ${role} superuser`],
  ["owns schema log, or may act as its owner", `grant ledger_owner to ${role}`],
  ["may INSERT log.events", `grant insert on log.events to ${role}`],
  ["may UPDATE log.streams", `grant update (state) on log.streams to ${role}`],
  ["may DELETE log.postings", `grant delete on log.postings to ${role}`],
  ["may TRUNCATE log.command_keys", `grant truncate on log.command_keys to ${role}`],
  ["may INSERT log.", `grant pg_write_all_data to ${role}`],
])("a role that %s is named", async (reason, statement) => {
  expect(await findLogWriters(superuser, [role])).toEqual([]);
  await superuser.unsafe(statement);
  expect((await findLogWriters(superuser, [role])).join()).toContain(`${role} ${reason}`);
});

test("a service in production does not open as the owner, before it changes anything; a script and development do", async () => {
  const open = (isProduction: boolean, holder: "service" | "script") =>
    openDatabase(
      {
        dataDir: "/nowhere",
        database: {
          kind: "external",
          appUrl: database.ownerUrl,
          ownerUrl: null,
          readUrl: database.appUrl,
        },
        isProduction,
        backup: { folder: null, passphrase: null },
      },
      holder,
      () => undefined,
    );
  await expect(open(true, "service")).rejects.toThrow(
    "ledger_owner owns schema log, or may act as its owner",
  );
  await expect(open(true, "script")).resolves.toBeDefined();
  await expect(open(false, "service")).resolves.toBeDefined();
});
