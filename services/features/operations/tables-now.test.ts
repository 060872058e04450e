// What the operations screen says of tables that are behind the log or damaged.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readOlderDifferences, readTablesNow, stateOf } from "#features/operations/tables-now.ts";
import { carryOut } from "#ledger/projection/carry-out.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import type { FirstFill } from "#ledger/projection/late-tables.ts";
import type { LagSample } from "#ledger/projection/lag-samples.ts";
import { writeOrder } from "#ledger/projection/orders.ts";
import { fullPace } from "#ledger/projection/pace.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents } from "#testing/jar/jar.ts";

test("tables that stand still behind the log are stalled, those that move are not, and new ones are filling", () => {
  const now = new Date("2026-11-21T10:00:00.000Z");
  const sampleAt = (seconds: number, position: number) => ({
    takenAt: new Date(now.getTime() - seconds * 1000),
    head: 50,
    shown: { sales: { position, seconds: 1 } },
  });
  const stateAt = (seconds: number, samples: LagSample[], fills: FirstFill[] = []) =>
    stateOf({ name: "sales", position: 20, seconds }, { samples, now, fills });
  expect(stateAt(60, [sampleAt(45, 20), sampleAt(15, 20)])).toBe("stalled");
  expect(stateAt(60, [sampleAt(45, 19), sampleAt(15, 20)])).toBe("behind");
  expect(stateAt(5, [sampleAt(45, 20)])).toBe("ok");
  // No worker has sampled anything, so none is alive.
  expect(stateAt(60, [])).toBe("stalled");
  const first = [{ projection: "sales", position: 20, head: 50 }];
  expect(stateAt(60, [sampleAt(45, 19), sampleAt(15, 20)], first)).toBe("filling");
  expect(stateAt(60, [sampleAt(45, 20), sampleAt(15, 20)], first)).toBe("stalled");
  // So new that no sample could tell.
  const before = { ...sampleAt(45, 20), shown: {} };
  expect(stateAt(60, [before, sampleAt(15, 20)], first)).toBe("filling");
  expect(stateAt(60, [], first)).toBe("stalled");
});

test("earlier tables that get no further are named with the reason, and not compared", async () => {
  const shop = await openJarShop();
  try {
    const { sql, ownerSql } = shop.database;
    const tables = { projections: [jarBook], events: jarEvents };
    await ensureProjections({ sql, ...tables });
    await rebuildProjection(sql, jarBook, { events: jarEvents });
    await ownerSql`alter table read.jar_lines_g1 rename column cents_after to spoilt`;
    await shop.ledger.execute(fillJar, { jar: "t1", cents: 20 }, under("fill"));
    expect(await readOlderDifferences(sql, tables, jarBook.name)).toEqual({
      differences: null,
      reason: expect.stringMatching(
        /^The earlier tables of jar_book get no further than event \d+: column "cents_after" .+ does not exist$/u,
      ),
    });
  } finally {
    await shop.close();
  }
});

test("damaged tables are called that, and new ones say why they were not compared with them, also while they are switched to", async () => {
  const shop = await openJarShop();
  try {
    const { sql, ownerSql } = shop.database;
    await ensureProjections({ sql, projections: [jarBook], events: jarEvents });
    const { name: projection } = jarBook;
    const order = { projection, rebuildId: randomUUID(), orderId: null, acceptHeld: false };
    await writeOrder(sql, { ...order, wanted: "built" });
    await ownerSql`alter table read.jar_lines_g1 drop column cents_after cascade`;
    const gone = "A column of the table read.jar_lines_g1, which jar_book shows, is missing";
    const work = { sql, events: jarEvents, pace: () => fullPace };
    await carryOut(work, jarBook);
    await writeOrder(sql, { ...order, wanted: "shown" });
    expect((await readTablesNow(sql, [jarBook])).projections).toMatchObject([
      {
        state: "damaged",
        missing: [gone],
        rebuild: {
          phase: "ready",
          wanted: "shown",
          error: `${gone}. A switch to the new tables repairs this`,
        },
      },
    ]);
    await carryOut(work, jarBook);
    expect((await readTablesNow(sql, [jarBook])).projections).toMatchObject([
      { state: "ok", missing: [], rebuild: null },
    ]);
  } finally {
    await shop.close();
  }
});
