// Events that cannot be folded: their keys are held back and reported, never hidden; tables that would hide more are
// not shown.
import * as z from "zod/mini";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";
import { defineEvent, emit } from "#ledger/event.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { describeNotShown, ensureProjections } from "#ledger/projection/ensure.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { countHeldKeys, readHeldKeys } from "#ledger/projection/held.ts";
import { NewerEventError } from "#ledger/projection/newer-events.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { takeBack } from "#ledger/projection/take-back.ts";
import { refoldHeld } from "#ledger/projection/refold.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { jarBook, poisonedJarBook } from "#testing/jar/jar-projection.ts";
import { fillJar, HAPPENED_AT, jarEvents, jarStreams } from "#testing/jar/jar.ts";

let shop: JarShop;
let made = 0;

beforeEach(async () => {
  shop = await openJarShop();
  await ensure(jarBook);
});

afterEach(() => shop.close());

const poisoned = (version: number, jars = "t3") => poisonedJarBook(version, `jar-${jars}`);

const ensure = (projection: Projection) =>
  ensureProjections({ sql: shop.database.sql, projections: [projection], events: jarEvents });

const runnerOf = (...projections: Projection[]) =>
  createRunner({ sql: shop.database.sql, projections, events: jarEvents });

async function fill(...jars: string[]): Promise<void> {
  for (const jar of jars) {
    await shop.ledger.execute(fillJar, { jar, cents: 20 }, under(`fill-${(made += 1)}`));
  }
}

const sums = async () =>
  Object.fromEntries(
    (
      await shop.database.sql<{ jar: string; cents: number }[]>`
        select jar, cents from read.jar_sums order by jar`
    ).map(({ jar, cents }) => [jar, cents]),
  );

const verify = (projection = jarBook) =>
  verifyBooks({
    sql: shop.database.sql,
    events: jarEvents,
    streams: jarStreams,
    projections: [projection],
    heads: [],
    checks: [],
  });

describe("a newer version that cannot fold some events", () => {
  it("is not shown, and the shown tables are still fed by their own definition", async () => {
    await fill("t1", "t3", "t2");
    await runnerOf(jarBook).catchUp();
    const [refused] = await ensure(poisoned(2));
    expect(refused).toMatchObject({
      projection: "jar_book",
      version: 2,
      shownVersion: 1,
      cannotServe: null,
      held: [{ key: "jar-t3", atPosition: 2, error: "division by zero" }],
    });
    await fill("t3");
    await runnerOf(poisoned(2)).catchUp();
    expect(await sums()).toEqual({ "jar-t1": 20, "jar-t2": 20, "jar-t3": 40 });
    const said = refused === undefined ? "" : describeNotShown(refused);
    expect(said).toContain("jar-t3, at event 2: division by zero");
    expect(said).toContain("npm run rebuild -- jar_book --accept-held");
  });

  it("whose step fails as a whole says what helps, which is not to accept held rows", async () => {
    await fill("t1");
    await runnerOf(jarBook).catchUp();
    const broken = {
      ...jarBook,
      version: 2,
      step: ["insert into {table:jar_sums} select nowhere"],
    };
    const [refused] = await ensure(broken);
    const said = refused === undefined ? "" : describeNotShown(refused);
    expect(said).toContain(
      'column "nowhere" does not exist. The tables of version 1 are still shown',
    );
    expect(said).not.toContain("--preview");
    expect(said).not.toContain("--accept-held");
    expect(said).toContain("Fix the step and start again, or start the previous version.");
    expect(said).toContain("npm run rebuild -- jar_book --cancel");
  });

  it("stops the program from serving if the shown tables lack a column that it reads", async () => {
    await fill("t3");
    await runnerOf(jarBook).catchUp();
    const newer = poisoned(2);
    const tables = newer.tables.map((table) => ({
      ...table,
      columns: `${table.columns}, color text not null default 'red'`,
    }));
    const [refused] = await ensure({ ...newer, tables });
    expect(refused?.cannotServe).toBe("they lack jar_sums.color text, jar_lines.color text");
  });

  it("is shown once somebody accepts the held keys", async () => {
    await fill("t1", "t3");
    await runnerOf(jarBook).catchUp();
    await ensure(poisoned(2));
    const { sql } = shop.database;
    const refused = await rebuildProjection(sql, poisoned(2), { events: jarEvents });
    expect(refused).toMatchObject({ flipped: false, newlyHeldCount: 1, generation: 2 });
    const accepted = await rebuildProjection(sql, poisoned(2), {
      events: jarEvents,
      acceptHeld: true,
    });
    expect(accepted).toMatchObject({ flipped: true, generation: 2 });
    expect(await sums()).toEqual({ "jar-t1": 20 });
  });

  it("is built again and shown at the next start with a fixed step, under the same version", async () => {
    await fill("t1", "t3");
    await runnerOf(jarBook).catchUp();
    expect(await ensure(poisoned(2))).toHaveLength(1);
    expect(await ensure({ ...jarBook, version: 2 })).toEqual([]);
    expect(await sums()).toEqual({ "jar-t1": 20, "jar-t3": 20 });
    expect(await countHeldKeys(shop.database.sql)).toEqual([]);
  });

  it("is a finding of verify, with key, event and error", async () => {
    await fill("t1", "t3");
    await runnerOf(jarBook).catchUp();
    await ensure(poisoned(2));
    expect((await verify()).problems).toContainEqual({
      check: "held",
      position: 2,
      message:
        "jar_book: jar-t3 is held back since event 2 in generation 2, which is not shown: division by zero",
    });
  });
});

describe("a key that is held back", () => {
  it("is a finding of verify, although the replay holds back the same key", async () => {
    await ensure(poisoned(1));
    await fill("t1", "t3");
    await runnerOf(poisoned(1)).catchUp();
    expect((await verify(poisoned(1))).problems).toEqual([
      {
        check: "held",
        position: 2,
        message: "jar_book: jar-t3 is held back since event 2: division by zero",
      },
    ]);
  });

  it("is a finding if only the replay cannot fold it, and so is another step that feeds the shown tables", async () => {
    await fill("t1", "t3");
    await runnerOf(jarBook).catchUp();
    const { problems } = await verify(poisoned(1));
    expect(problems).toContainEqual({
      check: "projection",
      position: 0,
      message:
        "generation 1 of jar_book (live, version 1) is fed by another definition than this program's",
    });
    expect(problems).toContainEqual({
      check: "held",
      position: 2,
      message: "jar_book: the replay cannot fold jar-t3 at event 2: division by zero",
    });
  });

  it("does not stop rebuilds and verify from folding, even with thousands of other held keys", async () => {
    const { sql } = shop.database;
    await sql`
      insert into read.projections (name, generation, version, state, position)
      values ('another', 1, 1, 'live', 0)`;
    await sql`
      insert into read.quarantine (projection, generation, key, at_position, error)
      select 'another', 1, 'key-' || n, n, 'broken' from generate_series(1, 1500) n`;
    await ensure(poisoned(1));
    await fill("t1", "t3", "t2", "t3");
    await runnerOf(poisoned(1)).catchUp();
    const rebuilt = await rebuildProjection(sql, poisoned(1), { events: jarEvents });
    expect(rebuilt).toMatchObject({ flipped: true, held: [{ key: "jar-t3", atPosition: 2 }] });
    const { problems } = await verify(poisoned(1));
    expect(problems.filter(({ check }) => check === "held")).toHaveLength(100);
    expect(problems.at(-1)?.message).toContain("1402 more row keys are held back");
  });

  it("is reported with event and error if it is folded again by a step that is not fixed", async () => {
    await ensure(poisoned(1));
    await fill("t1", "t3");
    await runnerOf(poisoned(1)).catchUp();
    expect(await refoldHeld(shop.database.sql, [poisoned(1)], jarEvents)).toMatchObject({
      refolded: 0,
      failed: [{ projection: "jar_book", key: "jar-t3", atPosition: 2, error: "division by zero" }],
    });
  });

  it("is shown again by a running service as soon as somebody repairs it, with the fixed step from then on", async () => {
    await ensure(poisoned(1));
    await fill("t1", "t3");
    const running = runnerOf(poisoned(1));
    await running.catchUp();
    expect(await sums()).toEqual({ "jar-t1": 20 });
    expect(await refoldHeld(shop.database.sql, [jarBook], jarEvents)).toEqual({
      refolded: 1,
      failed: [],
    });
    await fill("t3");
    await running.catchUp();
    expect(await sums()).toEqual({ "jar-t1": 20, "jar-t3": 40 });
    expect((await verify()).problems).toEqual([]);
  });

  it("stays the only finding if the tables were made before definitions were kept, and is repaired like any other", async () => {
    const { sql } = shop.database;
    await ensure(poisoned(1));
    await fill("t1", "t3");
    await runnerOf(poisoned(1)).catchUp();
    await sql`delete from read.definitions`;
    await sql`update read.projections set definition_hash = null`;
    await ensure(jarBook);
    expect((await verify()).problems.map(({ check }) => check)).toEqual(["held"]);
    expect(await refoldHeld(sql, [jarBook], jarEvents)).toEqual({ refolded: 1, failed: [] });
    expect((await verify()).problems).toEqual([]);
  });
});

it("a projection whose step is not valid SQL does not stop the others", async () => {
  const other: Projection = {
    ...jarBook,
    name: "other_book",
    tables: [
      { ...jarBook.tables[0], name: "other_sums", columns: "jar text", keys: [], indexes: [] },
    ],
    step: [
      "select no_such_column from log.events where position > $1::bigint and position <= $2::bigint",
    ],
    forgetKeys: [],
  };
  await ensureProjections({
    sql: shop.database.sql,
    projections: [other, jarBook],
    events: jarEvents,
  });
  await fill("t1", "t2");
  await expect(runnerOf(other, jarBook).catchUp()).rejects.toThrow("no_such_column");
  expect(await sums()).toEqual({ "jar-t1": 20, "jar-t2": 20 });
  expect(await countHeldKeys(shop.database.sql)).toEqual([]);
});

describe("an event that a newer program wrote", () => {
  const painted = defineEvent("JarPainted", 1, z.object({}));
  const filledAgain = defineEvent(
    "JarFilled",
    2,
    z.object({ jar: z.string(), cents: z.number() }),
    {
      1: (data) => data,
    },
  );
  const appendNewer = async (definition: EventDefinition<string, object>) => {
    const newer = new Map<string, EventDefinition>([...jarEvents, [definition.type, definition]]);
    const change: Decider<null, null> = {
      type: "Change",
      streams: () => ["jar-t1"],
      decide: () =>
        accept([emit(definition, {}, { streams: ["jar-t1"], happenedAt: HAPPENED_AT })], null),
    };
    const writer = openLedger({
      sql: shop.openPool(),
      streams: jarStreams,
      events: newer,
      newId: () => crypto.randomUUID(),
    });
    await writer.execute(change, null, under(`newer-${(made += 1)}`));
    await writer.close();
    return newer;
  };

  it.each([
    ["of a type it does not know", painted],
    ["of a version it does not know", filledAgain],
  ])(
    "%s is not fed, nothing is held back for it, and a program that knows it continues",
    async (_what, definition) => {
      await fill("t1", "t2");
      const newer = await appendNewer(definition);
      await fill("t2");
      const { sql } = shop.database;
      const failure = await runnerOf(jarBook)
        .catchUp()
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(NewerEventError);
      expect(failure).toMatchObject({ event: { position: 3, type: definition.type } });
      expect(await sums()).toEqual({ "jar-t1": 20, "jar-t2": 20 });
      expect(await countHeldKeys(sql)).toEqual([]);
      expect(await readGenerations(sql)).toMatchObject([{ position: 2 }]);
      await expect(rebuildProjection(sql, jarBook, { events: jarEvents })).rejects.toThrow(
        "which this program does not know",
      );
      await createRunner({ sql, projections: [jarBook], events: newer }).catchUp();
      expect(await sums()).toEqual({ "jar-t1": 20, "jar-t2": 40 });
    },
  );
});

describe("taking a flip back", () => {
  it("says what is shown now, and goes back no further when repeated", async () => {
    const { sql } = shop.database;
    await fill("t1");
    await rebuildProjection(sql, jarBook, { events: jarEvents });
    expect(await takeBack(sql, jarBook, jarEvents)).toEqual({
      kind: "taken-back",
      generation: 1,
      differing: 0,
    });
    expect(await takeBack(sql, jarBook, jarEvents)).toEqual({
      kind: "nothing-older",
      generation: 1,
    });
  });
});

it("lists held keys of the shown tables first, each with the generation it is held in", async () => {
  await ensure(poisoned(1));
  await fill("t3");
  await runnerOf(poisoned(1)).catchUp();
  await rebuildProjection(shop.database.sql, poisoned(1), { events: jarEvents });
  expect(await readHeldKeys(shop.database.sql, ["live", "previous"], 10)).toMatchObject([
    { key: "jar-t3", generation: 2, state: "live", version: 1 },
    { key: "jar-t3", generation: 1, state: "previous", version: 1 },
  ]);
});
