// Tampering is found: whatever a superuser changes directly in the database, verify names the position.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readHead } from "#ledger/log/read.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { parseHead } from "#ledger/verify/chain.ts";
import type { PublishedHead } from "#ledger/verify/chain.ts";
import { headsInHand } from "#ledger/verify/heads.ts";
import type { JarProof } from "#testing/jar/jar-proof.ts";
import { openJarProof } from "#testing/jar/jar-proof.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { jarEvents } from "#testing/jar/jar.ts";

let shop: JarProof;

beforeEach(async () => {
  shop = await openJarProof();
});

afterEach(() => shop.close());

const verify = (heads: PublishedHead[] = []) =>
  shop.verify({ heads: heads.length === 0 ? [] : [headsInHand("a test", heads)] });

async function firstProblem() {
  const report = await verify();
  return report.problems[0];
}

describe("untouched books", () => {
  it("verify, with the published head", async () => {
    const head = await readHead(shop.database.sql);
    const report = await verify([parseHead(`${head.position}:${head.hash}`)]);
    expect(report).toMatchObject({
      problems: [],
      position: 13,
      events: 13,
      streams: 3,
      trialBalanceCents: 0,
      projections: 1,
      replayedProjections: ["jar_book"],
    });
  });

  it("verify after an upgrade without a word about the tables from before, and by the older program as not replayed", async () => {
    const { sql } = shop.database;
    const projections = [{ ...jarBook, version: jarBook.version + 1 }];
    await ensureProjections({ sql, projections, events: jarEvents });
    expect(await shop.verify({ projections })).toMatchObject({
      problems: [],
      notes: [],
      replayedProjections: ["jar_book"],
    });
    expect(await verify()).toMatchObject({
      notes: [
        "generation 2 of jar_book (live, version 2): only a program that makes version 2 can check its step",
      ],
      projections: 1,
      replayedProjections: [],
    });
  });
});

describe("a program that is older than the log", () => {
  const older = new Map([...jarEvents].filter(([type]) => type !== "JarPaidOut"));

  it("proves nothing and says only that, instead of calling wrong what it does not know", async () => {
    const [row] = await shop.database.sql<{ position: number }[]>`
      select min(position) as position from log.events where type = 'JarPaidOut'`;
    const report = await shop.verify({ events: older });
    expect(report).toMatchObject({ position: 0, replayedProjections: [], unlistedProblems: 0 });
    expect(report.problems).toEqual([
      {
        check: "program",
        position: row?.position,
        message: expect.stringMatching(
          /^Event \d+ is JarPaidOut version 1, .+ Verify with the newer version$/u,
        ),
      },
    ]);
  });

  it("also says that a published head is not in the log", async () => {
    const heads = [headsInHand("a test", [parseHead(`2:${"0".repeat(64)}`)])];
    const { problems } = await shop.verify({ events: older, heads });
    expect(problems).toMatchObject([{ check: "program" }, { check: "head", position: 2 }]);
  });

  it("looks at everything where somebody changed the log", async () => {
    await shop.afterwards(`update log.events set data = data || '{"cents": 1}' where position = 2`);
    const { problems } = await shop.verify({ events: older });
    expect(problems.map(({ check }) => check)).toContain("chain");
    expect(problems.map(({ check }) => check)).not.toContain("program");
  });
});

describe("books whose read tables are switched while they are verified", () => {
  it("verify: what a snapshot from before the switch does not see is not missing", async () => {
    const { sql } = shop.database;
    let switches = 0;
    const report = await shop.verify({
      checks: [
        {
          check: "balances",
          async look(snapshot) {
            await snapshot`select 1`;
            if (switches === 0) {
              switches += 1;
              await rebuildProjection(sql, jarBook, { events: jarEvents });
            }
            return { problems: [], notes: [] };
          },
        },
        {
          check: "balances",
          sql: "select 1 as position, 'no jar is left' as message from read.jar_sums having count(*) = 0",
        },
      ],
    });
    expect(switches).toBe(1);
    expect(report.problems).toEqual([]);
  });

  it("do not verify if something is missing after the switch, too", async () => {
    const { sql } = shop.database;
    const report = await shop.verify({
      checks: [
        {
          check: "balances",
          async look() {
            await rebuildProjection(sql, jarBook, { events: jarEvents });
            return { problems: ["a jar is missing"], notes: [] };
          },
        },
      ],
    });
    expect(report.problems.map(({ message }) => message)).toEqual(["a jar is missing"]);
  });
});

describe("books changed directly in the database", () => {
  it.each([
    [
      "a cent in a typed posting",
      "update log.postings set cents = cents + 1 where position = 5",
      5,
      "chain",
    ],
    [
      "an account of a posting",
      "update log.postings set to_account = 'jar-t9' where position = 7",
      7,
      "chain",
    ],
    ["a posting removed", "delete from log.postings where position = 3", 3, "chain"],
    [
      "a posting of an event that does not exist",
      "insert into log.postings values (99, 0, 'a', 'b', 1)",
      99,
      "rows",
    ],
    ["units of a movement", "update log.movements set units = 2 where position = 4", 4, "chain"],
    [
      "a field of the data",
      `update log.events set data = data || '{"cents": 1}' where position = 6`,
      6,
      "chain",
    ],
    ["the actor", "update log.events set actor = 'somebody' where position = 2", 2, "chain"],
    [
      "the time it happened",
      "update log.events set happened_at = happened_at + interval '1 microsecond' where position = 8",
      8,
      "chain",
    ],
    [
      "the time it was recorded",
      "update log.events set recorded_at = recorded_at - interval '1 microsecond' where position = 13",
      13,
      "chain",
    ],
    [
      "a stream's version",
      "update log.event_streams set version = 40 where position = 10",
      10,
      "chain",
    ],
    [
      "a stream's state",
      `update log.streams set state = '{"cents": 1}' where id = 'jar-t1'`,
      13,
      "streams",
    ],
    ["a stored answer removed", "delete from log.command_keys where key = 'f9'", 9, "keys"],
    [
      "a read table",
      "update read.jar_sums_g1 set cents = 5 where jar = 'jar-t0'",
      12,
      "projection",
    ],
  ] as const)("show %s at its position", async (_what, statement, position, check) => {
    await shop.database.ownerSql.unsafe(statement);
    expect(await firstProblem()).toMatchObject({ check, position });
  });

  it("show a broken check that a feature declares for its read tables", async () => {
    await shop.database.ownerSql`update read.jar_sums_g1 set cents = -1 where jar = 'jar-t2'`;
    const report = await verify();
    expect(report.problems).toContainEqual({
      check: "balances",
      position: 0,
      message: "a jar is below zero",
    });
  });

  it("show a swapped pair of events", async () => {
    await shop.database.ownerSql.unsafe(`
      update log.events set position = -4 * (position = 4)::int - 5 * (position = 5)::int + 1000 where position in (4, 5);
      update log.events set position = 5 where position = 996;
      update log.events set position = 4 where position = 995;`);
    expect(await firstProblem()).toMatchObject({ check: "chain", position: 4 });
  });

  it("show a swapped pair of events with all their rows and answers", async () => {
    const swap = (table: string) => `
      update log.${table} set position = 1000 + position where position in (4, 5);
      update log.${table} set position = 1009 - position where position in (1004, 1005);`;
    await shop.database.ownerSql.unsafe(
      ["events", "postings", "movements", "event_streams", "command_keys"].map(swap).join(""),
    );
    const [swapped] = await shop.database
      .sql`select command_key from log.events where position = 4`;
    expect(swapped).toEqual({ command_key: "f5" });
    expect(await firstProblem()).toMatchObject({ check: "chain", position: 4 });
  });

  it("show the earliest of many wrong rows of a read table, and how many there are", async () => {
    await shop.database.ownerSql`update read.jar_lines_g1 set cents_after = 0 where position >= 3`;
    const report = await verify();
    expect(report.problems).toHaveLength(1);
    expect(report.problems[0]).toMatchObject({ check: "projection", position: 3 });
    expect(report.problems[0]?.message).toMatch(/^jar_lines: 24 rows differ/u);
  });

  it("show live tables that were made by another definition of the same version", async () => {
    await shop.database.sql`alter table read.jar_sums_g1 add column color text`;
    expect((await verify()).problems).toEqual([
      {
        check: "views",
        position: 0,
        message:
          "read.jar_sums does not show read.jar_sums_g1 as it is: SELECT jar, cents, last_position FROM read.jar_sums_g1;",
      },
      {
        check: "projection",
        position: 0,
        message:
          "jar_sums: live tables and definition have different columns (color), though one version",
      },
    ]);
  });

  it("show a gap where an event was cut out", async () => {
    await shop.database.ownerSql.unsafe("delete from log.events where position = 9");
    expect(await firstProblem()).toMatchObject({ position: 9 });
  });

  it("show an event whose hashes were recomputed, by the next link", async () => {
    await shop.database.ownerSql.unsafe(
      "update log.events set hash = sha256(hash) where position = 6",
    );
    expect(await firstProblem()).toMatchObject({ check: "chain", position: 6 });
  });

  it("show a cut-off end only with a published head", async () => {
    const published = await readHead(shop.database.sql);
    await shop.database.ownerSql.unsafe(`
      delete from log.events where position = 13;
      delete from log.postings where position = 13;
      delete from log.event_streams where position = 13;
      delete from log.command_keys where position = 13;
      update log.streams set version = version - 1, state = jsonb_build_object('cents', (state->>'cents')::int + 50) where id = 'jar-t1';
      update log.streams set version = version - 1, state = jsonb_build_object('cents', (state->>'cents')::int - 50) where id = 'jar-t2';
      update read.projections set position = 0;
      truncate read.jar_sums_g1, read.jar_lines_g1;`);
    await shop.catchUp();
    expect((await verify()).problems).toEqual([]);
    const report = await verify([{ position: published.position, hash: published.hash ?? "" }]);
    expect(report.problems[0]).toMatchObject({ check: "head", position: 13 });
  });

  it("show a cut-off end whose derived rows are still there, the published head first", async () => {
    const published = await readHead(shop.database.sql);
    await shop.database.ownerSql.unsafe(
      ["events", "postings", "movements", "event_streams", "command_keys"]
        .map((table) => `delete from log.${table} where position > 11;`)
        .join(""),
    );
    const report = await verify([{ position: published.position, hash: published.hash ?? "" }]);
    expect(report.problems[0]).toMatchObject({ check: "head", position: 12 });
    expect(report.problems).toContainEqual({
      check: "projection",
      position: 12,
      message: "jar_book is folded up to 13, but the log ends at 11",
    });
    expect(report.problems.map(({ check }) => check)).toContain("streams");
  });

  it("show an end that was cut off and written again", async () => {
    const report = await verify([{ position: 12, hash: "0".repeat(64) }]);
    expect(report.problems[0]).toMatchObject({ check: "head", position: 12 });
  });
});
