// Two API processes work on the same items, accounts, sales and trades at once; every answer is compared with the log.
import { afterAll, beforeAll, expect, it } from "vitest";
import { removeGuard } from "#testing/rush/guards.ts";
import { judgeBooks } from "#testing/rush/books.ts";
import { brokenUntil } from "#testing/rush/broken-until.ts";
import type { RushPeople } from "#testing/rush/ground.ts";
import { makeGround, makePeople } from "#testing/rush/ground.ts";
import { readHistory } from "#testing/rush/history.ts";
import type { RushAnswer } from "#testing/rush/judge.ts";
import { judgeRush } from "#testing/rush/judge.ts";
import { runRush } from "#testing/rush/run.ts";
import type { Shop } from "#testing/rush/shop.ts";
import { openShop } from "#testing/rush/shop.ts";
import { sized } from "#testing/trial/size.ts";
import type { RushGround } from "#testing/rush/draft.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";

let database: TestDatabase;
let shop: Shop;
let people: RushPeople;
let ground: RushGround;

beforeAll(async () => {
  database = await readableDatabase();
  shop = await openShop(database);
  people = await makePeople(database.sql, 6);
  ground = await makeGround(shop.apis[0]?.url ?? "", people, 2, 16);
}, 240_000);

afterAll(async () => {
  await shop.close();
  await database.close();
});

async function rush(commands: number, seed: number): Promise<RushAnswer[]> {
  const urls = shop.apis.map((api) => api.url);
  return runRush({ urls, people, ground, commands, callers: 48, seed });
}

let seeds = 0;

async function brokenIn(seed: number): Promise<readonly string[]> {
  const answers = await rush(150, seed);
  return judgeRush(await readHistory(database.sql), answers);
}

/** In one rush. */
const commands = sized(400, 1_500);

// Needs a chain of requests, or two of them in one moment, so a rush may have to go on for thousands of commands.
const RARE = [
  "cancel-trade granted",
  "correct below_refunds",
  "fulfill-trade granted",
  "mark-paid payout_already_deleted",
  "upload-label no_label_yet",
];

// What a rush must contain: with the rare ones, every kind of request granted and, where others can get in its way,
// refused. The rare ones are part of the trial; trade.service.test.ts has races of whole trades in every run.
const SEEN = [
  "accept-offer granted",
  "accept-offer offer_closed",
  "allocate granted",
  "correct granted",
  "delete-payout granted",
  "delete-payout payout_already_paid",
  "fulfill-trade no_label",
  "mark-paid granted",
  "refund granted",
  "refund more_than_sold",
  "request-payout granted",
  "request-payout insufficient_balance",
  "request-trade granted",
  "sell granted",
  "sell not_enough_stock",
  "sell-master granted",
  "upload-label granted",
  ...sized([], RARE),
];

it("keeps every promise when 48 callers rush two processes", async () => {
  const answers = await rush(commands, 1);
  const unseen = () => {
    const seen = new Set(
      answers.map(({ request, code }) => `${request.kind} ${code ?? "granted"}`),
    );
    return SEEN.filter((outcome) => !seen.has(outcome));
  };
  // Some outcomes may be missing from one rush; 9,000 commands always contain them.
  for (let seed = 2; answers.length < 9_000 && unseen().length > 0; seed += 1) {
    answers.push(...(await rush(commands, seed)));
  }
  expect(unseen()).toEqual([]);
  expect((await judgeBooks(database.sql, answers)).broken).toEqual([]);
}, 240_000);

const versionCheck = {
  guard: "version check",
  reports: "an untrue refusal",
  sign: /was refused with .* which was not true/u,
} as const;

const keyCheck = {
  guard: "key check",
  reports: "repeated commands without an answer",
  sign: /was answered 409 contended|did not happen once/u,
} as const;

// Two batches that take the same positions fail, or are retried until the retries are used up.
const logLock = {
  guard: "log lock",
  reports: "failures and gaps",
  sign: /was answered (?:500|409 contended)|is missing|which was not true/u,
} as const;

// Each of these breaks the log for good, so they come after everything else and in this order. At the small size,
// ledger/guards.test.ts removes all of them where a rush costs less.
it.each(sized([versionCheck], [versionCheck, keyCheck, logLock]))(
  "reports $reports once the guard is removed: $guard",
  async ({ guard, sign }) => {
    await removeGuard(database.ownerSql, guard);
    // Other seeds than those of the rushes before, whose keys have their answers.
    seeds += 100;
    expect(await brokenUntil(sign, seeds, brokenIn)).toMatch(sign);
  },
  240_000,
);
