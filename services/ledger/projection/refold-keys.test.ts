// One key is folded again from only the events of its streams, however long the log is, and nobody waits for it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createFeedReader } from "#ledger/projection/feeds.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { NO_OLDER_EVENTS } from "#ledger/projection/sources.ts";
import { isOvertaken, stepTogether } from "#ledger/projection/step.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import { jarBook, jarShelfBook } from "#testing/jar/jar-projection.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents } from "#testing/jar/jar.ts";

const EVENTS = 2_000;

let shop: JarShop;

beforeAll(async () => {
  shop = await openJarShop();
  const { sql, ownerSql } = shop.database;
  await ensureProjections({ sql, projections: [jarBook], events: jarEvents });
  await Promise.all(
    Array.from({ length: EVENTS }, (_, index) =>
      shop.ledger.execute(
        fillJar,
        { jar: index % 500 === 7 ? "rare" : `t${index % 3}`, cents: 1 + (index % 9) },
        under(`f${index}`),
      ),
    ),
  );
  await createRunner({ sql, projections: [jarBook], events: jarEvents }).catchUp();
  await ownerSql`analyze`;
}, 60_000);

afterAll(() => shop.close());

const book = () => shop.database.sql`
  select jar, line, cents_after from read.jar_lines order by jar, line`;

async function liveBook() {
  const [live] = await readGenerations(shop.database.sql);
  if (live === undefined) {
    throw new Error("no generation");
  }
  return live;
}

/** How many rows of the log's tables all connections have read so far. */
async function rowsRead(): Promise<number> {
  const { sql } = shop.database;
  await sql`select pg_stat_clear_snapshot()`;
  const [row] = await sql<{ rows: number }[]>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as rows
    from pg_stat_user_tables where schemaname = 'log'`;
  return row?.rows ?? 0;
}

it("reads the rows of the key's own events and no others", async () => {
  const { appUrl } = shop.database;
  const single = connect(appUrl, { applicationName: "refold", maxConnections: 2 });
  const before = [...(await book())];
  const live = await liveBook();
  const upcasts = createUpcasts(single, jarEvents);
  // Connections report what they read on request.
  const report = async () => {
    await single`select pg_stat_force_next_flush()`;
    await single`select 1`;
  };
  // Other connections may report earlier reads at any time, which only adds to the count: take the lowest of several.
  const counts: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    await single`update read.jar_sums_g1 set cents = 0 where jar = 'jar-rare'`;
    await report();
    const start = await rowsRead();
    await refoldKeys(single, jarBook, live, ["jar-rare"], upcasts);
    await report();
    counts.push((await rowsRead()) - start);
  }
  const own = EVENTS / 500;
  // Each of the two statements reads postings once for each account; the event that a key is held for is read besides.
  expect(Math.min(...counts)).toBeGreaterThan(own);
  expect(Math.min(...counts)).toBeLessThan(own * 10);
  expect([...(await book())]).toEqual(before);
  const [sum] = await single`select cents from read.jar_sums where jar = 'jar-rare'`;
  expect(sum?.["cents"]).toBe(
    Array.from({ length: EVENTS }, (_, index) => (index % 500 === 7 ? 1 + (index % 9) : 0)).reduce(
      (total, cents) => total + cents,
      0,
    ),
  );
  await single.end();
});

it("does not touch shown rows until the key is ready, and changes nothing if it cannot be folded", async () => {
  const { sql } = shop.database;
  const before = [...(await book())];
  const broken = {
    ...jarBook,
    step: [
      ...jarBook.step,
      "select 1 / (count(*) - count(*)) from {postings} where position > $1::bigint and position <= $2::bigint and {key:to_account}",
    ],
  };
  const upcasts = createUpcasts(sql, jarEvents);
  const failed = refoldKeys(sql, broken, await liveBook(), ["jar-rare"], upcasts);
  await expect(failed).rejects.toThrow("division by zero");
  expect([...(await book())]).toEqual(before);
});

it("includes events that are appended and folded while it runs", async () => {
  const { sql } = shop.database;
  await shop.ledger.execute(fillJar, { jar: "rare", cents: 5 }, under("late"));
  const stale = await liveBook();
  const reader = createUpcasts(sql, jarEvents);
  // The runner moves on between the fold and the swap: here, during the first check for older events.
  const upcasts = {
    ...reader,
    bringTo: async (...given: Parameters<typeof reader.bringTo>) => {
      const older = await reader.bringTo(...given);
      await createRunner({ sql, projections: [jarBook], events: jarEvents }).catchUp();
      return older;
    },
  };
  await refoldKeys(sql, jarBook, stale, ["jar-rare"], upcasts);
  const [line] = await sql`
    select line from read.jar_lines where jar = 'jar-rare' order by line desc limit 1`;
  expect(line?.["line"]).toBe(EVENTS / 500 + 1);
});

it("refuses a step that was to leave a key out which was released meanwhile, and the next one has its events", async () => {
  const { sql } = shop.database;
  const live = await liveBook();
  await sql`
    insert into read.quarantine (projection, generation, key, at_position, error)
    values (${live.name}, ${live.generation}, 'jar-rare', ${live.position}, 'a test')`;
  const { feeds } = await createFeedReader(sql, [jarBook])();
  expect(feeds.map(({ quarantined }) => quarantined)).toEqual([["jar-rare"]]);
  await shop.ledger.execute(fillJar, { jar: "rare", cents: 7 }, under("left out"));
  await refoldKeys(sql, jarBook, live, ["jar-rare"], createUpcasts(sql, jarEvents));
  const goal = { through: live.position + 1, older: NO_OLDER_EVENTS, commit: "off" } as const;
  const late = await stepTogether(sql, feeds, goal).catch((error: unknown) => error);
  expect(isOvertaken(late)).toBe(true);
  expect((await liveBook()).position).toBe(live.position);
  await createRunner({ sql, projections: [jarBook], events: jarEvents }).catchUp();
  const [sum] = await sql`select cents from read.jar_sums where jar = 'jar-rare'`;
  const [posted] = await sql`
    select sum(cents)::bigint as cents from log.postings where to_account = 'jar-rare'`;
  expect(sum).toEqual(posted);
});

it("makes totals of several keys right again, with the keys that were not folded", async () => {
  const { sql } = shop.database;
  const projections = [jarShelfBook];
  await ensureProjections({ sql, projections, events: jarEvents });
  await createRunner({ sql, projections, events: jarEvents }).catchUp();
  const tables = async () => ({
    levels: [...(await sql`select * from read.jar_levels order by jar`)],
    shelves: [...(await sql`select * from read.jar_shelves order by shelf`)],
  });
  const before = await tables();
  const [filled] = await sql<{ cents: number }[]>`
    select sum(cents)::bigint as cents from log.postings where to_account like 'jar-t%'`;
  expect(before.shelves.map(({ shelf, jars }) => [shelf, jars])).toEqual([
    ["r", 1],
    ["t", 3],
  ]);
  expect(before.shelves[1]?.["cents"]).toBe(filled?.cents);
  const live = (await readGenerations(sql)).find(({ name }) => name === jarShelfBook.name);
  await sql`update read.jar_levels_g1 set cents = 1 where jar in ('jar-t1', 'jar-rare')`;
  await sql`update read.jar_shelves_g1 set cents = 2, jars = 9`;
  const upcasts = createUpcasts(sql, jarEvents);
  await refoldKeys(sql, jarShelfBook, live ?? (await liveBook()), ["jar-t1", "jar-rare"], upcasts);
  expect(await tables()).toEqual(before);
});
