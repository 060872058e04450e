// Two generations compared piece by piece: whatever differs is found, wherever it is.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { areSameInPieces } from "#ledger/projection/compare-pieces.ts";
import { bigint, defineTable, text, uuid } from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createGeneration } from "#ledger/projection/generation.ts";
import type { Pace } from "#ledger/projection/pace.ts";
import { fullPace } from "#ledger/projection/pace.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";

const shelves: Projection = {
  name: "shelves",
  version: 1,
  tables: [
    defineTable({
      name: "shelves",
      columns: { owner: text(), position: bigint(), cents: bigint() },
      keys: ["primary key (owner, position)"],
      indexes: [],
    }),
    defineTable({
      name: "shelf_ids",
      columns: { id: uuid(), cents: bigint() },
      keys: ["primary key (id)"],
      indexes: [],
    }),
  ],
  step: [],
  keysTouched: "select '' as key where false",
  forgetKeys: [],
  streamsOfKey: "'{}'::text[]",
};

let database: TestDatabase;
let live: number;
let rebuilt: number;
/** The milliseconds that each piece is said to have taken. */
const rests: number[] = [];
const pace: Pace = { ...fullPace, rest: async (_, { ms }) => void rests.push(ms) };

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  const { sql } = database;
  rests.length = 0;
  [live, rebuilt] = [
    (await createGeneration(sql, shelves)).generation,
    (await createGeneration(sql, shelves)).generation,
  ];
  for (const generation of [live, rebuilt]) {
    await sql.unsafe(`insert into read.shelves_g${generation}
      select 'owner ' || n % 3, n, n * 100 from generate_series(1, 30) n`);
    await sql.unsafe(`insert into read.shelf_ids_g${generation}
      select md5(n::text)::uuid, n from generate_series(1, 20) n`);
  }
});

const areSame = () =>
  areSameInPieces(database.sql, { projection: shelves, live, rebuilt, pace, pieceRows: 7 });

test("tables with the same rows are the same, and each piece but a table's last is followed by a rest", async () => {
  expect(await areSame()).toBe(true);
  expect(rests).toHaveLength(4 + 2);
});

test("a piece that took 30 ms is followed by the rest of 60, because steps beside it feed both tables", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const onPiece = async () => void vi.advanceTimersByTime(30);
    const comparison = { projection: shelves, live, rebuilt, pace, pieceRows: 7, onPiece };
    expect(await areSameInPieces(database.sql, comparison)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
  expect(rests).toEqual([60, 60, 60, 60, 60, 60]);
});

test.each([
  [
    "a changed cent in the last row",
    "update read.shelves_g# set cents = 1 where owner = 'owner 2' and position = 29",
  ],
  [
    "a changed cent in the first row",
    "update read.shelves_g# set cents = 1 where owner = 'owner 0' and position = 3",
  ],
  ["a row that is missing", "delete from read.shelf_ids_g# where cents = 20"],
  ["a row behind the last one", "insert into read.shelves_g# values ('owner 9', 1, 1)"],
  ["a row before the first one", "insert into read.shelves_g# values ('', 1, 1)"],
  ["a row under another key", "update read.shelves_g# set position = 31 where position = 30"],
  ["another column", "alter table read.shelf_ids_g# add extra integer"],
])("%s is found in the new tables and in the shown ones", async (_what, change) => {
  await database.sql.unsafe(change.replace("#", String(rebuilt)));
  expect(await areSame()).toBe(false);
  const [one, other] = [live, rebuilt];
  [live, rebuilt] = [other, one];
  expect(await areSame()).toBe(false);
});

test("waits until both are at the same position", async () => {
  const { sql } = database;
  await sql`update read.projections set position = 5 where generation = ${rebuilt}`;
  const comparing = areSame();
  await sql`update read.projections set position = 5 where generation = ${live}`;
  expect(await comparing).toBe(true);
});

test("ends between two pieces where it is stopped, or where another order took the place of its own", async () => {
  const comparison = { projection: shelves, live, rebuilt, pace, pieceRows: 7 };
  const stop = new AbortController();
  stop.abort(new Error("stopped"));
  await expect(
    areSameInPieces(database.sql, { ...comparison, signal: stop.signal }),
  ).rejects.toThrow("stopped");
  const onPiece = () => Promise.reject(new Error("another order"));
  await expect(areSameInPieces(database.sql, { ...comparison, onPiece })).rejects.toThrow(
    "another order",
  );
});

test("two cents that would cancel each other out are found", async () => {
  await database.sql.unsafe(
    `update read.shelves_g${rebuilt} set cents = cents + case position when 4 then 1 else -1 end where position in (4, 7)`,
  );
  expect(await areSame()).toBe(false);
});
