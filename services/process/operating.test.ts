// The worker carries out what operators ordered about read tables: one rebuild at a time, and short acts beside it.
import { pino } from "pino";
import { expect, test } from "vitest";
import { carryOut } from "#ledger/projection/carry-out.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { readOrder, writeOrder } from "#ledger/projection/orders.ts";
import type { Wanted } from "#ledger/projection/orders.ts";
import { fullPace } from "#ledger/projection/pace.ts";
import { createDoing } from "#process/doing.ts";
import { startOperating } from "#process/operating.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { openJarShop } from "#testing/jar/jar-shop.ts";
import { jarEvents } from "#testing/jar/jar.ts";

/** The book of jars in tables of its own. */
function bookNamed(name: string): Projection {
  return {
    ...jarBook,
    name,
    tables: jarBook.tables.map((table) => ({ ...table, name: `${name}_${table.name}` })),
    step: jarBook.step.map((statement) => statement.replaceAll("{table:", `{table:${name}_`)),
    forgetKeys: [],
  };
}

test("a switch to tables that are ready does not wait for another table's rebuild, and a rebuild does", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  const { sql } = shop.database;
  const [long, waiting, ready] = [bookNamed("a_book"), bookNamed("b_book"), bookNamed("c_book")];
  const projections = [long, waiting, ready];
  await ensureProjections({ sql, projections, events: jarEvents });
  const order = (one: Projection, wanted: Wanted) => {
    const rebuildId = `00000000-0000-4000-8000-00000000000${projections.indexOf(one)}`;
    return writeOrder(sql, {
      projection: one.name,
      rebuildId,
      orderId: null,
      wanted,
      acceptHeld: false,
    });
  };
  const phaseOf = async ({ name }: Projection) => (await readOrder(sql, name))?.phase;
  await order(ready, "built");
  await carryOut({ sql, events: jarEvents, pace: () => fullPace }, ready);
  expect(await phaseOf(ready)).toBe("ready");

  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const doing = createDoing();
  await order(long, "built");
  const operating = startOperating({
    sql,
    rebuildSql: shop.openPool(),
    slowRebuild: () => {
      begun.resolve();
      return goOn.promise;
    },
    projections,
    events: jarEvents,
    doing,
    logger: pino({ level: "silent" }),
  });
  parts.defer(operating.close);
  parts.defer(() => goOn.resolve());
  await begun.promise;

  // The worker looks at orders by name, so it sees the rebuild no later than the switch.
  await order(waiting, "built");
  await order(ready, "shown");
  await expect.poll(() => phaseOf(ready)).toBe("done");
  expect(doing.sentences().join()).toMatch(/a_book/u);
  expect(doing.sentences().join()).not.toMatch(/b_book/u);
  expect(await phaseOf(waiting)).toBe("waiting");

  goOn.resolve();
  await expect.poll(() => phaseOf(waiting)).toBe("ready");
  expect(await phaseOf(long)).toBe("ready");
});

test("any number of switches that are ordered at once are carried out one after the other", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  const { sql } = shop.database;
  const projections = ["a", "b", "c", "d", "e", "f"].map((name) => bookNamed(`${name}_book`));
  await ensureProjections({ sql, projections, events: jarEvents });
  const order = (wanted: Wanted) =>
    Promise.all(
      projections.map(({ name }, index) => {
        const rebuildId = `00000000-0000-4000-8000-00000000000${index}`;
        return writeOrder(sql, {
          projection: name,
          rebuildId,
          orderId: null,
          wanted,
          acceptHeld: false,
        });
      }),
    );
  const phases = () =>
    Promise.all(projections.map(async ({ name }) => (await readOrder(sql, name))?.phase));
  await order("built");
  for (const projection of projections) {
    await carryOut({ sql, events: jarEvents, pace: () => fullPace }, projection);
  }
  await order("shown");
  const operating = startOperating({
    sql,
    rebuildSql: shop.openPool(),
    slowRebuild: () => Promise.resolve(),
    projections,
    events: jarEvents,
    doing: createDoing(),
    logger: pino({ level: "silent" }),
  });
  parts.defer(operating.close);
  await expect.poll(phases, { timeout: 10_000 }).toEqual(projections.map(() => "done"));
});

test("an order whose tables a start dropped for newer ones has failed, and says why", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  const { sql } = shop.database;
  const book = bookNamed("a_book");
  await ensureProjections({ sql, projections: [book], events: jarEvents });
  const rebuildId = "00000000-0000-4000-8000-000000000001";
  const order = { projection: book.name, rebuildId, orderId: null, acceptHeld: false };
  await writeOrder(sql, { ...order, wanted: "built" });
  await carryOut({ sql, events: jarEvents, pace: () => fullPace }, book);
  expect((await readOrder(sql, book.name))?.phase).toBe("ready");
  const newer = { ...book, version: book.version + 1 };
  await ensureProjections({ sql, projections: [newer], events: jarEvents });
  expect(await readOrder(sql, book.name)).toMatchObject({
    phase: "failed",
    error: expect.stringContaining("The program was upgraded"),
  });
});

test("an order that comes while tables are compared takes the place of the one that is carried out", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openJarShop();
  parts.defer(shop.close);
  const { sql } = shop.database;
  const book = bookNamed("a_book");
  await ensureProjections({ sql, projections: [book], events: jarEvents });
  const order = (wanted: Wanted, rebuildId: string) =>
    writeOrder(sql, { projection: "a_book", rebuildId, orderId: null, wanted, acceptHeld: false });
  await order("built", "00000000-0000-4000-8000-000000000001");
  let looks = 0;
  await carryOut(
    {
      sql,
      events: jarEvents,
      pace: () => fullPace,
      noteEveryMs: 0,
      async onStage({ phase, generation }) {
        if (phase !== "comparing") {
          return;
        }
        looks += 1;
        if (looks === 1) {
          // So many that they are compared in three pieces.
          for (const table of [1, generation]) {
            await sql.unsafe(`insert into read.a_book_jar_sums_g${table}
              select 'jar-' || n, n, n from generate_series(1, 5000) n`);
          }
        } else if (looks === 2) {
          await order("canceled", "00000000-0000-4000-8000-000000000002");
        }
      },
    },
    book,
  );
  expect(looks).toBe(2);
  expect(await readOrder(sql, "a_book")).toMatchObject({ wanted: "canceled", phase: "done" });
});
