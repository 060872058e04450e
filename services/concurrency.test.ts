// Two API processes rush the same items, accounts and sales; every answer is held against the log.
import { afterAll, beforeAll, expect, it } from "vitest";
import { removeGuard } from "#testing/guards.ts";
import { judgeBooks } from "#testing/rush/books.ts";
import type { RushPeople } from "#testing/rush/ground.ts";
import { makeGround, makePeople } from "#testing/rush/ground.ts";
import { readHistory } from "#testing/rush/history.ts";
import type { RushAnswer } from "#testing/rush/judge.ts";
import { judgeRush } from "#testing/rush/judge.ts";
import { runRush } from "#testing/rush/run.ts";
import type { Shop } from "#testing/rush/shop.ts";
import { openShop } from "#testing/rush/shop.ts";
import type { RushGround } from "#testing/rush/wish.ts";
import type { TestDatabase } from "#testing/test-database.ts";
import { testDatabase } from "#testing/test-database.ts";

let database: TestDatabase;
let shop: Shop;
let people: RushPeople;
let ground: RushGround;

beforeAll(async () => {
  database = await testDatabase();
  shop = await openShop(database);
  people = await makePeople(database.sql, 6);
  ground = await makeGround(shop.apis[0]?.url ?? "", people, 3, 25);
}, 60_000);

afterAll(async () => {
  await shop.close();
  await database.close();
});

async function rush(commands: number, seed: number): Promise<RushAnswer[]> {
  const urls = shop.apis.map((api) => api.url);
  return runRush({ urls, people, ground, commands, callers: 48, seed });
}

/** Rushes until a promise breaks, at most ten times: a race is likely in one rush, not certain. */
async function firstBroken(firstSeed: number): Promise<string> {
  for (let seed = firstSeed; seed < firstSeed + 10; seed += 1) {
    const answers = await rush(300, seed);
    const broken = judgeRush(await readHistory(database.sql), answers);
    if (broken.length > 0) {
      return broken.join("\n");
    }
  }
  return "";
}

it("keeps every promise when 48 callers rush two processes", async () => {
  const answers = await rush(1_500, 1);
  expect((await judgeBooks(database.sql, answers)).broken).toEqual([]);
  // The rush was one: every kind of wish was granted and, where others can be in its way, refused.
  const seen = new Set(answers.map(({ wish, code }) => `${wish.kind} ${code ?? "granted"}`));
  expect([...seen].sort()).toEqual(
    expect.arrayContaining([
      "allocate granted",
      "correct below_refunds",
      "correct granted",
      "delete-payout granted",
      "delete-payout payout_already_paid",
      "mark-paid granted",
      "mark-paid payout_already_deleted",
      "refund granted",
      "refund more_than_sold",
      "request-payout granted",
      "request-payout insufficient_balance",
      "sell granted",
      "sell not_enough_stock",
      "sell-master granted",
    ]),
  );
}, 60_000);

// The log is broken for good by the last of these, so they come after everything else and in this order.
it("is told of an untrue refusal once the version check is taken out", async () => {
  await removeGuard(database.ownerSql, "version check");
  expect(await firstBroken(100)).toMatch(/was refused with .* which was not so/u);
}, 60_000);

it("is told of repeated commands without an answer once the key check is taken out", async () => {
  await removeGuard(database.ownerSql, "key check");
  expect(await firstBroken(200)).toMatch(/was answered 409 contended|did not happen once/u);
}, 60_000);

it("is told of failures and gaps once the log's lock is taken out", async () => {
  await removeGuard(database.ownerSql, "log lock");
  expect(await firstBroken(300)).toMatch(/was answered 500|is missing|which was not so/u);
}, 60_000);
