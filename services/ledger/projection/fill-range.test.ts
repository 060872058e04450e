// How far each round of a rebuild looks along the log.
import { expect, test } from "vitest";
import { fillGeneration } from "#ledger/projection/build.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createGeneration } from "#ledger/projection/generation.ts";
import { readKnownHead } from "#ledger/projection/newer-events.ts";
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
