// Older events in read tables: read in one shape, upcast once, upcast again when the program changes, and verified.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod/mini";
import type { EventDefinition } from "#ledger/event.ts";
import { defineEvent } from "#ledger/event.ts";
import type { Projection, StoredProjection } from "#ledger/projection/define.ts";
import {
  hashOfDefinition,
  jsonOfDefinition,
  keepDefinition,
} from "#ledger/projection/definition.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { readHeldKeys } from "#ledger/projection/held.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { refoldHeld } from "#ledger/projection/refold.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { NewerUpcastError, renewUpcasts } from "#ledger/projection/upcasts.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { Shape } from "#testing/shop/older-events.ts";
import { foldingOlder, writingShapes } from "#testing/shop/older-events.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents, jarFilled, jarStreams } from "#testing/jar/jar.ts";
import { openLedger } from "#ledger/log/writer.ts";

type Register = ReadonlyMap<string, EventDefinition>;

const register = (definition: EventDefinition): Register =>
  new Map([...jarEvents, [definition.type, definition]]);

const toSecond = (data: unknown) => {
  const { jar, cents } = Object(data) as { jar: string; cents: number };
  return { jar, amount: cents };
};
const toThird = (data: unknown) => {
  const { jar, amount } = Object(data) as { jar: string; amount: number };
  return { jar, money: { amount } };
};
const second = defineEvent("JarFilled", 2, z.object({ jar: z.string(), amount: z.number() }), {
  1: toSecond,
});
const third = defineEvent(
  "JarFilled",
  3,
  z.object({ jar: z.string(), money: z.object({ amount: z.number() }) }),
  { 1: toSecond, 2: toThird },
);
/** A program whose upcast fails on some stored data. */
const stumbling = defineEvent("JarFilled", 2, second.schema, {
  1: (data) => {
    if (Object(data).cents === 66) {
      throw new Error("nobody expected 66");
    }
    return toSecond(data);
  },
});

/** What was filled into each jar, computed only from the data of events. */
function filledBook(version: number, amount: string): Projection {
  return {
    name: "filled_book",
    version,
    tables: [
      {
        name: "filled",
        columns: "position bigint not null, jar text not null, cents bigint not null",
        keys: ["primary key (position)"],
        indexes: [],
      },
    ],
    step: [
      `insert into {table:filled} (position, jar, cents)
       select e.position, e.data ->> 'jar', (${amount})::bigint
       from {events} e
       where e.position > $1::bigint and e.position <= $2::bigint and e.type = 'JarFilled'
         and {key:'jar-' || (e.data ->> 'jar')}`,
    ],
    keysTouched: `
      select distinct s.stream_id as key from {streams} s
      where s.position > $1::bigint and s.position <= $2::bigint`,
    forgetKeys: ["delete from {table:filled} where 'jar-' || jar = any ($1::text[])"],
    streamsOfKey: "array[key]",
  };
}
const firstBook = filledBook(1, "e.data ->> 'cents'");
const secondBook = filledBook(2, "e.data ->> 'amount'");
const thirdBook = filledBook(3, "e.data -> 'money' ->> 'amount'");

let shop: JarShop;
let made = 0;

beforeEach(async () => {
  shop = await openJarShop();
});

afterEach(() => shop.close());

/** Fills a jar, in the shape of version 1 or 2 of the event. */
async function fill(version: 1 | 2, jar: string, cents: number): Promise<void> {
  const shapes = new Map<string, Shape>(
    version === 1 ? [] : [["JarFilled", { schemaVersion: 2, dataOf: toSecond }]],
  );
  const ledger = openLedger({
    sql: shop.openPool(),
    streams: foldingOlder(jarStreams, register(second)),
    events: register(second),
    newId: () => crypto.randomUUID(),
  });
  await writingShapes(ledger, () => shapes).execute(
    fillJar,
    { jar, cents },
    under(`fill-${(made += 1)}`),
  );
  await ledger.close();
}

/** Starts a program and folds the log. */
async function work(definition: EventDefinition, book: Projection): Promise<void> {
  const { sql } = shop.database;
  const events = register(definition);
  await ensureProjections({ sql, projections: [book], events });
  await createRunner({ sql, projections: [book], events }).catchUp();
}

const shown = async () =>
  (await shop.database.sql`select jar, cents from read.filled order by position`).map(
    ({ jar, cents }) => `${String(jar)} ${String(cents)}`,
  );

const kept = async () =>
  (
    await shop.database
      .sql`select position, version, data from read.upcast_events order by position`
  ).map((row) => ({ ...row }));

const problems = async (definition: EventDefinition, book: Projection) => {
  const report = await verifyBooks({
    sql: shop.database.sql,
    events: register(definition),
    streams: jarStreams,
    projections: [book],
    heads: [],
    checks: [],
  });
  return report.problems.map(({ check, position, message }) => `${check} ${position}: ${message}`);
};

describe("a log with events of an older version", () => {
  it("is folded in one shape, whether the old ones came before or in between", async () => {
    await fill(1, "t1", 10);
    await fill(1, "t2", 20);
    await work(second, secondBook);
    await fill(2, "t1", 30);
    await fill(1, "t1", 40);
    await work(second, secondBook);
    expect(await shown()).toEqual(["t1 10", "t2 20", "t1 30", "t1 40"]);
    expect(await kept()).toEqual([
      { position: 1, version: 2, data: { jar: "t1", amount: 10 } },
      { position: 2, version: 2, data: { jar: "t2", amount: 20 } },
      { position: 4, version: 2, data: { jar: "t1", amount: 40 } },
    ]);
    const rebuilt = await rebuildProjection(shop.database.sql, secondBook, {
      events: register(second),
      chunk: 1,
    });
    expect(rebuilt).toMatchObject({ flipped: true, differences: [] });
    expect(await problems(second, secondBook)).toEqual([]);
  });

  it("is read completely by a running service that meets its first old event", async () => {
    const { sql } = shop.database;
    await fill(2, "t1", 10);
    await ensureProjections({ sql, projections: [secondBook], events: register(second) });
    const runner = createRunner({ sql, projections: [secondBook], events: register(second) });
    await runner.catchUp();
    expect(await kept()).toEqual([]);
    await fill(1, "t1", 20);
    await runner.catchUp();
    await fill(2, "t1", 30);
    await runner.catchUp();
    expect(await shown()).toEqual(["t1 10", "t1 20", "t1 30"]);
  });

  it("is upcast once by several processes at the same time", async () => {
    for (const cents of [1, 2, 3, 4, 5, 6]) {
      await fill(1, "t1", cents);
    }
    const events = register(second);
    await ensureProjections({ sql: shop.database.sql, projections: [secondBook], events });
    await Promise.all(
      Array.from({ length: 4 }, () =>
        createRunner({ sql: shop.openPool(), projections: [secondBook], events }).catchUp(),
      ),
    );
    expect(await shown()).toEqual([1, 2, 3, 4, 5, 6].map((cents) => `t1 ${cents}`));
    const [progress] = await shop.database.sql`select version, position, events from read.upcasts`;
    expect(progress).toMatchObject({ version: 2, position: 6, events: 6 });
    expect(await problems(second, secondBook)).toEqual([]);
  });

  it.each([
    ["update read.upcasts set events = 0", "JarFilled has 2 older events up to position 3, not 0"],
    [
      "update read.upcasts set position = 99",
      "JarFilled was not searched for up to position 99: the log ends at 3",
    ],
    ["insert into read.upcasts values ('JarBroken', 7, 0, 0)", "JarBroken has no older versions"],
  ])("tells of a wrong note on what was upcast: %s", async (statement, sentence) => {
    await fill(1, "t1", 10);
    await fill(2, "t1", 20);
    await fill(1, "t1", 30);
    await work(second, secondBook);
    await shop.database.sql.unsafe(statement);
    expect(await problems(second, secondBook)).toContain(
      `projection 0: read.upcasts: ${sentence}. \`npm run rebuild -- all\` makes the rows again`,
    );
  });

  it("is upcast again when the program's version of an event rises, and again when the older program starts", async () => {
    await fill(1, "t1", 10);
    await fill(2, "t2", 20);
    await work(second, secondBook);
    await work(third, thirdBook);
    expect(await shown()).toEqual(["t1 10", "t2 20"]);
    expect((await kept()).map(({ version, data }) => [version, data])).toEqual([
      [3, { jar: "t1", money: { amount: 10 } }],
      [3, { jar: "t2", money: { amount: 20 } }],
    ]);
    expect(await problems(third, thirdBook)).toEqual([]);

    await work(second, secondBook);
    expect(await shown()).toEqual(["t1 10", "t2 20"]);
    expect(await kept()).toEqual([{ position: 1, version: 2, data: { jar: "t1", amount: 10 } }]);
    expect(await problems(second, secondBook)).toEqual([]);
  });

  it("stops an older program that still runs next to a newer one, instead of feeding it the newer shape", async () => {
    const { sql } = shop.database;
    await fill(1, "t1", 10);
    await ensureProjections({ sql, projections: [secondBook], events: register(second) });
    const older = createRunner({ sql, projections: [secondBook], events: register(second) });
    await older.catchUp();
    await ensureProjections({ sql, projections: [], events: register(third) });
    await fill(1, "t1", 20);
    await expect(older.catchUp()).rejects.toThrow(NewerUpcastError);
    expect(await shown()).toEqual(["t1 10"]);
    expect(await readHeldKeys(sql, ["live"], 10)).toEqual([]);
  });
});

describe("an old event that the upcast refuses", () => {
  it("holds its own key back, and the key is folded once the upcast is fixed", async () => {
    const { sql } = shop.database;
    await fill(1, "t1", 10);
    await fill(1, "t2", 66);
    await fill(1, "t1", 20);
    await fill(1, "t2", 66);
    await work(stumbling, secondBook);
    expect(await shown()).toEqual(["t1 10", "t1 20"]);
    expect(await readHeldKeys(sql, ["live"], 10)).toMatchObject([
      { key: "jar-t2", atPosition: 2, error: expect.stringContaining("nobody expected 66") },
    ]);
    expect(await problems(stumbling, secondBook)).toContainEqual(
      "streams 2: Event 2 cannot be folded: nobody expected 66",
    );

    const repaired = await refoldHeld(sql, [secondBook], register(second));
    expect(repaired).toEqual({ refolded: 1, failed: [] });
    expect(await shown()).toEqual(["t1 10", "t2 66", "t1 20", "t2 66"]);
    expect(await problems(second, secondBook)).toEqual([]);
  });
});

describe("the stored rows of old events", () => {
  beforeEach(async () => {
    await fill(1, "t1", 10);
    await fill(2, "t1", 20);
    await work(second, secondBook);
  });

  it.each([
    [
      "missing",
      "delete from read.upcast_events",
      "projection 1: read.upcast_events, event 1: an older JarFilled has no row",
    ],
    [
      "wrong",
      `update read.upcast_events set data = '{"jar": "t1", "amount": 11}'`,
      "projection 1: read.upcast_events, event 1: the row is not what the upcast makes of it",
    ],
    [
      "of another version",
      "update read.upcast_events set version = 1",
      "projection 1: read.upcast_events, event 1: the row is not what the upcast makes of it",
    ],
    [
      "superfluous",
      `insert into read.upcast_events values (2, 2, '{"jar": "t1", "amount": 20}', null)`,
      "projection 2: read.upcast_events, event 2: there is a row, but no older event",
    ],
  ])("are a finding if one is %s", async (_what, change, finding) => {
    await shop.database.sql.unsafe(change);
    expect(await problems(second, secondBook)).toContainEqual(expect.stringContaining(finding));
  });

  it("are all made again by the repair that a rebuild begins with", async () => {
    const { sql } = shop.database;
    const before = await kept();
    await sql`update read.upcast_events set data = '{"jar": "t1", "amount": 11}'`;
    await sql`insert into read.upcast_events values (2, 2, '{"jar": "t1", "amount": 20}', null)`;
    await renewUpcasts(sql, register(second));
    expect(await kept()).toEqual(before);
    expect(await problems(second, secondBook)).toEqual([]);
  });

  it("are made again by the next step if one is missing, and nothing is held back for it", async () => {
    const { sql } = shop.database;
    await sql`delete from read.upcast_events`;
    const rebuilt = await rebuildProjection(sql, secondBook, { events: register(second) });
    expect(rebuilt).toMatchObject({ flipped: true, differences: [], heldCount: 0 });
    expect(await problems(second, secondBook)).toEqual([]);
  });
});

describe("tables that an older program filled", () => {
  /** The same definition as it was stored then. */
  const { streamsOfKey: _streamsOfKey, ...part } = firstBook;
  const before: StoredProjection = {
    ...part,
    step: part.step.map((text) => text.replaceAll("{events}", "log.events")),
    keysTouched: part.keysTouched.replaceAll("{streams}", "log.event_streams"),
    streamOfKey: "key",
  };

  async function fillAsBefore(): Promise<void> {
    const { sql } = shop.database;
    await ensureProjections({ sql, projections: [firstBook], events: jarEvents });
    await sql`update read.definitions set definition = ${jsonOfDefinition(before)}::text::jsonb`;
    await sql`update read.projections set definition_hash = ${hashOfDefinition(before)}`;
    await createRunner({ sql, projections: [firstBook], events: jarEvents }).catchUp();
  }

  it("are still fed by their own definition, which reads the log itself", async () => {
    const { sql } = shop.database;
    await fill(1, "t1", 10);
    await fillAsBefore();
    await fill(1, "t2", 20);
    await createRunner({ sql, projections: [firstBook], events: jarEvents }).catchUp();
    expect(await shown()).toEqual(["t1 10", "t2 20"]);
    await sql`insert into read.quarantine values ('filled_book', 1, 'jar-t1', 1, 'x')`;
    await sql`delete from read.filled_g1 where jar = 't1'`;
    const other = { ...firstBook, tables: [{ ...tableOf(firstBook), indexes: ["(jar)"] }] };
    expect(await refoldHeld(sql, [other], jarEvents)).toEqual({ refolded: 1, failed: [] });
    expect(await shown()).toEqual(["t1 10", "t2 20"]);
  });

  it("use the program's step after the next start, also those that can be taken back", async () => {
    const { sql } = shop.database;
    await fill(1, "t1", 10);
    await fillAsBefore();
    await rebuildProjection(sql, firstBook, { events: jarEvents });
    await keepDefinition(sql, 2, firstBook);
    await work(jarFilled, firstBook);
    expect(await readGenerations(sql)).toMatchObject([
      { generation: 1, state: "previous", version: 1 },
      { generation: 2, state: "live", version: 1 },
    ]);
    expect(await problems(jarFilled, firstBook)).toEqual([]);
  });
});

function tableOf({ tables: [table] }: Projection) {
  if (table === undefined) {
    throw new Error("no table");
  }
  return table;
}
