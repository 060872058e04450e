// Kept answers are verified: answers that a superuser changes, moves, deletes or forges are found by key and position.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { move } from "#ledger/posting.ts";
import type { JarProof } from "#testing/jar/jar-proof.ts";
import { openJarProof } from "#testing/jar/jar-proof.ts";
import { under } from "#testing/jar/jar-shop.ts";
import { HAPPENED_AT, payOut, jarFilled } from "#testing/jar/jar.ts";

let shop: JarProof;

beforeEach(async () => {
  shop = await openJarProof();
});

afterEach(() => shop.close());

/** Fills a jar a given number of times, each time with its own event; zero times changes nothing. */
const fillOften: Decider<{ jar: string; times: number }, { times: number }> = {
  type: "FillOften",
  streams: ({ jar }) => [`jar-${jar}`],
  decide: ({ jar, times }) =>
    accept(
      Array.from({ length: times }, () =>
        emit(
          jarFilled,
          { jar, cents: 1 },
          {
            streams: [`jar-${jar}`],
            happenedAt: HAPPENED_AT,
            postings: move("world:customers", `jar-${jar}`, 1),
          },
        ),
      ),
      { times },
    ),
};

describe("answers that nobody touched", () => {
  it("verify, and those that the chain does not cover are counted: refusals and commands that wrote nothing", async () => {
    await shop.ledger.execute(payOut, { from: "t1", to: "t2", cents: 1_000_000 }, under("refused"));
    await shop.ledger.execute(fillOften, { jar: "t1", times: 0 }, under("nothing"));
    await shop.ledger.execute(fillOften, { jar: "t1", times: 3 }, under("three"));
    // Like an adoption: without a request.
    await shop.ledger.execute(
      fillOften,
      { jar: "t2", times: 1 },
      { ...under("bare"), requestHash: "" },
    );
    await shop.catchUp();
    const report = await shop.verify();
    expect(report.problems).toEqual([]);
    expect(report.answers).toEqual({
      chained: 15,
      older: 0,
      refused: 1,
      acceptedWithoutEvents: 1,
    });
  });

  it("verify on a log that has only a refusal", async () => {
    await shop.database.ownerSql.unsafe(`
      truncate log.events, log.postings, log.movements, log.event_streams, log.streams, log.command_keys;
      update read.projections set position = 0;
      truncate read.jar_sums_g1, read.jar_lines_g1;`);
    const writer = shop.openWriter();
    await writer.execute(payOut, { from: "t1", to: "t2", cents: 5 }, under("too soon"));
    expect((await shop.verify()).problems).toEqual([]);
  });
});

describe("a kept answer that was tampered with", () => {
  it.each([
    [
      "an answer that says another amount",
      `update log.command_keys set answer = jsonb_set(answer, '{answer,cents}', '999') where key = 'f5'`,
      { check: "chain", position: 5, message: expect.stringContaining("store/f5") },
    ],
    [
      "an answer changed to a refusal",
      `update log.command_keys set answer = '{"kind": "rejected", "rejection": {}}' where key = 'f5'`,
      {
        check: "keys",
        position: 5,
        message: expect.stringContaining("store/f5 is not an accepted one"),
      },
    ],
    [
      "a request hash, so that another request gets the answer",
      `update log.command_keys set request_hash = sha256('other') where key = 'f5'`,
      { check: "chain", position: 5, message: expect.stringContaining("store/f5") },
    ],
    [
      "an earlier position",
      `update log.command_keys set position = 4 where key = 'f5'`,
      {
        check: "keys",
        position: 5,
        message:
          "The answer kept under store/f5 names position 4, but its command's events end at 5",
      },
    ],
    [
      "a later position",
      `update log.command_keys set position = 13 where key = 'f5'`,
      { check: "keys", position: 5 },
    ],
    [
      "a missing key",
      `delete from log.command_keys where key = 'f5'`,
      { check: "keys", position: 5, message: expect.stringContaining("store/f5") },
    ],
    [
      "a renamed key, so that its command can be sent again",
      `update log.command_keys set key = 'f5x' where key = 'f5'`,
      { check: "keys", position: 5, message: expect.stringContaining("no stored answer") },
    ],
    [
      "a key that says it has no events",
      `update log.command_keys set events = 0 where key = 'f5'`,
      { check: "keys", position: 5, message: expect.stringContaining("stands for 0 events") },
    ],
    [
      "a key that does not count its events, like keys of an older store",
      `update log.command_keys set events = null where key = 'f5'`,
      { check: "keys", position: 5, message: expect.stringContaining("no number of events") },
    ],
    [
      "two swapped keys",
      `update log.command_keys set key = 'x' where key = 'f5';
       update log.command_keys set key = 'f5' where key = 'f6';
       update log.command_keys set key = 'f6' where key = 'x'`,
      { check: "chain", position: 5 },
    ],
  ])("is found: %s", async (_what, change, found) => {
    expect(await shop.afterwards(change)).toContainEqual({
      message: expect.any(String),
      ...found,
    });
  });

  it.each([
    [
      "an accepted key that claims somebody else's event",
      `('store', 'forged', sha256('r'), '{"kind": "accepted", "answer": {"cents": 1}}', 5, 1)`,
      "The answer kept under store/forged stands for 1 events up to position 5, and none of them is its own",
    ],
    [
      "an accepted key that claims events that do not exist",
      `('store', 'forged', sha256('r'), '{"kind": "accepted", "answer": {"cents": 1}}', 14, 1)`,
      "The answer kept under store/forged names position 14, but the log ends at 13",
    ],
    [
      "an accepted key that does not count its events, like keys of an older store",
      `('store', 'forged', sha256('r'), '{"kind": "accepted", "answer": {"cents": 1}}', 5, null)`,
      "The answer kept under store/forged at position 5 does not say how many events it stands for",
    ],
    [
      "a key with something that is not an answer",
      `('store', 'forged', sha256('r'), '{}', 5, 0)`,
      "The answer kept under store/forged is neither an answer nor a refusal",
    ],
  ])("is found if it was forged: %s", async (_what, row, message) => {
    const problems = await shop.afterwards(`insert into log.command_keys values ${row}`);
    expect(problems).toContainEqual({ check: "keys", position: expect.any(Number), message });
  });

  it("is counted if it was forged without events, since no event can cover it", async () => {
    await shop.database.ownerSql`
      insert into log.command_keys
      values ('store', 'forged', sha256('r'), '{"kind": "accepted", "answer": {"cents": 1}}', 5, 0)`;
    const { problems, answers } = await shop.verify();
    expect(problems).toEqual([]);
    expect(answers.acceptedWithoutEvents).toBe(1);
  });

  it("is found for a command with several events", async () => {
    await shop.ledger.execute(fillOften, { jar: "t1", times: 3 }, under("three"));
    const position = `update log.command_keys set position = 15 where key = 'three'`;
    expect(await shop.afterwards(position)).toContainEqual({
      check: "keys",
      position: 14,
      message:
        "The answer kept under store/three names position 15, but its command's events end at 16",
    });
  });
});

describe("the canonical form of an event", () => {
  it("cannot be marked as older to leave out the answer", async () => {
    const problems = await shop.afterwards(
      `update log.events set hash_form = 1 where position = 5;
       update log.command_keys set answer = '{"kind": "accepted", "answer": {}}' where key = 'f5'`,
    );
    expect(problems).toContainEqual({
      check: "chain",
      position: 5,
      message: "Event 5 has the older canonical form, though event 1 before it has the newer one",
    });
    expect(problems).toContainEqual({
      check: "chain",
      position: 5,
      message: "The fields or typed rows of event 5 are not those it was written with",
    });
  });

  it("is found if it is unknown", async () => {
    expect(
      await shop.afterwards(`update log.events set hash_form = 3 where position = 5`),
    ).toContainEqual({
      check: "chain",
      position: 5,
      message: "Event 5 has the unknown canonical form 3",
    });
  });
});
