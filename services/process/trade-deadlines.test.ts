// Deadlines of trades under a moved clock: each happens once, however late, however often and on however many workers.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import type { Letter } from "#mail/letter.ts";
import { MailUnavailable } from "#mail/mailer.ts";
import type { Mailer } from "#mail/mailer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { eventsWith, streamsWith } from "#testing/shop/register.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";
import { sweepTrades } from "./trade-deadlines.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let market: TradeShop;
let writerSql: ReturnType<typeof connect>;
let secondLedger: LedgerWriter;
const letters: Letter[] = [];

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
});

afterAll(async () => {
  await secondLedger.close();
  await writerSql.end({ timeout: 5 });
  await market.close();
});

const working: Mailer = {
  send: (letter) => {
    letters.push(letter);
    return Promise.resolve();
  },
};

async function sweep(given: { readonly ledger?: LedgerWriter; readonly mailer?: Mailer } = {}) {
  const { deps } = market.shop;
  await market.shop.runner.catchUp();
  return sweepTrades({ ...deps, appUrl: deps.site.url, mailer: working, ...given });
}

/** What happened to a trade, as types of events. */
async function happened(tradeId: string): Promise<string[]> {
  const rows = await market.shop.database.sql<{ type: string }[]>`
    select e.type from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${`trade-${tradeId}`} order by e.position`;
  return rows.map(({ type }) => type);
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

it("reminds the seller once, then ends the offers once, with two workers that both sweep twice", async () => {
  const { seller, tradeId } = await market.requested();
  await verify(seller.uid);
  expect(await sweep()).toBe(0);
  market.shop.advance(36 * HOUR_MS);
  const reminded = await Promise.all([sweep(), sweep({ ledger: secondLedger }), sweep()]);
  expect(reminded.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(letters).toMatchObject([
    { to: seller.email, subject: "An offer for Desk lamp ends soon" },
  ]);
  market.shop.advance(30 * HOUR_MS);
  const ended = await Promise.all([sweep(), sweep({ ledger: secondLedger }), sweep()]);
  expect(ended.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await happened(tradeId)).toEqual(["TradeRequested", "TradeReminded", "OffersExpired"]);
  expect(await sweep()).toBe(0);
});

it("reminds the buyer who owes the label, and in the end gives the money back; a letter that fails stops nothing", async () => {
  const { buyer, tradeId } = await market.accepted({ providesOwnShipping: true });
  await verify(buyer.uid);
  const before = await available(buyer.uid);
  const broken: Mailer = { send: () => Promise.reject(new MailUnavailable("No mail server")) };
  for (const [days, mailer] of [
    [3, broken],
    [7, working],
    [4, working],
  ] as const) {
    market.shop.advance(days * DAY_MS);
    expect(await sweep({ mailer })).toBe(1);
    expect(await sweep({ mailer })).toBe(0);
  }
  expect(await happened(tradeId)).toEqual([
    "TradeRequested",
    "OfferAccepted",
    "TradeReminded",
    "TradeReminded",
    "TradeCancelled",
  ]);
  expect(await available(buyer.uid)).toBe(before + 1_000);
  expect(letters.filter(({ to }) => to === buyer.email)).toHaveLength(1);
});

it("completes a fulfilled trade after a week, also when the worker was away for longer", async () => {
  const { tradeId } = await market.accepted();
  // The first admin's token is too old by now.
  const admin = await market.shop.person("Late admin", "admin");
  await market.upload(admin, tradeId);
  await market.post(admin, `${tradeId}/fulfill`);
  market.shop.advance(6 * DAY_MS);
  expect(await sweep()).toBe(0);
  market.shop.advance(90 * DAY_MS);
  expect(await sweep()).toBe(1);
  expect((await happened(tradeId)).at(-1)).toBe("TradeCompleted");
  expect(await market.wrongInBooks()).toEqual([]);
});
