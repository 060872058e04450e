// The schema only moves forward, and each file runs once, whichever process starts first.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate, pendingMigrations } from "#db/migrate.ts";
import { migrationNames } from "#db/migration-names.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await testDatabase();
  // These tests use their own migrations.
  await database.ownerSql`truncate ledger_meta.migrations`;
  folder = await mkdtemp(join(tmpdir(), "ledger-migrations-"));
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const run = () => migrate({ ownerUrl: database.ownerUrl, appRole: "ledger_app", folder });
const file = (name: string, text: string) => writeFile(join(folder, name), text);

test("files run in order, once, and are recorded", async () => {
  await file("0001_first.sql", "create table t (n int); insert into t values (1);");
  await file("0002_second.sql", "insert into t select max(n) + 1 from t;");
  expect(await run()).toEqual(["0001_first", "0002_second"]);
  expect(await run()).toEqual([]);
  await file("0003_third.sql", "insert into t select max(n) + 1 from t;");
  expect(await run()).toEqual(["0003_third"]);
  expect(await database.ownerSql`select n from t order by n`).toEqual([
    { n: 1 },
    { n: 2 },
    { n: 3 },
  ]);
  expect(
    await database.sql`select number, name from ledger_meta.migrations order by number`,
  ).toEqual([
    { number: 1, name: "0001_first" },
    { number: 2, name: "0002_second" },
    { number: 3, name: "0003_third" },
  ]);
});

test("processes that start at once run each file once", async () => {
  await file("0001_first.sql", "create table t (n int);");
  await file("0002_second.sql", "insert into t values (1); select pg_sleep(0.05);");
  const applied = await Promise.all([run(), run(), run()]);
  expect(applied.flat().sort()).toEqual(["0001_first", "0002_second"]);
  expect(await database.ownerSql`select n from t`).toEqual([{ n: 1 }]);
});

test("a table that the application put in a migration's place is refused before anything runs in it", async () => {
  await file("0001_first.sql", "create table read.watched (n int);");
  await run();
  await database.sql.unsafe("drop table read.watched; create table read.watched (n int)");
  await file("0002_second.sql", "create table t (n int); delete from read.watched;");
  await expect(run()).rejects.toThrow(
    /0002_second works on read\.watched, .* somebody replaced it/u,
  );
  expect(await database.ownerSql`select to_regclass('t') as made`).toEqual([{ made: null }]);
});

test("a file that fails leaves nothing behind, and earlier files stay applied", async () => {
  await file("0001_first.sql", "create table t (n int);");
  await file("0002_broken.sql", "insert into t values (1); select 1 / 0;");
  await expect(run()).rejects.toThrow(/0002_broken failed: division by zero/);
  expect(await database.ownerSql`select n from t`).toEqual([]);
  await file("0002_broken.sql", "insert into t values (2);");
  expect(await run()).toEqual(["0002_broken"]);
});

const refusal = () => run().then(String, ({ message }: Error) => message);

test("a file that was applied and then changed is refused, and the operator reads what to do", async () => {
  await file("0001_first.sql", "create table t (n int);");
  await file("0002_second.sql", "create table u (n int);");
  await run();
  await file("0001_first.sql", "create table t (n bigint);");
  const one = await refusal();
  expect(one).toMatch(
    /^This program does not fit the store: migration 0001_first was applied on \d{4}-\d\d-\d\d \d\d:\d\d UTC,/u,
  );
  expect(one).toContain("migrations/0001_first.sql is not the one that was applied. Nothing was");
  expect(one).toContain("\nWhat to do: if somebody edited the folder migrations");
  expect(one).toMatch(/\nTechnical: the file that was applied has the sha256 [\da-f]{64};/u);
  await file("0002_second.sql", "create table u (n bigint);");
  expect(await refusal()).toContain(
    "and 1 more of its files are others, too, the last of them 0002_second",
  );
});

test("files that were copied with other line ends are refused in words about that", async () => {
  await file("0001_first.sql", "create table t (\n  n int\n);\n");
  await run();
  await file("0001_first.sql", "create table t (\r\n  n int\r\n);\r\n");
  expect(await refusal()).toContain("The files differ only in how their lines end");
  await file("0001_first.sql", "create table t (\n  n int\n);\n");
  expect(await run()).toEqual([]);
});

test("a file that was applied and then removed is refused", async () => {
  await file("0001_first.sql", "create table t (n int);");
  await run();
  await rm(join(folder, "0001_first.sql"));
  await expect(run()).rejects.toThrow(/0001_first was applied, but this program does not have it/);
});

test("of many files that this program does not have, or that the store lacks, the count, the first and the last are named", async () => {
  const names = ["0001_first", "0002_second", "0003_third", "0004_fourth"];
  for (const name of names) {
    await file(`${name}.sql`, "select 1;");
  }
  expect(migrationNames(await pendingMigrations(database.sql, folder))).toBe(
    "4 migrations, 0001_first to 0004_fourth",
  );
  await run();
  for (const name of names.slice(1)) {
    await rm(join(folder, `${name}.sql`));
  }
  expect(await refusal()).toMatch(
    /^3 migrations, 0002_second to 0004_fourth were applied, but this program does not have them: /u,
  );
});

test("a file that comes before one that was applied is refused", async () => {
  await file("0002_second.sql", "create table t (n int);");
  await run();
  await file("0001_late.sql", "create table u (n int);");
  await expect(run()).rejects.toThrow(/0001_late comes before 0002_second/);
});

test.each(["1_short.sql", "0001-hyphen.sql", "0001_Upper.sql"])(
  "a file named %s is refused",
  async (name) => {
    await file(name, "select 1;");
    await expect(run()).rejects.toThrow(/is not named like/);
  },
);

test("two files with one number are refused", async () => {
  await file("0001_a.sql", "select 1;");
  await file("0001_b.sql", "select 1;");
  await expect(run()).rejects.toThrow(/Two migrations have the number/);
});

test("the application's role sees what is missing without being able to migrate", async () => {
  await file("0001_first.sql", "create table t (n int);");
  await run();
  await file("0002_second.sql", "create table u (n int);");
  expect(await pendingMigrations(database.sql, folder)).toEqual(["0002_second"]);
  await run();
  expect(await pendingMigrations(database.sql, folder)).toEqual([]);
});

test("migrations can grant to the application's role by name", async () => {
  await file(
    "0001_first.sql",
    `create table t (n int);
     do $$ begin execute format('grant select on t to %I', current_setting('ledger.app_role')); end $$;`,
  );
  await run();
  expect(await database.sql`select n from t`).toEqual([]);
});
