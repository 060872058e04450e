// The stored schema matches the migrations, also if a store's roles have other names; extra rights of a role are found.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { migrate } from "#db/migrate.ts";
import { readExpectedSchema, readSchema, schemaDifferences } from "#db/schema-snapshot.ts";
import { testDatabase } from "#testing/database/test-database.ts";

it("is what the migrations make; after a new migration, run `npm run expected-schema`", async () => {
  const database = await testDatabase();
  try {
    const made = await readSchema(database.sql);
    expect(
      schemaDifferences(await readExpectedSchema(), made),
      "services/db/expected-schema.json is out of date: run `npm run expected-schema`",
    ).toEqual([]);
    expect(await readExpectedSchema()).toEqual(made);
  } finally {
    await database.close();
  }
});

describe("a database that an operator made, with other role names", () => {
  const suffix = randomBytes(4).toString("hex");
  const [owner, app, database] = [`books_owner_${suffix}`, `Till "${suffix}"`, `books_${suffix}`];
  const appName = app.replaceAll('"', '""');
  let superuser: Sql;
  let asApp: Sql;

  const addressOf = (role: string) => {
    const address = new URL(inject("testServer").superuserUrl);
    address.username = encodeURIComponent(role);
    address.password = "books";
    address.pathname = `/${database}`;
    return address.href;
  };

  beforeAll(async () => {
    superuser = connect(inject("testServer").superuserUrl, { applicationName: "test-operator" });
    await superuser.unsafe(`create role ${owner} login password 'books'`);
    await superuser.unsafe(`create role "${appName}" login password 'books'`);
    await superuser.unsafe(`grant "${appName}" to ${owner}`);
    await superuser.unsafe(`create database ${database} owner ${owner}`);
    await migrate({ ownerUrl: addressOf(owner), appRole: app });
    asApp = connect(addressOf(app), { applicationName: "test-app", maxConnections: 2 });
  });

  afterAll(async () => {
    await asApp.end({ timeout: 5 });
    await superuser.unsafe(`drop database ${database} with (force)`);
    await superuser.unsafe(`drop role "${appName}"`);
    await superuser.unsafe(`drop role ${owner}`);
    await superuser.end({ timeout: 5 });
  });

  const differences = async () =>
    schemaDifferences(await readExpectedSchema(), await readSchema(asApp));

  it("has the expected schema", async () => {
    expect(await differences()).toEqual([]);
  });

  it.each([
    ["superuser", "nosuperuser", "{app} is a superuser, which no migration grants"],
    ["createrole", "nocreaterole", "{app} may make roles, which no migration grants"],
    ["bypassrls", "nobypassrls", "{app} bypasses row security, which no migration grants"],
    ["replication", "noreplication", "{app} may replicate, which no migration grants"],
  ])("reports an application's role that is made %s", async (attribute, back, message) => {
    await superuser.unsafe(`alter role "${appName}" ${attribute}`);
    const found = await differences();
    await superuser.unsafe(`alter role "${appName}" ${back}`);
    expect(found).toEqual([message]);
    expect(await differences()).toEqual([]);
  });

  it("reports an application's role that may act as the owner of the log, or write everything", async () => {
    await superuser.unsafe(`revoke "${appName}" from ${owner}`);
    await superuser.unsafe(`grant ${owner} to "${appName}"`);
    const asOwner = await differences();
    await superuser.unsafe(`revoke ${owner} from "${appName}"`);
    await superuser.unsafe(`grant "${appName}" to ${owner}`);
    expect(asOwner).toContainEqual("{app} may act as {owner}, which no migration grants");
    expect(asOwner).toContainEqual("{app} may UPDATE log.events, which no migration grants");
    await superuser.unsafe(`grant pg_write_all_data to "${appName}"`);
    const asWriter = await differences();
    await superuser.unsafe(`revoke pg_write_all_data from "${appName}"`);
    expect(asWriter).toContainEqual(
      "{app} may act as pg_write_all_data, which no migration grants",
    );
    expect(asWriter).toContainEqual("{app} may DELETE log.postings, which no migration grants");
  });

  it("reports a setting that stops triggers from firing", async () => {
    await superuser.unsafe(
      `alter role "${appName}" in database ${database} set session_replication_role = replica`,
    );
    const found = await differences();
    await superuser.unsafe(
      `alter role "${appName}" in database ${database} reset session_replication_role`,
    );
    expect(found).toEqual([
      "{app} has the setting session_replication_role=replica, which no migration grants",
    ]);
  });

  it("reports a program that connects as another role than the one with the grants", async () => {
    const other = connect(addressOf(owner), { applicationName: "test-owner", maxConnections: 1 });
    const found = schemaDifferences(await readExpectedSchema(), await readSchema(other));
    await other.end();
    expect(found).toContainEqual(
      "{owner} is what this program connects as, which no migration grants",
    );
  });
});
