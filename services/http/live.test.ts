// Live streams survive an outage of the database, which is logged once, and end with their session, whether read or not.
import { expect, test } from "vitest";
import { createLive } from "#http/live.ts";

test("an outage during open streams is reported once, however often they check, and a second outage again", async () => {
  const reported: unknown[] = [];
  let looks = 0;
  let isAway = true;
  const live = createLive({
    readCheckpoints: () => {
      looks += 1;
      return isAway
        ? Promise.reject(new Error("The database is away"))
        : Promise.resolve({
            head: looks,
            positions: new Map([["balances", looks]]),
            held: new Map(),
          });
    },
    clock: () => new Date(0),
    onError: (error) => reported.push(error),
    lookEveryMs: 1,
  });
  let leave = () => {};
  let isGone = false;
  const sent: (string | undefined)[] = [];
  const listening = live.listen({
    uid: "avery",
    endsAt: new Date(1),
    mayStay: () => Promise.resolve(true),
    send: (progress) => Promise.resolve(sent.push(progress)),
    isGone: () => isGone,
    onGone: (tell) => {
      leave = tell;
    },
  });
  await expect.poll(() => looks).toBeGreaterThan(5);
  expect(reported).toHaveLength(1);
  isAway = false;
  await expect.poll(() => sent.at(-1)).toContain("balances");
  isAway = true;
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThan(before + 5);
  expect(reported).toHaveLength(2);
  isGone = true;
  leave();
  live.close();
  await listening;
});

test("a stream that nobody reads ends with its session all the same", async () => {
  let hasSession = true;
  const live = createLive({
    readCheckpoints: () => Promise.resolve({ head: 1, positions: new Map(), held: new Map() }),
    clock: () => new Date(0),
    onError: (error) => expect.fail(String(error)),
    standingMs: 1,
  });
  const listening = live.listen({
    uid: "avery",
    endsAt: new Date(1),
    mayStay: () => Promise.resolve(hasSession),
    send: () => new Promise(() => undefined),
    isGone: () => false,
    onGone: () => undefined,
  });
  expect(live.listenerCount()).toBe(1);
  hasSession = false;
  await listening;
  expect(live.listenerCount()).toBe(0);
});
