// What every other test relies on: separate databases, and two roles with different rights.
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

let first: TestDatabase;
let second: TestDatabase;

beforeAll(async () => {
  [first, second] = await Promise.all([testDatabase(), testDatabase()]);
});

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
});

test("a test database does not see the data of another", async () => {
  await first.sql`create table read.only_here (n bigint)`;
  const [there] = await second.sql`select to_regclass('read.only_here') as found`;
  expect(there?.["found"]).toBeNull();
});

const logTables = ["events", "postings", "movements", "event_streams", "streams", "command_keys"];

test.each(logTables)("the application's role reads log.%s and cannot change it", async (table) => {
  await first.sql.unsafe(`select * from log.${table} limit 1`);
  const column = table === "streams" ? "version" : "position";
  for (const statement of [
    `insert into log.${table} select * from log.${table}`,
    `update log.${table} set ${column} = 1`,
    `delete from log.${table}`,
    `truncate log.${table}`,
  ]) {
    await expect(first.sql.unsafe(statement)).rejects.toThrow(/permission denied/);
  }
});

test("a bigint that is not an exact number is an error, never a wrong number", async () => {
  await expect(first.sql`select 9007199254740993::bigint as cents`).rejects.toThrow(RangeError);
  const [row] =
    await first.sql`select 9007199254740991::bigint as cents, '{1,2}'::bigint[] as both`;
  expect(row).toEqual({ cents: 9007199254740991, both: [1, 2] });
});
