// A transaction whose BEGIN is sent with its first statements keeps the promises of `sql.begin`.
import type { ReservedSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import { inOneTransaction } from "#db/one-trip.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { testDatabase } from "#testing/database/test-database.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await testDatabase();
  sql = connect(database.ownerUrl, { applicationName: "one-trip-test", maxConnections: 1 });
  await sql`create table read.notes (note text primary key)`;
});

afterAll(async () => {
  await sql.end();
  await database.close();
});

const note = (transaction: ReservedSql, text: string) =>
  transaction.unsafe("insert into read.notes values ($1)", [text], { prepare: true }).execute();

async function notes(): Promise<readonly string[]> {
  const rows = await sql<{ note: string }[]>`select note from read.notes order by note`;
  return rows.map((row) => row.note);
}

test("writes everything, or nothing if one statement is refused, and gives the connection back clean", async () => {
  await inOneTransaction(sql, async (transaction, begun) => {
    await begun;
    await Promise.all([note(transaction, "a"), note(transaction, "b")]);
  });
  const refused = inOneTransaction(sql, async (transaction, begun) => {
    await begun;
    await Promise.all([note(transaction, "c"), note(transaction, "a"), note(transaction, "d")]);
  });
  await expect(refused).rejects.toMatchObject({ code: "23505" });
  expect(await notes()).toEqual(["a", "b"]);
  await sql`insert into read.notes values ('e')`;
  expect(await notes()).toEqual(["a", "b", "e"]);
});

test("writes nothing if the work fails after its statements were answered", async () => {
  const failing = inOneTransaction(sql, async (transaction, begun) => {
    await begun;
    await note(transaction, "f");
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await notes()).not.toContain("f");
});
