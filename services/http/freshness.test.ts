// People can read their own writes at once; a read that cannot be fresh in time says so.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Checkpoints } from "#http/checkpoints.ts";
import { createFreshness } from "#http/freshness-wait.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { jarFeature } from "#testing/jar/jar-feature.ts";

describe("over the ledger", () => {
  let shop: TestApp;
  let boss: TestPerson;
  let mayWake = true;

  beforeAll(async () => {
    shop = await openTestApp({
      ...jarFeature,
      wakeUp: (runner) => {
        if (mayWake) {
          void runner.catchUp();
        }
      },
    });
    boss = await shop.person("Boss", "admin");
  });

  afterAll(() => shop.close());

  beforeEach(() => {
    mayWake = true;
  });

  const fill = async (cents: number, jar = "a"): Promise<string> => {
    const answer = await shop.call("POST", `/api/jars/${jar}/fill`, {
      as: boss,
      body: { cents },
    });
    return answer.headers.get("Ledger-Position") ?? "none";
  };
  const read = (position?: string, jar = "a") =>
    shop.call("GET", `/api/jars/${jar}`, {
      as: boss,
      ...(position === undefined ? {} : { headers: { "Ledger-Position": position } }),
    });

  test("a read wakes the workers itself and sees every write before it, with or without a position", async () => {
    for (let cents = 1; cents <= 20; cents += 1) {
      const position = await fill(1);
      const answer = await read(cents % 2 === 0 ? position : undefined);
      expect(answer).toMatchObject({ status: 200, body: { cents } });
      expect(answer.body).not.toHaveProperty("stale");
      expect(answer.headers.get("Ledger-Fresh-To")).toBe(position);
    }
  });

  test("a read whose tables are not updated answers with the old rows and says that they are stale", async () => {
    const still = await openTestApp({ ...jarFeature, wakeUp: () => undefined, goesStale: true });
    const as = await still.person("Boss", "admin");
    const fillAgain = (cents: number) =>
      still.call("POST", "/api/jars/b/fill", { as, body: { cents } });
    const before = (await fillAgain(5)).headers.get("Ledger-Position");
    await still.runner.catchUp();
    await fillAgain(6);
    const answer = await still.call("GET", "/api/jars/b", { as });
    expect(answer).toMatchObject({ status: 200, body: { cents: 5, stale: true } });
    expect(answer.headers.get("Ledger-Fresh-To")).toBe(before);
    await still.close();
  });

  test.each(["4711", "-1", "1.5", "1e3", "x", "99999999999999999"])(
    "the position %s, which the ledger never returned, is a 400",
    async (position) => {
      expect((await read(position)).status).toBe(400);
    },
  );

  test("a waiting read does not block the projection and answers as soon as the row is there", async () => {
    mayWake = false;
    const position = await fill(5, "c");
    const waiting = read(position, "c");
    await shop.runner.catchUp();
    expect((await waiting).body).toEqual({ cents: 5 });
  });
});

const nobodys = { count: () => Promise.resolve(0), isHeld: () => Promise.resolve(false) };

describe("the waiting itself", () => {
  test("simultaneous reads share one check, and nothing is checked when no read waits", async () => {
    let looks = 0;
    const freshness = createFreshness({
      readCheckpoints: () => {
        looks += 1;
        return Promise.resolve({ head: 7, positions: new Map([["a", 7]]), held: new Map() });
      },
      wakeUp: () => undefined,
      held: nobodys,
    });
    await Promise.all(Array.from({ length: 500 }, () => freshness.wait(["a"])));
    expect(looks).toBe(1);
  });

  test("a read that arrives during a check is answered by a later one", async () => {
    const looks: PromiseWithResolvers<Checkpoints>[] = [];
    const freshness = createFreshness({
      readCheckpoints: () => {
        const look = Promise.withResolvers<Checkpoints>();
        looks.push(look);
        started.resolve();
        return look.promise;
      },
      wakeUp: () => undefined,
      held: nobodys,
    });
    let started = Promise.withResolvers<void>();
    const early = freshness.wait(["a"]);
    await started.promise;
    started = Promise.withResolvers();
    const late = freshness.wait(["a"]);
    looks[0]?.resolve({ head: 1, positions: new Map([["a", 1]]), held: new Map() });
    expect(await early).toEqual({ source: "primary", freshTo: 1, stale: false, held: 0 });
    await started.promise;
    looks[1]?.resolve({ head: 2, positions: new Map([["a", 2]]), held: new Map() });
    expect(await late).toEqual({ source: "primary", freshTo: 2, stale: false, held: 0 });
  });

  test("a call that decides from the tables waits longer for the head than a read does", async () => {
    let position = 1;
    const freshness = createFreshness({
      readCheckpoints: () =>
        Promise.resolve({ head: 2, positions: new Map([["a", position]]), held: new Map() }),
      wakeUp: () => undefined,
      held: nobodys,
      headTimeoutMs: 1,
      positionTimeoutMs: 60_000,
    });
    const deciding = freshness.wait(["a"], undefined, false, true);
    expect(await freshness.wait(["a"])).toMatchObject({ freshTo: 1, stale: true });
    position = 2;
    expect(await deciding).toMatchObject({ freshTo: 2, stale: false });
  });

  test("the slowest of the projections decides, and one that does not exist is never fresh", async () => {
    const freshness = createFreshness({
      readCheckpoints: () =>
        Promise.resolve({
          head: 9,
          positions: new Map([
            ["a", 9],
            ["b", 4],
          ]),
          held: new Map(),
        }),
      wakeUp: () => undefined,
      held: nobodys,
      headTimeoutMs: 5,
    });
    expect(await freshness.wait(["a"])).toEqual({
      source: "primary",
      freshTo: 9,
      stale: false,
      held: 0,
    });
    expect(await freshness.wait(["a", "b"])).toEqual({
      source: "primary",
      freshTo: 4,
      stale: true,
      held: 0,
    });
    expect(await freshness.wait(["a", "nothing"])).toEqual({
      source: "primary",
      freshTo: 0,
      stale: true,
      held: 0,
    });
    expect(await freshness.wait(["b"], 4)).toEqual({
      source: "primary",
      freshTo: 4,
      stale: false,
      held: 0,
    });
    expect(await freshness.wait([])).toEqual({
      source: "primary",
      freshTo: 9,
      stale: false,
      held: 0,
    });
  });

  test("a database that does not answer fails the waiting reads, but not later ones", async () => {
    let isDown = true;
    const freshness = createFreshness({
      readCheckpoints: () =>
        isDown
          ? Promise.reject(new Error("connection lost"))
          : Promise.resolve({ head: 1, positions: new Map([["a", 1]]), held: new Map() }),
      wakeUp: () => undefined,
      held: nobodys,
    });
    await expect(freshness.wait(["a"])).rejects.toThrow("connection lost");
    isDown = false;
    expect(await freshness.wait(["a"])).toEqual({
      source: "primary",
      freshTo: 1,
      stale: false,
      held: 0,
    });
  });
});
