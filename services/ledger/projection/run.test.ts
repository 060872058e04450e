// In which order tables at different positions are fed.
import { expect, test } from "vitest";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { LITTLE_STEP } from "#ledger/projection/round.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { fillJar, jarEvents } from "#testing/jar/jar.ts";

async function fill(shop: JarShop, count: number, name: string): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      shop.ledger.execute(
        fillJar,
        { jar: `t${index % 5}`, cents: 20 + index },
        under(`${name} ${index}`),
      ),
    ),
  );
}

test("tables that are behind are first brought to the others, and then all move in one step", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  const { sql } = shop.database;
  const late: Projection = {
    ...jarBook,
    name: "late",
    tables: jarBook.tables.map((table) => ({ ...table, name: `late_${table.name}` })),
    step: jarBook.step.map((statement) => statement.replaceAll("{table:", "{table:late_")),
    forgetKeys: [],
  };
  await ensureProjections({ sql, projections: [jarBook], events: jarEvents });
  await fill(shop, 120, "first");
  await createRunner({ sql, projections: [jarBook], events: jarEvents }).catchUp();
  const projections = [jarBook, late];
  await ensureProjections({ sql, projections, events: jarEvents });
  // The others are further behind than one of their steps, as while much is written.
  await fill(shop, LITTLE_STEP + 100, "second");
  const reached: number[] = [];
  await createRunner({
    sql,
    projections,
    events: jarEvents,
    onReached: (position) => reached.push(position),
  }).catchUp();
  expect(reached).toEqual([120, 120 + LITTLE_STEP, 220 + LITTLE_STEP]);
  expect(await sql`table read.late_jar_lines order by jar, line`).toEqual(
    await sql`table read.jar_lines order by jar, line`,
  );
});

test("a runner that is told to stop does not wait for its rest, and begins no step", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  const { sql } = shop.database;
  const slow: Projection = {
    ...jarBook,
    step: [...jarBook.step, "select pg_sleep(0.4) where $1::bigint < $2::bigint"],
  };
  const feeding = { sql, projections: [slow], events: jarEvents };
  await ensureProjections(feeding);
  await fill(shop, 1, "first");
  await rebuildProjection(sql, slow, { events: jarEvents });
  await fill(shop, 1, "second");
  const stopping = new AbortController();
  let reachedAt = 0;
  const runner = createRunner({
    ...feeding,
    which: "previous",
    signal: stopping.signal,
    onReached: () => {
      reachedAt = performance.now();
      stopping.abort();
    },
  });
  await runner.catchUp();
  // The rest after this step would be twice as long as the step.
  expect(performance.now() - reachedAt).toBeLessThan(400);
  await fill(shop, 1, "third");
  await runner.catchUp();
  const rows = await sql`select state, position from read.projections order by state`;
  expect(rows).toContainEqual({ state: "previous", position: 2 });
});
