// How far each round of a rebuild looks along the log, and which statements of its step it runs.
import { expect, test } from "vitest";
import { fillGeneration } from "#ledger/projection/build.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createGeneration } from "#ledger/projection/generation.ts";
import { createKnownLog, readKnownHead } from "#ledger/projection/newer-events.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents } from "#testing/jar/jar.ts";

test("a rebuild looks for events that it does not know only as far as its next chunk", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  await ensureProjections({ sql: shop.database.sql, projections: [jarBook], events: jarEvents });
  for (const key of Array.from({ length: 30 }, (_, index) => `fill ${index}`)) {
    await shop.ledger.execute(fillJar, { jar: "t1", cents: 100 }, under(key));
  }
  const sql = shop.openPool();
  const looks: number[] = [];
  sql.options.debug = (_connection, query, parameters) => {
    if (query.includes("kinds.type")) {
      looks.push(Number(parameters[1]) - Number(parameters[0]));
    }
  };
  const generation = await createGeneration(sql, jarBook);
  const filled = await fillGeneration(sql, jarBook, generation, { events: jarEvents, chunk: 10 });
  expect(filled.position).toBe(30);
  expect(looks).toEqual([10, 10, 10, 10]);
});

test("an event that the program does not know is named only to who looks that far", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  for (const key of ["one", "two", "three"]) {
    await shop.ledger.execute(fillJar, { jar: "t1", cents: 100 }, under(key));
  }
  const { sql } = shop.database;
  const unknown = new Map<never, never>();
  expect(await readKnownHead(sql, unknown, 0, 0)).toMatchObject({ head: 3, newer: undefined });
  expect(await readKnownHead(sql, unknown, 1, 3)).toMatchObject({
    head: 3,
    newer: { position: 2 },
  });
  expect(await readKnownHead(sql, unknown, 1)).toMatchObject({ head: 3, newer: { position: 2 } });
});

test("what was read of the log for one projection is not read again for the next, but what came since is", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  const fill = (key: string) => shop.ledger.execute(fillJar, { jar: "t1", cents: 100 }, under(key));
  await fill("one");
  await fill("two");
  const sql = shop.openPool();
  const ranges: unknown[] = [];
  sql.options.debug = (_connection, query, parameters) => {
    if (query.includes("kinds.type")) {
      ranges.push([...parameters]);
    }
  };
  const look = createKnownLog(sql, new Map<never, never>());
  const first = await look(0, 10);
  expect(await look(0, 10)).toEqual(first);
  await fill("three");
  expect(await look(0, 10)).toEqual({ ...first, head: 3 });
  expect(await look(0, 1)).toEqual({ ...first, head: 3 });
  expect(first).toMatchObject({ head: 2, newer: { position: 1 }, types: new Set(["JarFilled"]) });
  expect(ranges).toEqual([
    [0, 10],
    [2, 10],
    [2, 10],
    [0, 1],
  ]);
});

test("a long log is looked through in pieces, and a whole piece only once", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  for (const key of ["one", "two", "three", "four", "five"]) {
    await shop.ledger.execute(fillJar, { jar: "t1", cents: 100 }, under(key));
  }
  const sql = shop.openPool();
  const ranges: unknown[] = [];
  sql.options.debug = (_connection, query, parameters) => {
    if (query.includes("kinds.type")) {
      ranges.push([...parameters]);
    }
  };
  const look = createKnownLog(sql, jarEvents, 2);
  const whole = { head: 5, newer: undefined, hasOlder: false, types: new Set(["JarFilled"]) };
  expect(await look(0, Number.MAX_SAFE_INTEGER)).toEqual(whole);
  expect(await look(0, Number.MAX_SAFE_INTEGER)).toEqual(whole);
  expect(await look(2, 4)).toEqual(whole);
  expect(ranges).toEqual([
    [0, 2],
    [2, 4],
    [4, 6],
    [5, 6],
    [4, 4],
  ]);
});

test("a rebuild leaves out statements without one of their events, and a replay that checks tables does not", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  const { sql } = shop.database;
  await ensureProjections({ sql, projections: [jarBook], events: jarEvents });
  await shop.ledger.execute(fillJar, { jar: "t1", cents: 100 }, under("one"));
  const linesMade = async (types: string, runsAll: boolean) => {
    const listed = { ...jarBook, onlyFor: jarBook.step.map(() => [types]) };
    const { generation } = await fillGeneration(sql, listed, await createGeneration(sql, listed), {
      events: jarEvents,
      runsAll,
    });
    const rows = await sql.unsafe(`select from read.jar_lines_g${generation}`);
    return rows.length;
  };
  expect(await linesMade("JarFilled", false)).toBe(1);
  expect(await linesMade("JarEmptied", false)).toBe(0);
  expect(await linesMade("JarEmptied", true)).toBe(1);
});
