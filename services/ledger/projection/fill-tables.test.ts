// What the tables of a new generation have before their first chunk, and what a fill of their own leaves in them.
import { expect, test } from "vitest";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createGeneration, indexGeneration } from "#ledger/projection/generation.ts";
import type { Pace } from "#ledger/projection/pace.ts";
import { fullPace } from "#ledger/projection/pace.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents } from "#testing/jar/jar.ts";

async function openFilled() {
  const shop = await openJarShop();
  await ensureProjections({ sql: shop.database.sql, projections: [jarBook], events: jarEvents });
  for (const key of Array.from({ length: 30 }, (_, index) => `fill ${index}`)) {
    await shop.ledger.execute(fillJar, { jar: "t1", cents: 100 }, under(key));
  }
  return shop;
}

test("only the indexes by which a step looks rows up are made before the first chunk", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openFilled();
  parts.defer(shop.close);
  const { sql } = shop.database;
  const [sums, lines] = jarBook.tables;
  const found: Projection = {
    ...jarBook,
    tables: [
      { ...sums, name: "jar_sums", columns: sums?.columns ?? "", keys: [], indexes: ["(cents)"] },
      {
        ...lines,
        name: "jar_lines",
        columns: lines?.columns ?? "",
        keys: [],
        indexes: ["(cents_after)", "(position)"],
        stepIndexes: ["(position)"],
      },
    ],
  };
  const { generation } = await createGeneration(sql, found);
  const names = async () => {
    const rows = await sql<{ name: string }[]>`
      select indexname as name from pg_indexes
      where schemaname = 'read' and tablename like ${`jar_%_g${generation}`} order by indexname`;
    return rows.map(({ name }) => name);
  };
  expect(await names()).toEqual([`jar_lines_g${generation}_2_idx`]);
  await indexGeneration(sql, found, generation);
  expect(await names()).toEqual([
    `jar_lines_g${generation}_1_idx`,
    `jar_lines_g${generation}_2_idx`,
    `jar_sums_g${generation}_1_idx`,
  ]);
});

test.each([
  ["before the first chunk where the shop is busy", true, 1],
  ["after the last chunk otherwise", false, 0],
])("the indexes of queries are made %s", async (_, isBusy, expected) => {
  await using parts = new AsyncDisposableStack();
  const shop = await openFilled();
  parts.defer(shop.close);
  const { sql } = shop.database;
  const [sums, ...others] = jarBook.tables;
  const indexed: Projection = {
    ...jarBook,
    tables: [...(sums === undefined ? [] : [{ ...sums, indexes: ["(cents)"] }]), ...others],
  };
  const counts = new Map<string, number>();
  const pace: Pace = { ...fullPace, isBusy: () => Promise.resolve(isBusy), chunk: () => 7 };
  await rebuildProjection(sql, indexed, {
    events: jarEvents,
    pace,
    onStage: async ({ phase, generation, position }) => {
      const [row] = await sql<{ indexes: number }[]>`
        select count(*)::integer as indexes from pg_indexes
        where schemaname = 'read' and tablename like ${`jar_%_g${generation}`}
          and indexdef like '%(cents)'`;
      const at = position === 0 ? "empty" : phase;
      counts.set(at, counts.get(at) ?? row?.indexes ?? -1);
    },
  });
  expect(counts).toEqual(
    new Map([
      ["empty", expected],
      ["filling", expected],
      ["indexing", expected],
      ["comparing", 1],
    ]),
  );
});

const [addLines = "", addToSums = ""] = jarBook.step;

/** The lines in chunks, and the sums at once from the last lines. */
const atOnce = (finish: readonly string[]): Projection => ({
  ...jarBook,
  fill: { step: [addLines], finish },
});

const sumsOfLines = [
  "delete from {table:jar_sums}",
  `insert into {table:jar_sums} (jar, cents, last_position)
  select distinct on (jar) jar, cents_after, position from {table:jar_lines} order by jar, line desc`,
];

test("a fill of its own leaves what the steps would have left, and its last part is not forgotten", async () => {
  expect(addToSums).toContain("jar_sums");
  await using parts = new AsyncDisposableStack();
  const shop = await openFilled();
  parts.defer(shop.close);
  const { sql } = shop.database;
  const options = { events: jarEvents, chunk: 7 };
  expect(await rebuildProjection(sql, atOnce(sumsOfLines), options)).toMatchObject({
    flipped: true,
    differences: [],
  });
  const unfinished = await rebuildProjection(sql, atOnce(["select 1"]), options);
  expect(unfinished.differences).not.toEqual([]);
});

test("what a fill of its own runs is not left out for the events of the step's statements", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openFilled();
  parts.defer(shop.close);
  const pace: Pace = { ...fullPace, chunk: () => 7 };
  const nothing = "delete from {table:jar_sums} where false";
  // In the place of the last statement, which is only there for another event, the fill has one for every event.
  const listed: Projection = {
    ...jarBook,
    step: [addLines, addToSums, nothing],
    onlyFor: [null, null, ["JarEmptied"]],
    fill: { step: [nothing, nothing, addLines], finish: sumsOfLines },
  };
  const { differences } = await rebuildProjection(shop.database.sql, listed, {
    events: jarEvents,
    pace,
  });
  expect(differences).toEqual([]);
});

test("in a busy shop the usual step fills the tables, because what a fill makes at its end is one long statement", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openFilled();
  parts.defer(shop.close);
  const pace: Pace = { ...fullPace, isBusy: () => Promise.resolve(true), chunk: () => 7 };
  const unfinished = atOnce(["select 1"]);
  const { differences } = await rebuildProjection(shop.database.sql, unfinished, {
    events: jarEvents,
    pace,
  });
  expect(differences).toEqual([]);
});

test.each([
  ["was begun in a quiet shop", false],
  ["was begun in a busy shop", true],
])("a fill that %s and was interrupted ends right in the other", async (_, wasBusy) => {
  await using parts = new AsyncDisposableStack();
  const shop = await openFilled();
  parts.defer(shop.close);
  const { sql } = shop.database;
  const paceOf = (isBusy: boolean): Pace => ({
    ...fullPace,
    isBusy: () => Promise.resolve(isBusy),
    chunk: () => 7,
  });
  const interrupted = rebuildProjection(sql, atOnce(sumsOfLines), {
    events: jarEvents,
    pace: paceOf(wasBusy),
    onStage: ({ position }) =>
      position > 0 ? Promise.reject(new Error("interrupted")) : Promise.resolve(),
  });
  await expect(interrupted).rejects.toThrow("interrupted");
  const { differences } = await rebuildProjection(sql, atOnce(sumsOfLines), {
    events: jarEvents,
    pace: paceOf(!wasBusy),
  });
  expect(differences).toEqual([]);
});
