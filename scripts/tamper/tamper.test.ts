// Tries changes on copies of a store: a finding counts only in the right place, and missed changes are reported.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import type { Change, Facts } from "./change.ts";
import { at, bySql, named } from "./change.ts";
import { changes } from "./changes.ts";
import { logColumns, readTables } from "./every-changes.ts";
import type { Ground } from "./ground.ts";
import { factsOf, makeStore, tryChange, tryUntouched } from "./ground.ts";

let database: TestDatabase;
let ground: Ground;
let facts: Facts;

beforeAll(async () => {
  database = await readableDatabase();
  const { appUrl, ownerUrl } = database;
  const dataDir = await mkdtemp(path.join(tmpdir(), "tamper-test-"));
  await makeStore({ DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl, DATA_DIR: dataDir });
  ground = {
    superuserUrl: inject("testServer").superuserUrl,
    appUrl,
    database: new URL(appUrl).pathname.slice(1),
    dataDir,
  };
  facts = await factsOf(ground);
});

afterAll(async () => {
  await database.close();
  await rm(ground.dataDir, { recursive: true });
});

const called = (name: string): Change => {
  const change = changes.find((entry) => entry.name === name);
  if (change === undefined) {
    throw new Error(`There is no change ${name}`);
  }
  return change;
};

it("an untouched copy proves right", async () => {
  expect(await tryUntouched(ground)).toEqual([]);
});

// One of each kind; `npm run tamper` tries all of them.
it.each([
  ["a cent of a posting", "chain"],
  ["a row of a read table", "projection"],
  ["the note of a till day", "identity"],
  ["a note that no event names", "identity"],
  ["a key of statements with the seal of another one", "identity"],
  ["a key of ID tokens in plain sight", "identity"],
  ["the public part of the key of ID tokens exchanged", "identity"],
  ["a cut tail", "head"],
  ["no heads", "head"],
  ["heads that end an hour early", "head"],
])("%s is found", async (name, check) => {
  const verdict = await tryChange(ground, facts, called(name));
  expect(verdict).toMatchObject({ kind: "found", finding: { check } });
});

describe("a change is missed", () => {
  const nothing = "select 1";

  it("if the proof finds nothing", async () => {
    const change = bySql(
      "nothing",
      () => nothing,
      () => at(1),
    );
    expect(await tryChange(ground, facts, change)).toEqual({
      kind: "missed",
      why: "the proof found nothing",
    });
  });

  it("if the proof finds it only in another place", async () => {
    const { tamper } = called("the actor of an event");
    const change: Change = {
      name: "elsewhere",
      tamper,
      shown: () => ({ ...named("elsewhere"), positions: [2] }),
    };
    const verdict = await tryChange(ground, facts, change);
    expect(verdict).toMatchObject({ kind: "missed" });
    expect(JSON.stringify(verdict)).toContain("the proof found only this: chain");
  });

  it("if the proof fails because of it", async () => {
    const change = bySql(
      "nobody is let in",
      () => `
        do $$ begin
          execute format('alter database %I connection limit 0', current_database());
        end $$`,
      () => at(1),
    );
    const verdict = await tryChange(ground, facts, change);
    expect(JSON.stringify(verdict)).toContain("the proof failed");
  });
});

it("every read table has rows, so that a deleted one can be tried", async () => {
  const empty: string[] = [];
  for (const { name } of readTables) {
    const rows = await database.sql.unsafe(`select from read.${name} limit 1`);
    if (rows.length === 0) {
      empty.push(name);
    }
  }
  expect(
    empty,
    "add a call that makes a row to `sellFor` of scripts/tamper/fill.ts, and one to beforeAll of services/proof/prove-books.test.ts",
  ).toEqual([]);
});

it("every column of the log is changed, and a new one fails here", async () => {
  const rows = await database.sql<{ table: string; columns: string[] }[]>`
    select c.relname as table, array_agg(a.attname::text order by a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'log'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    group by 1`;
  const changed = Object.entries(logColumns).map(([table, columns]) => [
    table,
    Object.keys(columns).toSorted(),
  ]);
  expect(Object.fromEntries(changed)).toEqual(
    Object.fromEntries(rows.map(({ table, columns }) => [table, columns])),
  );
});

it("every change has a unique name and says where it must show", () => {
  const names = changes.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const change of changes) {
    const { positions, keys } = change.shown(facts);
    expect([change.name, positions.length + keys.length]).not.toEqual([change.name, 0]);
    expect(positions.every((position) => Number.isInteger(position) && position > 0)).toBe(true);
    expect(keys.every((key) => key !== "")).toBe(true);
  }
});
