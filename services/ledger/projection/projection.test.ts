// The read tables' promises: live equals replay, nobody notices a rebuild, and one bad key stops nothing else.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { countHeldKeys, readHeldKeys } from "#ledger/projection/held.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import { cancelRebuild, rebuildProjection } from "#ledger/projection/rebuild.ts";
import { takeBack } from "#ledger/projection/take-back.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { fillJar, payOut, jarEvents } from "#testing/jar/jar.ts";

let shop: JarShop;
let made = 0;

beforeEach(async () => {
  shop = await openJarShop();
  await ensureProjections({ sql: shop.database.sql, projections: [jarBook], events: jarEvents });
});

afterEach(() => shop.close());

async function trade(count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const key = `trade-${(made += 1)}`;
      const jar = `t${index % 5}`;
      return index % 3 === 2
        ? shop.ledger.execute(payOut, { from: jar, to: "sink", cents: 7 }, under(key))
        : shop.ledger.execute(fillJar, { jar, cents: 20 + index }, under(key));
    }),
  );
}

const sums = () =>
  shop.database.sql`select jar, cents, last_position from read.jar_sums order by jar`;
const lines = () =>
  shop.database.sql`select jar, line, position, cents_after from read.jar_lines order by jar, line`;

/** The expected contents of the tables, computed from the postings in TypeScript. */
async function oracle() {
  const rows = await shop.database.sql<
    { position: number; from_account: string; to_account: string; cents: number }[]
  >`select position, from_account, to_account, cents from log.postings order by position, ordinal`;
  const books = new Map<
    string,
    { jar: string; line: number; position: number; cents_after: number }[]
  >();
  for (const row of rows) {
    for (const [jar, cents] of [
      [row.from_account, -row.cents],
      [row.to_account, row.cents],
    ] as const) {
      if (jar.startsWith("jar-")) {
        const book = books.get(jar) ?? [];
        const last = book.at(-1)?.cents_after ?? 0;
        book.push({
          jar,
          line: book.length + 1,
          position: row.position,
          cents_after: last + cents,
        });
        books.set(jar, book);
      }
    }
  }
  return [...books.keys()].sort().flatMap((jar) => books.get(jar) ?? []);
}

describe("feeding", () => {
  it("shows the same lines live, batch by batch, as the fold of the whole log", async () => {
    const runner = createRunner({
      sql: shop.database.sql,
      projections: [jarBook],
      events: jarEvents,
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
      createRunner({ sql: shop.openPool(), projections: [jarBook], events: jarEvents }),
    );
    await Promise.all(runners.map((runner) => runner.catchUp()));
    expect([...(await lines())]).toEqual(await oracle());
  });

  it("does not run the step of a projection whose keys were not touched, and moves its checkpoint", async () => {
    // Running this step would fail, and its one key is touched by nothing but fills of jar-rare.
    const rare: Projection = {
      ...jarBook,
      name: "rare",
      tables: [{ name: "rare", columns: "jar text", keys: [], indexes: [] }],
      step: ["select 1 / 0 where $1::bigint < $2::bigint"],
      keysTouched: `
        select distinct p.to_account as key from {postings} p
        where p.position > $1::bigint and p.position <= $2::bigint and p.to_account = 'jar-rare'`,
      forgetKeys: [],
    };
    const { sql } = shop.database;
    const projections = [jarBook, rare];
    await ensureProjections({ sql, projections, events: jarEvents });
    const runner = createRunner({ sql, projections, events: jarEvents });
    await trade(10);
    await runner.catchUp();
    expect(await lines()).toEqual(await oracle());
    const behind = await readGenerations(sql);
    expect(new Set(behind.map(({ position }) => position)).size).toBe(1);
    await shop.ledger.execute(fillJar, { jar: "rare", cents: 5 }, under("rare"));
    await expect(runner.catchUp()).rejects.toThrow("division by zero");
    expect(await lines()).toEqual(await oracle());
  });

  it("shares a round among calls that come while one is running, and misses nothing", async () => {
    const runner = createRunner({
      sql: shop.database.sql,
      projections: [jarBook],
      events: jarEvents,
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
        projections: [jarBook],
        events: jarEvents,
      }).catchUp();
      return [...(await lines())];
    })();
    const result = await rebuildProjection(shop.database.sql, jarBook, {
      events: jarEvents,
      chunk: 17,
    });
    expect(result).toMatchObject({ flipped: true, differences: [], generation: 2 });
    expect([...(await lines())]).toEqual(before);
  });

  it("shows the difference that a wrong live row makes, and fixes it with the flip", async () => {
    await trade(30);
    await createRunner({
      sql: shop.database.sql,
      projections: [jarBook],
      events: jarEvents,
    }).catchUp();
    const right = [...(await sums())];
    await shop.database.sql`update read.jar_sums_g1 set cents = cents + 1 where jar = 'jar-t1'`;
    const result = await rebuildProjection(shop.database.sql, jarBook, { events: jarEvents });
    expect(result.differences).toMatchObject([{ table: "jar_sums", rows: 2 }]);
    expect([...(await sums())]).toEqual(right);
  });

  it("says why tables get no further whose step fails as a whole, and repairs them", async () => {
    const { sql, ownerSql } = shop.database;
    await trade(20);
    const runner = createRunner({ sql, projections: [jarBook], events: jarEvents });
    await runner.catchUp();
    await ownerSql`alter table read.jar_lines_g1 rename column cents_after to spoilt`;
    await trade(5);
    const reason =
      /The shown tables of jar_book get no further than event \d+: column "cents_after" of relation "jar_lines_g1" does not exist/u;
    await expect(runner.catchUp()).rejects.toThrow(reason);
    const preview = { events: jarEvents, mayFlip: () => false };
    expect(await rebuildProjection(sql, jarBook, preview)).toMatchObject({
      flipped: false,
      differences: undefined,
      stuck: expect.stringMatching(reason),
    });
    await rebuildProjection(sql, jarBook, { events: jarEvents });
    expect([...(await lines())]).toEqual(await oracle());
  });

  it("keeps feeding the previous tables, so that a flip can be taken back", async () => {
    await trade(20);
    await rebuildProjection(shop.database.sql, jarBook, { events: jarEvents });
    await trade(20);
    await createRunner({
      sql: shop.database.sql,
      projections: [jarBook],
      events: jarEvents,
    }).catchUp();
    expect(await takeBack(shop.database.sql, jarBook, jarEvents)).toEqual({
      kind: "taken-back",
      generation: 1,
      differing: 0,
    });
    expect([...(await lines())]).toEqual(await oracle());
  });

  it("resumes a stopped rebuild where it was, and drops a canceled one", async () => {
    await trade(60);
    const stop = new AbortController();
    const stopped = rebuildProjection(shop.database.sql, jarBook, {
      events: jarEvents,
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
    await rebuildProjection(shop.database.sql, jarBook, {
      events: jarEvents,
      chunk: 10,
      onProgress: (position) => seen.push(position),
    });
    expect(seen[0]).toBe(30);
    expect(await cancelRebuild(shop.database.sql, jarBook)).toBe(0);
  });

  it("does not stop reads and live feeding while it runs", async () => {
    await trade(100);
    const runner = createRunner({
      sql: shop.openPool(),
      projections: [jarBook],
      events: jarEvents,
    });
    const rebuilt = rebuildProjection(shop.openPool(), jarBook, { events: jarEvents, chunk: 5 });
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
    const first = rebuildProjection(shop.openPool(), jarBook, {
      events: jarEvents,
      mayFlip: async () => {
        const waiting = Promise.withResolvers<void>();
        second = rebuildProjection(shop.openPool(), jarBook, {
          events: jarEvents,
          onWaiting: (name) => {
            seen.push(name);
            waiting.resolve();
          },
        });
        third = rebuildProjection(shop.openPool(), jarBook, {
          events: jarEvents,
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
    expect(seen).toEqual(["jar_book"]);
    expect(await readGenerations(shop.database.sql)).toMatchObject([
      { generation: 2, state: "previous" },
      { generation: 3, state: "live" },
    ]);
  });

  it("makes the tables of a newer version before anything reads them", async () => {
    await trade(20);
    const newer: Projection = {
      ...jarBook,
      version: 2,
      tables: jarBook.tables.map((table) =>
        table.name === "jar_sums"
          ? { ...table, columns: `${table.columns}, color text not null default 'red'` }
          : table,
      ),
    };
    const built: string[] = [];
    const ensure = () =>
      ensureProjections({
        sql: shop.database.sql,
        projections: [newer],
        events: jarEvents,
        onNews: ({ kind, projection, version }) =>
          void built.push(`${kind} ${projection} ${version}`),
      });
    await ensure();
    await ensure();
    expect(built).toEqual(["begun jar_book 2", "shown jar_book 2"]);
    const [row] = await shop.database.sql`select color from read.jar_sums limit 1`;
    expect(row).toEqual({ color: "red" });
  });
});

describe("quarantine", () => {
  it("holds back no key when the disk is full, and continues when there is space", async () => {
    const { sql } = shop.database;
    await trade(30);
    await sql`
      create function read.refuse_room() returns trigger language plpgsql as $$
      begin
        if new.jar = 'jar-t3' then
          raise exception 'could not extend file: No space left on device' using errcode = '53100';
        end if;
        return new;
      end $$`;
    await sql`
      create trigger no_room before insert on read.jar_lines_g1
      for each row execute function read.refuse_room()`;
    const runner = createRunner({ sql, projections: [jarBook], events: jarEvents });
    await expect(runner.catchUp()).rejects.toThrow("No space left on device");
    expect(await countHeldKeys(sql)).toEqual([]);
    await sql`drop trigger no_room on read.jar_lines_g1`;
    await runner.catchUp();
    expect([...(await lines())]).toEqual(await oracle());
  });

  it("holds back the one key that cannot be applied, keeps folding all others, and repairs it afterwards", async () => {
    const { sql } = shop.database;
    await sql`alter table read.jar_sums_g1 add constraint poison check (jar <> 'jar-t3' or cents < 50)`;
    const reported: string[] = [];
    const runner = createRunner({
      sql,
      projections: [jarBook],
      events: jarEvents,
      onHeld: ({ projection, keys }) => reported.push(`${projection} ${keys.join()}`),
    });
    await trade(120);
    await runner.catchUp();
    await trade(20);
    await runner.catchUp();

    expect(reported).toEqual(["jar_book jar-t3"]);
    const [quarantined] = await readHeldKeys(sql, ["live"], 10);
    expect(quarantined).toMatchObject({ key: "jar-t3", error: expect.stringContaining("poison") });
    const expected = await oracle();
    expect((await lines()).filter((line) => line.jar !== "jar-t3")).toEqual(
      expected.filter((line) => line.jar !== "jar-t3"),
    );

    await sql`alter table read.jar_sums_g1 drop constraint poison`;
    const [live] = await readGenerations(sql);
    if (live === undefined) {
      throw new Error("no generation");
    }
    await refoldKeys(sql, jarBook, live, ["jar-t3"], createUpcasts(sql, jarEvents));
    await trade(10);
    await runner.catchUp();
    expect([...(await lines())]).toEqual(await oracle());
    expect(await countHeldKeys(sql)).toEqual([]);
  });
});
