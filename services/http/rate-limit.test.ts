// Attempts are counted in windows of the app's own clock, even if that clock jumps.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { HttpError } from "#http/errors.ts";
import { createRateLimits, type RateLimit } from "#http/rate-limit.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";

const START = Date.parse("2026-11-21T10:00:00.000Z");
const DAY_MS = 86_400_000;

let database: TestDatabase;
let now = START;
let limit: RateLimit;

beforeAll(async () => {
  database = await testDatabase();
});

beforeEach(async () => {
  now = START;
  await database.sql`delete from identity.rate_limits`;
  limit = createRateLimits(database.sql, () => new Date(now))("guess", {
    attempts: 3,
    perSeconds: 60,
  });
});

afterAll(() => database.close());

/** How many seconds to wait; 0 if the attempt is allowed. */
async function waitOf(key = "a"): Promise<number> {
  try {
    await limit.consume(key);
    return 0;
  } catch (error) {
    return error instanceof HttpError ? (error.extras.retryAfterSeconds ?? 0) : Number.NaN;
  }
}

async function waits(times: number): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < times; index += 1) {
    all.push(await waitOf());
  }
  return all;
}

test("a window begins with its first attempt, and attempts are allowed again after it ends", async () => {
  expect(await waits(4)).toEqual([0, 0, 0, 60]);
  now = START + 59_000;
  expect(await waitOf()).toBe(1);
  now = START + 60_000;
  expect(await waits(4)).toEqual([0, 0, 0, 60]);
});

test("simultaneous attempts are counted one by one", async () => {
  const all = await Promise.all(Array.from({ length: 9 }, () => waitOf()));
  expect(all.filter((seconds) => seconds === 0)).toHaveLength(3);
});

test("an attempt taken back or forgotten does not count, and neither does another key's", async () => {
  expect(await waits(3)).toEqual([0, 0, 0]);
  await limit.giveBack("a");
  expect(await waits(2)).toEqual([0, 60]);
  await limit.forget("a");
  expect(await waitOf()).toBe(0);
  await limit.giveBack("nobody");
  expect(await limit.isCounted("nobody")).toBe(false);
});

test("a window started by a fast clock is over once the clock is right, and a fast clock ends no window for good", async () => {
  now = START + 40 * DAY_MS;
  expect(await waits(4)).toEqual([0, 0, 0, 60]);
  now = START;
  expect(await waits(4)).toEqual([0, 0, 0, 60]);
  now = START - 10_000;
  expect(await waitOf()).toBe(0);
});

test("a marked key counts until its window ends", async () => {
  await limit.mark("known");
  expect(await limit.isCounted("known")).toBe(true);
  now = START + 60_000;
  expect(await limit.isCounted("known")).toBe(false);
});

test("rows of windows that ended long ago are deleted", async () => {
  await waitOf("long ago");
  now = START + 2 * 3_600_000;
  await waitOf("today");
  const rows = await database.sql`select key from identity.rate_limits`;
  expect(rows).toHaveLength(1);
});

test("an IPv6 household counts as one, and whoever has a /48 gets no more by changing households", async () => {
  for (let address = 1; address <= 3; address += 1) {
    expect(await waitOf(`2001:db8:1:1::${address}`)).toBe(0);
  }
  expect(await waitOf("2001:db8:1:1::4")).toBe(60);
  // Four times the attempts of one: the one above that was refused counts too.
  for (let household = 2; household <= 9; household += 1) {
    expect(await waitOf(`2001:db8:1:${household}::1`)).toBe(0);
  }
  expect(await waitOf("2001:db8:1:a::1")).toBe(60);
  expect(await waitOf("2001:db8:2:1::1")).toBe(0);
});

test("an attempt taken back is taken back from the household and from the /48", async () => {
  for (let household = 1; household <= 12; household += 1) {
    expect(await waitOf(`2001:db8:1:${household}::1`)).toBe(0);
    await limit.giveBack(`2001:db8:1:${household}::1`);
  }
  expect(await waitOf("2001:db8:1:1::1")).toBe(0);
});
