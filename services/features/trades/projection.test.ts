// The tables of trades: the same live, replayed and folded by hand, with the time at which something happens by itself.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import { readStream, toCurrent } from "#ledger/log/read.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { dueOf } from "#features/trades/deadlines.ts";
import { tableOf, turnOf } from "#features/trades/offer-terms.ts";
import { pastTrade } from "#features/trades/past-trade.ts";
import { tradesProjection } from "#features/trades/projection.ts";
import { escrowAccount, tradeStreamId } from "#features/trades/streams.ts";
import type { OfferRow, TradeRow } from "#features/trades/views.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { refoldEachKey } from "#testing/shop/refold-each-key.ts";
import { eventsWith, streamsWith } from "#testing/shop/register.ts";
import { appendDecided, dice, playMarket } from "#testing/shop/trade-days.ts";
import { TradeMarket } from "#testing/shop/trade-market.ts";
import { sized } from "#testing/trial/size.ts";

const events = eventsWith();
const ACTS = sized(1_200, 10_000);

let database: TestDatabase;
let market: TradeMarket;

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  await ensureProjections({ sql, projections: [tradesProjection], events });
  const writerSql = connect(database.appUrl, { applicationName: "writer", maxConnections: 1 });
  const streams = streamsWith();
  const ledger = openLedger({ sql: writerSql, streams, events, newId: randomUUID });
  const runner = createRunner({ sql, projections: [tradesProjection], events });
  market = new TradeMarket({ unitsEach: 1_000 });
  const roll = dice(7);
  let appended = 0;
  for (let acts = 0; acts < ACTS; acts += 40) {
    playMarket(market, roll, 40);
    await appendDecided(ledger, market.books.events.slice(appended));
    appended = market.books.events.length;
    await runner.catchUp();
  }
  await ledger.close();
  await writerSql.end({ timeout: 5 });
}, 120_000);

afterAll(() => database.close());

const instant = (at: unknown) => (at instanceof Date ? at.toISOString() : at);

/** What a person sees of the rows, in the words of the state. */
async function readTrades(): Promise<unknown[]> {
  const { sql } = database;
  const trades = await sql`select * from read.trades order by trade_id`;
  const offers = await sql`select * from read.trade_offers order by trade_id, nth`;
  return trades.map((row) => ({
    tradeId: row["trade_id"],
    status: row["status"],
    statusSince: instant(row["status_since"]),
    remindedDay: row["reminded_day"],
    pricePerItem: row["price_cents"],
    addressId: row["address_id"],
    heldCents: row["held_cents"],
    acceptedUnits: row["accepted_units"],
    labelId: row["label_id"],
    hasCarrier: row["carrier"] !== null,
    fulfilledAt: instant(row["fulfilled_at"]),
    reportedAt: instant(row["reported_at"]),
    hasKind: row["report_kind"] !== null,
    settledAt: instant(row["settled_at"]),
    offers: offers
      .filter((offer) => offer["trade_id"] === row["trade_id"])
      .map((offer) => ({
        offerId: offer["offer_id"],
        sellerUid: offer["seller_uid"],
        status: offer["status"],
        declinedBecause: offer["declined_because"],
        turn: offer["turn"],
        quantity: offer["counter_quantity"] ?? offer["quantity_offered"],
        pricePerItem: offer["counter_price_cents"] ?? offer["price_cents"],
        rounds: offer["rounds"],
        expiresAt: instant(offer["expires_at"]),
        isReminded: offer["is_reminded"],
        units: offer["accepted_units"],
        rows: offer["accepted_rows"],
        refundedUnits: offer["refunded_units"],
        refundedCents: offer["refunded_cents"],
      })),
  }));
}

/** The same from the states of the streams, without SQL. */
function foldTrades(): unknown[] {
  return market.tradeIds.toSorted().map((tradeId) => {
    const trade = market.trade(tradeId);
    return {
      tradeId,
      status: trade.status,
      statusSince: trade.statusSince,
      remindedDay: trade.remindedDay,
      pricePerItem: trade.pricePerItem,
      addressId: trade.addressId,
      heldCents: market.books.balanceOf(escrowAccount.of(tradeId)),
      acceptedUnits: trade.offers.reduce((sum, offer) => sum + (offer.acceptance?.units ?? 0), 0),
      labelId: trade.labelId,
      hasCarrier: trade.labelId !== null,
      fulfilledAt: trade.fulfilledAt,
      reportedAt: trade.reportedAt,
      hasKind: trade.reportedAt !== null,
      settledAt: trade.settledAt,
      offers: trade.offers.map((offer) => ({
        offerId: offer.offerId,
        sellerUid: offer.sellerUid,
        status: offer.status,
        declinedBecause: offer.declinedBecause,
        turn: turnOf(offer),
        ...tableTerms(tableOf(offer)),
        rounds: offer.rounds,
        expiresAt: offer.expiresAt,
        isReminded: offer.isReminded,
        units: offer.acceptance?.units ?? 0,
        rows: offer.acceptance?.rows ?? [],
        refundedUnits: offer.acceptance?.refundedUnits ?? 0,
        refundedCents: offer.acceptance?.refundedCents ?? 0,
      })),
    };
  });
}

function tableTerms({ quantity, pricePerItem }: ReturnType<typeof tableOf>) {
  return { quantity, pricePerItem };
}

it("shows every trade and offer the same live, replayed, folded key by key and folded by hand", async () => {
  const { sql } = database;
  const expected = foldTrades();
  expect(await readTrades()).toEqual(expected);
  const rebuilt = await rebuildProjection(sql, tradesProjection, { chunk: 37, events });
  expect(rebuilt).toMatchObject({ flipped: true, differences: [] });
  expect(await readTrades()).toEqual(expected);
  const before = await sql`select * from read.trades order by trade_id`;
  const { keys } = await refoldEachKey(sql, tradesProjection, events, 0);
  expect(keys).toBe(market.tradeIds.length);
  expect(await sql`select * from read.trades order by trade_id`).toEqual(before);
  expect(await readTrades()).toEqual(expected);
}, 120_000);

it("had trades in every status, so that the comparison means something", async () => {
  const statuses = await database.sql<{ status: string }[]>`
    select distinct status from read.trades order by status`;
  const offers = await database.sql<
    { status: string }[]
  >`select distinct status from read.trade_offers`;
  expect(statuses.map(({ status }) => status)).toEqual(
    expect.arrayContaining(["cancelled", "completed", "expired"]),
  );
  expect(offers.length).toBeGreaterThan(4);
});

it("knows to the millisecond when something is due next", async () => {
  const rows = await database.sql<{ trade_id: string; due_at: Date | null }[]>`
    select trade_id, due_at from read.trades`;
  expect(rows.some(({ due_at: due }) => due !== null)).toBe(true);
  const wrong = rows.filter(({ trade_id: tradeId, due_at: due }) => {
    const trade = market.trade(tradeId);
    const countAt = (instant: string) => dueOf(tradeId, trade, instant).length;
    const at = (ms: number) => new Date(ms).toISOString();
    return due === null
      ? countAt("2199-01-01T00:00:00.000Z") > 0
      : countAt(at(due.getTime())) === 0 || countAt(at(due.getTime() - 1)) > 0;
  });
  expect(wrong).toEqual([]);
});

it("folds a trade up to the last position into the rows of the tables", async () => {
  const { sql } = database;
  const trades = await sql<TradeRow[]>`select * from read.trades`;
  const offers = await sql<OfferRow[]>`select * from read.trade_offers order by trade_id, nth`;
  for (const row of trades) {
    const stream = await readStream(sql, tradeStreamId(row.trade_id));
    const past = pastTrade(
      row.trade_id,
      stream.map((event) => ({ ...toCurrent(events, event), position: event.position })),
    );
    expect(past).toEqual({
      row: { ...row, due_at: null },
      offers: offers.filter(({ trade_id: id }) => id === row.trade_id),
    });
  }
});
