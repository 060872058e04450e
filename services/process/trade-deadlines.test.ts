// Deadlines of trades under a moved clock: each happens once, however late, however often and on however many workers.
import { createHash, randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import type { Trade, TradeHistoryResponse } from "#features/trades/contract-reads.ts";
import { closeBoss, openBoss } from "#jobs/boss.ts";
import type { Letter } from "#mail/letter.ts";
import { MailUnavailable } from "#mail/mailer.ts";
import type { Mailer } from "#mail/mailer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { eventsWith, streamsWith } from "#testing/shop/register.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { offerPath, openTradeShop } from "#testing/shop/trade-shop.ts";
import { startTradeDeadlines, sweepTrades } from "./trade-deadlines.ts";
import type { LetterJob } from "./trade-letters.ts";
import { ensureLetterQueue, letterQueue, sendLetters, startTradeLetters } from "./trade-letters.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let market: TradeShop;
let writerSql: ReturnType<typeof connect>;
let secondLedger: LedgerWriter;
let boss: PgBoss;
const letters: Letter[] = [];
const letterIds: (string | undefined)[] = [];

beforeAll(async () => {
  market = await openTradeShop();
  const { appUrl, sql } = market.shop.database;
  writerSql = connect(appUrl, { applicationName: "second-worker", maxConnections: 1 });
  secondLedger = openLedger({
    sql: writerSql,
    streams: streamsWith(),
    events: eventsWith(),
    newId: randomUUID,
  });
  await sql`update identity.profiles set email_verified_at = now()`;
  const logger = pino({ level: "silent" });
  boss = await openBoss({ url: appUrl, applicationName: "letters", role: "sender", logger });
  await ensureLetterQueue(boss);
});

afterAll(async () => {
  await closeBoss(boss);
  await secondLedger.close();
  await writerSql.end({ timeout: 5 });
  await market.close();
});

const working: Mailer = {
  send: (letter, id) => {
    letters.push(letter);
    letterIds.push(id);
    return Promise.resolve();
  },
};

async function sweep(ledger?: LedgerWriter): Promise<number> {
  const { deps } = market.shop;
  await market.shop.runner.catchUp();
  return sweepTrades({ ...deps, boss, ...(ledger === undefined ? {} : { ledger }) });
}

/** Two workers sweep at once, and one of them twice. Answers how many deadlines were met. */
async function sweepTogether(): Promise<number> {
  const counts = await Promise.all([sweep(), sweep(secondLedger), sweep()]);
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Does the jobs that wait, as the worker does. Answers how many failed: each of them waits for its next try. */
async function deliver(mailer: Mailer = working): Promise<number> {
  const { deps } = market.shop;
  let failed = 0;
  for (;;) {
    const jobs = await boss.fetch<LetterJob>(letterQueue, { batchSize: 50 });
    if (jobs.length === 0) {
      return failed;
    }
    for (const { id, data } of jobs) {
      try {
        await sendLetters({ ...deps, boss, mailer, appUrl: deps.site.url }, { id, data });
        await boss.complete(letterQueue, id);
      } catch (error) {
        failed += 1;
        await boss.fail(letterQueue, id, { message: String(error) });
      }
    }
  }
}

/** The time of the next try has come. */
const nextTry = () =>
  market.shop.database.sql`update pgboss.job set start_after = now() where state = 'retry'`;

async function read<Body>(as: TestPerson, path: string): Promise<Body> {
  const token = await market.shop.identity.issueTokenFor(as.uid);
  const answer = await market.shop.call("GET", `/api/trades/${path}`, { as: { ...as, token } });
  return answer.body as Body;
}

/** The lines of a trade's history that its buyer reads. */
async function lines(buyer: TestPerson, tradeId: string): Promise<string[]> {
  const history = await read<TradeHistoryResponse>(buyer, `${tradeId}/history`);
  return history.lines.map(({ type }) => type);
}

async function available(uid: string): Promise<number> {
  await market.shop.runner.catchUp();
  const [row] = await market.shop.database.sql<{ cents: number }[]>`
    select balance_cents as cents from read.balances where account = ${`consignor:${uid}:available`}`;
  return row?.cents ?? 0;
}

const verify = (uid: string) =>
  market.shop.database
    .sql`update identity.profiles set email_verified_at = now() where uid = ${uid}`;

it("reminds the seller once, then ends the offers once", async () => {
  const { buyer, seller, tradeId } = await market.requested();
  await verify(seller.uid);
  expect(await sweep()).toBe(0);
  market.shop.advance(36 * HOUR_MS);
  expect(await sweepTogether()).toBe(1);
  expect(await deliver()).toBe(0);
  expect(letters).toMatchObject([
    { to: seller.email, subject: "An offer for Desk lamp ends soon" },
  ]);
  market.shop.advance(30 * HOUR_MS);
  expect(await sweepTogether()).toBe(1);
  expect(await lines(buyer, tradeId)).toEqual(["TradeRequested", "TradeReminded", "OffersExpired"]);
  expect(await read<Trade>(buyer, tradeId)).toMatchObject({ status: "expired" });
  expect(await sweep()).toBe(0);
});

it("reminds the buyer who owes the label twice, and then gives the money back once", async () => {
  const { buyer, tradeId } = await market.accepted({ providesOwnShipping: true });
  await verify(buyer.uid);
  const before = await available(buyer.uid);
  for (const days of [3, 7, 4]) {
    market.shop.advance(days * DAY_MS);
    expect(await sweepTogether()).toBe(1);
    expect(await sweep()).toBe(0);
    expect(await deliver()).toBe(0);
  }
  expect(await lines(buyer, tradeId)).toEqual([
    "TradeRequested",
    "OfferAccepted",
    "TradeReminded",
    "TradeReminded",
    "TradeCancelled",
  ]);
  expect(await read<Trade>(buyer, tradeId)).toMatchObject({ status: "cancelled", heldCents: 0 });
  expect(await available(buyer.uid)).toBe(before + 1_000);
  expect(letters.filter(({ to }) => to === buyer.email)).toHaveLength(2);
});

it("reminds and cancels although somebody kept answers under the deadlines' keys", async () => {
  const { buyer, tradeId } = await market.accepted({ providesOwnShipping: true });
  await verify(buyer.uid);
  const before = await available(buyer.uid);
  const { ownerSql } = market.shop.database;
  const [trade] = await ownerSql<{ since: Date }[]>`
    select status_since as since from read.trades where trade_id = ${tradeId}`;
  const since = trade?.since ?? new Date(0);
  const end = new Date(since.getTime() + 14 * DAY_MS).toISOString();
  const keys = [
    ...[3, 10].map((day) => `remind:label:${tradeId}:${since.toISOString()}:${day}`),
    `cancel:${tradeId}:${end}`,
  ];
  // What the ledger would keep if the command did nothing, and an answer to another request.
  for (const [index, key] of keys.entries()) {
    const hash = index === 1 ? "" : createHash("sha256").update(key).digest("hex");
    await ownerSql`
      insert into log.command_keys (scope, key, request_hash, answer, position, events)
      values ('system:trades', ${key}, decode(${hash}, 'hex'),
        '{"kind": "accepted", "answer": {"happened": true}}', 1, 0)`;
  }
  for (const days of [3, 7, 4]) {
    market.shop.advance(days * DAY_MS);
    expect(await sweepTogether()).toBe(1);
    expect(await sweep()).toBe(0);
  }
  expect(await lines(buyer, tradeId)).toEqual([
    "TradeRequested",
    "OfferAccepted",
    "TradeReminded",
    "TradeReminded",
    "TradeCancelled",
  ]);
  expect(await available(buyer.uid)).toBe(before + 1_000);
  await ownerSql`delete from log.command_keys where key = any(${keys}::text[])`;
});

it("tries a letter again that could not be sent, and writes to each admin once", async () => {
  const { buyer, tradeId } = await market.accepted();
  const admins = [market.admin, await market.shop.person("Second admin", "admin")];
  await Promise.all(admins.map(({ uid }) => verify(uid)));
  letters.length = 0;
  market.shop.advance(2 * DAY_MS);
  expect(await sweepTogether()).toBe(1);
  const onlyFirst: Mailer = {
    send: (letter) =>
      letter.to === market.admin.email
        ? working.send(letter)
        : Promise.reject(new MailUnavailable("No mail server")),
  };
  expect(await deliver(onlyFirst)).toBe(1);
  expect(letters.map(({ to }) => to)).toEqual([market.admin.email]);
  await nextTry();
  expect(await deliver()).toBe(0);
  expect(letters.map(({ to }) => to)).toEqual(admins.map(({ email }) => email));
  expect(await lines(buyer, tradeId)).toEqual(["TradeRequested", "OfferAccepted", "TradeReminded"]);
});

it("sends no letter about what was done in the meantime", async () => {
  const { seller, tradeId } = await market.requested();
  await verify(seller.uid);
  letters.length = 0;
  market.shop.advance(36 * HOUR_MS);
  await sweep();
  const token = await market.shop.identity.issueTokenFor(seller.uid);
  await market.post({ ...seller, token }, offerPath(tradeId, 1, "decline"));
  expect(await deliver()).toBe(0);
  expect(letters.filter(({ to }) => to === seller.email)).toEqual([]);
});

it("completes a fulfilled trade once after a week, also when the workers were away for longer", async () => {
  const { buyer, tradeId } = await market.accepted();
  // The first admin's token is too old by now.
  const admin = await market.shop.person("Late admin", "admin");
  await market.upload(admin, tradeId);
  await market.post(admin, `${tradeId}/fulfill`);
  market.shop.advance(6 * DAY_MS);
  await sweep();
  expect(await read<Trade>(buyer, tradeId)).toMatchObject({ status: "fulfilled" });
  market.shop.advance(90 * DAY_MS);
  await sweepTogether();
  expect(await read<Trade>(buyer, tradeId)).toMatchObject({ status: "completed" });
  const types = await lines(buyer, tradeId);
  expect(types.filter((type) => type === "TradeCompleted")).toHaveLength(1);
  expect(await market.wrongInBooks()).toEqual([]);
});

it("sends the letters of many reminders without a pause, and one that fails stops no other", async () => {
  const { buyer, tradeId } = await market.accepted({ providesOwnShipping: true });
  await verify(buyer.uid);
  // What earlier tests left.
  await deliver();
  letters.length = 0;
  letterIds.length = 0;
  let tries = 0;
  const failsOnce: Mailer = {
    send: (letter, id) =>
      (tries += 1) === 1
        ? Promise.reject(new MailUnavailable("No mail server"))
        : working.send(letter, id),
  };
  const job: LetterJob = { tradeId, about: "label", day: 3, offerId: null, uid: buyer.uid };
  await boss.insert(
    letterQueue,
    Array.from({ length: 12 }, () => ({ data: job })),
  );
  const { deps } = market.shop;
  const worker = await startTradeLetters({
    ...deps,
    boss,
    mailer: failsOnce,
    appUrl: deps.site.url,
    logger: pino({ level: "silent" }),
  });
  await expect.poll(() => letters.length, { timeout: 8_000 }).toBe(11);
  const ids = new Set(letterIds.filter((id) => id !== undefined));
  expect(ids.size, "each has an id of its own").toBe(11);
  await worker.close();
  const left = await market.shop.database.sql<{ state: string }[]>`
    select state::text from pgboss.job where name = ${letterQueue} and state <> 'completed'`;
  expect(left.map(({ state }) => state)).toEqual(["retry"]);
});

it("lets the next sweep go ahead although a worker was killed in the middle of one", async () => {
  const { deps } = market.shop;
  const queue = "trade-deadlines";
  // As an earlier version made it: its next sweep waited for the killed one.
  await boss.createQueue(queue, { policy: "stately" });
  const worker = await startTradeDeadlines({
    ...deps,
    boss,
    mailer: working,
    appUrl: deps.site.url,
    logger: pino({ level: "silent" }),
  });
  await worker.close();
  const next = async () => {
    await boss.send(queue);
    return (await boss.fetch(queue)).length;
  };
  expect([await next(), await next()]).toEqual([1, 1]);
});
