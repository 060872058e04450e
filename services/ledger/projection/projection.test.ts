// The read tables' promises: live equals replay, nobody notices a rebuild, and one bad key stops nothing else.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { countHeldKeys, readHeldKeys } from "#ledger/projection/held.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import { cancelRebuild, rebuildProjection, takeBack } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import type { TillShop } from "#testing/till/till-shop.ts";
import { openTillShop, under } from "#testing/till/till-shop.ts";
import { tillBook } from "#testing/till/till-projection.ts";
import { fillTill, payOut, tillEvents } from "#testing/till/till.ts";

let shop: TillShop;
let made = 0;

beforeEach(async () => {
  shop = await openTillShop();
  await ensureProjections({ sql: shop.database.sql, projections: [tillBook], events: tillEvents });
});

afterEach(() => shop.close());

async function trade(count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const key = `trade-${(made += 1)}`;
      const till = `t${index % 5}`;
      return index % 3 === 2
        ? shop.ledger.execute(payOut, { from: till, to: "sink", cents: 7 }, under(key))
        : shop.ledger.execute(fillTill, { till, cents: 20 + index }, under(key));
    }),
  );
}

const sums = () =>
  shop.database.sql`select till, cents, last_position from read.till_sums order by till`;
const lines = () =>
  shop.database
    .sql`select till, line, position, cents_after from read.till_lines order by till, line`;

/** The expected contents of the tables, computed from the postings in TypeScript. */
async function oracle() {
  const rows = await shop.database.sql<
    { position: number; from_account: string; to_account: string; cents: number }[]
  >`select position, from_account, to_account, cents from log.postings order by position, ordinal`;
  const books = new Map<
    string,
    { till: string; line: number; position: number; cents_after: number }[]
  >();
  for (const row of rows) {
    for (const [till, cents] of [
      [row.from_account, -row.cents],
      [row.to_account, row.cents],
    ] as const) {
      if (till.startsWith("till-")) {
        const book = books.get(till) ?? [];
        const last = book.at(-1)?.cents_after ?? 0;
        book.push({
          till,
          line: book.length + 1,
          position: row.position,
          cents_after: last + cents,
        });
        books.set(till, book);
      }
    }
  }
  return [...books.keys()].sort().flatMap((till) => books.get(till) ?? []);
}

describe("feeding", () => {
  it("shows the same lines live, batch by batch, as the fold of the whole log", async () => {
    const runner = createRunner({
      sql: shop.database.sql,
      projections: [tillBook],
      events: tillEvents,
    });
    for (const count of [1, 30, 2, 90]) {
      await trade(count);
      await runner.catchUp();
    }
    expect([...(await lines())]).toEqual(await oracle());
  });

  it("applies each event once, however many workers are woken at once", async () => {
    await trade(60);
    const runners = Array.from({ length: 6 }, () =>
      createRunner({ sql: shop.openPool(), projections: [tillBook], events: tillEvents }),
    );
    await Promise.all(runners.map((runner) => runner.catchUp()));
    expect([...(await lines())]).toEqual(await oracle());
  });

  it("shares a round among calls that come while one is running, and misses nothing", async () => {
    const runner = createRunner({
      sql: shop.database.sql,
      projections: [tillBook],
      events: tillEvents,
    });
    const rounds: Promise<void>[] = [];
    for (let index = 0; index < 30; index += 1) {
      await trade(1);
      rounds.push(runner.catchUp());
    }
    await Promise.all(rounds);
    expect([...(await lines())]).toEqual(await oracle());
  });
});

describe("rebuilding", () => {
  it("folds the log into new tables and finds no difference to the live ones", async () => {
    await trade(200);
    const before = await (async () => {
      await createRunner({
        sql: shop.database.sql,
        projections: [tillBook],
        events: tillEvents,
      }).catchUp();
      return [...(await lines())];
    })();
    const result = await rebuildProjection(shop.database.sql, tillBook, {
      events: tillEvents,
      chunk: 17,
    });
    expect(result).toMatchObject({ flipped: true, differences: [], generation: 2 });
    expect([...(await lines())]).toEqual(before);
  });

  it("shows the difference that a wrong live row makes, and fixes it with the flip", async () => {
    await trade(30);
    await createRunner({
      sql: shop.database.sql,
      projections: [tillBook],
      events: tillEvents,
    }).catchUp();
    const right = [...(await sums())];
    await shop.database.sql`update read.till_sums_g1 set cents = cents + 1 where till = 'till-t1'`;
    const result = await rebuildProjection(shop.database.sql, tillBook, { events: tillEvents });
    expect(result.differences).toMatchObject([{ table: "till_sums", rows: 2 }]);
    expect([...(await sums())]).toEqual(right);
  });

  it("keeps feeding the previous tables, so that a flip can be taken back", async () => {
    await trade(20);
    await rebuildProjection(shop.database.sql, tillBook, { events: tillEvents });
    await trade(20);
    await createRunner({
      sql: shop.database.sql,
      projections: [tillBook],
      events: tillEvents,
    }).catchUp();
    expect(await takeBack(shop.database.sql, tillBook, tillEvents)).toEqual({
      kind: "taken-back",
      generation: 1,
      differing: 0,
    });
    expect([...(await lines())]).toEqual(await oracle());
  });

  it("resumes a stopped rebuild where it was, and drops a canceled one", async () => {
    await trade(60);
    const stop = new AbortController();
    const stopped = rebuildProjection(shop.database.sql, tillBook, {
      events: tillEvents,
      chunk: 10,
      signal: stop.signal,
      onProgress: (position) => {
        if (position >= 20) {
          stop.abort();
        }
      },
    });
    await expect(stopped).rejects.toThrow("aborted");
    const generation = () =>
      readGenerations(shop.database.sql).then((all) => all.find((entry) => entry.generation === 2));
    expect(await generation()).toMatchObject({ state: "building", position: 20 });
    const seen: number[] = [];
    await rebuildProjection(shop.database.sql, tillBook, {
      events: tillEvents,
      chunk: 10,
      onProgress: (position) => seen.push(position),
    });
    expect(seen[0]).toBe(30);
    expect(await cancelRebuild(shop.database.sql, tillBook)).toBe(0);
  });

  it("does not stop reads and live feeding while it runs", async () => {
    await trade(100);
    const runner = createRunner({
      sql: shop.openPool(),
      projections: [tillBook],
      events: tillEvents,
    });
    const rebuilt = rebuildProjection(shop.openPool(), tillBook, { events: tillEvents, chunk: 5 });
    for (let index = 0; index < 20; index += 1) {
      await trade(2);
      await runner.catchUp();
      expect((await sums()).length).toBeGreaterThan(0);
    }
    await rebuilt;
    await runner.catchUp();
    expect([...(await lines())]).toEqual(await oracle());
  });

  it("runs one after the other if two are started at once, or stops waiting", async () => {
    await trade(30);
    const seen: string[] = [];
    const stop = new AbortController();
    let second: ReturnType<typeof rebuildProjection> | undefined;
    let third: ReturnType<typeof rebuildProjection> | undefined;
    const first = rebuildProjection(shop.openPool(), tillBook, {
      events: tillEvents,
      mayFlip: async () => {
        const waiting = Promise.withResolvers<void>();
        second = rebuildProjection(shop.openPool(), tillBook, {
          events: tillEvents,
          onWaiting: (name) => {
            seen.push(name);
            waiting.resolve();
          },
        });
        third = rebuildProjection(shop.openPool(), tillBook, {
          events: tillEvents,
          onWaiting: () => stop.abort(new Error("no patience")),
          signal: stop.signal,
        });
        await waiting.promise;
        await expect(third).rejects.toThrow("no patience");
        return true;
      },
    });
    expect(await first).toMatchObject({ generation: 2, flipped: true });
    expect(await second).toMatchObject({ generation: 3, flipped: true, differences: [] });
    expect(seen).toEqual(["till_book"]);
    expect(await readGenerations(shop.database.sql)).toMatchObject([
      { generation: 2, state: "previous" },
      { generation: 3, state: "live" },
    ]);
  });

  it("makes the tables of a newer version before anything reads them", async () => {
    await trade(20);
    const newer: Projection = {
      ...tillBook,
      version: 2,
      tables: tillBook.tables.map((table) =>
        table.name === "till_sums"
          ? { ...table, columns: `${table.columns}, colour text not null default 'red'` }
          : table,
      ),
    };
    await ensureProjections({ sql: shop.database.sql, projections: [newer], events: tillEvents });
    const [row] = await shop.database.sql`select colour from read.till_sums limit 1`;
    expect(row).toEqual({ colour: "red" });
  });
});

describe("quarantine", () => {
  it("holds back no key when the disk is full, and continues when there is space", async () => {
    const { sql } = shop.database;
    await trade(30);
    await sql`
      create function read.refuse_room() returns trigger language plpgsql as $$
      begin
        if new.till = 'till-t3' then
          raise exception 'could not extend file: No space left on device' using errcode = '53100';
        end if;
        return new;
      end $$`;
    await sql`
      create trigger no_room before insert on read.till_lines_g1
      for each row execute function read.refuse_room()`;
    const runner = createRunner({ sql, projections: [tillBook], events: tillEvents });
    await expect(runner.catchUp()).rejects.toThrow("No space left on device");
    expect(await countHeldKeys(sql)).toEqual([]);
    await sql`drop trigger no_room on read.till_lines_g1`;
    await runner.catchUp();
    expect([...(await lines())]).toEqual(await oracle());
  });

  it("holds back the one key that cannot be applied, keeps folding all others, and repairs it afterwards", async () => {
    const { sql } = shop.database;
    await sql`alter table read.till_sums_g1 add constraint poison check (till <> 'till-t3' or cents < 50)`;
    const told: string[] = [];
    const runner = createRunner({
      sql,
      projections: [tillBook],
      events: tillEvents,
      onHeld: ({ projection, keys }) => told.push(`${projection} ${keys.join()}`),
    });
    await trade(120);
    await runner.catchUp();
    await trade(20);
    await runner.catchUp();

    expect(told).toEqual(["till_book till-t3"]);
    const [quarantined] = await readHeldKeys(sql, ["live"], 10);
    expect(quarantined).toMatchObject({ key: "till-t3", error: expect.stringContaining("poison") });
    const expected = await oracle();
    expect((await lines()).filter((line) => line.till !== "till-t3")).toEqual(
      expected.filter((line) => line.till !== "till-t3"),
    );

    await sql`alter table read.till_sums_g1 drop constraint poison`;
    const [live] = await readGenerations(sql);
    if (live === undefined) {
      throw new Error("no generation");
    }
    await refoldKeys(sql, tillBook, live, ["till-t3"], createUpcasts(sql, tillEvents));
    await trade(10);
    await runner.catchUp();
    expect([...(await lines())]).toEqual(await oracle());
    expect(await countHeldKeys(sql)).toEqual([]);
  });
});
