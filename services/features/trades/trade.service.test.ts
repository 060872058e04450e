// Trades in the running service: two people who act at the same moment, and whatever people do in whatever order.
import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import { isOver } from "#features/trades/streams.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { wrongViews } from "#testing/shop/market-views.ts";
import { eventsWith, streamsWith } from "#testing/shop/register.ts";
import { ServedMarket } from "#testing/shop/served-market.ts";
import { wrongIn } from "#testing/shop/market-promises.ts";
import { races, readContest, runContest } from "#testing/shop/trade-races.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";
import type { MarketStep } from "#testing/shop/trade-steps.ts";
import { finishing, marketSteps } from "#testing/shop/trade-steps.ts";
import { sized } from "#testing/trial/size.ts";

const endless = { attempts: 1_000_000, perSeconds: 60 };

let store: TradeShop;
let workerSql: ReturnType<typeof connect>;
let workerLedger: LedgerWriter;

beforeAll(async () => {
  store = await openTradeShop({ commandRules: { perMinute: endless, perDay: endless } });
  const { appUrl } = store.shop.database;
  workerSql = connect(appUrl, { applicationName: "worker", maxConnections: 1 });
  workerLedger = openLedger({
    sql: workerSql,
    streams: streamsWith(),
    events: eventsWith(),
    newId: randomUUID,
  });
});

afterAll(async () => {
  await workerLedger.close();
  await workerSql.end({ timeout: 5 });
  await store.close();
});

/** Commands that were accepted and statuses that were reached, so that the test cannot pass by doing nothing. */
const accepted = new Set<string>();
const reached = new Set<string>();

async function settle(served: ServedMarket): Promise<void> {
  const wrong = (await served.settle())
    ? [...wrongIn(served.market), ...(await wrongViews(served))]
    : [];
  if (wrong.length > 0) {
    throw new Error(wrong.join("\n"));
  }
}

/** A command of the model: done in memory and in the service, and after it everything must hold in both. */
class Step implements fc.AsyncCommand<Record<string, never>, ServedMarket> {
  readonly #step: MarketStep;

  constructor(step: MarketStep) {
    this.#step = step;
  }

  check(): boolean {
    return true;
  }

  async run(_model: Record<string, never>, served: ServedMarket): Promise<void> {
    this.#step.act(served.market);
    await settle(served);
    for (const tradeId of served.market.tradeIds) {
      reached.add(served.market.trade(tradeId).status);
    }
  }

  toString(): string {
    return this.#step.name;
  }
}

async function play(steps: Iterable<fc.AsyncCommand<Record<string, never>, ServedMarket>>) {
  const served = await ServedMarket.open(store.shop, store.admin);
  const { market } = served;
  market.request(market.people[0] ?? "", 3, 300, true);
  await settle(served);
  await fc.asyncModelRun(() => ({ model: {}, real: served }), steps);
  for (const _pause of finishing(market, sized(10, 1))) {
    await settle(served);
  }
  for (const tradeId of market.tradeIds) {
    expect(isOver(market.trade(tradeId).status)).toBe(true);
  }
  served.accepted.forEach((type) => accepted.add(type));
}

/** At the small size: one that reaches every status. If the steps change, another one does. */
const SEED = 887;

test(
  "after every step each person reads what is theirs, and in the end every trade is over",
  async () => {
    const commands = fc.commands(
      marketSteps.map((steps) => steps.map((step) => new Step(step))),
      { maxCommands: sized(90, 150), size: "max" },
    );
    await fc.assert(fc.asyncProperty(commands, play), {
      numRuns: sized(1, 60),
      // The service keeps what a failed run left, so a smaller one would not start from nothing.
      endOnFailure: true,
      ...sized({ seed: SEED }, {}),
    });
    expect([...reached].toSorted()).toEqual([
      "awaiting_shipping",
      "cancelled",
      "completed",
      "expired",
      "fulfilled",
      "pending",
      "shipping_uploaded",
    ]);
    expect([...accepted].toSorted()).toEqual(
      expect.arrayContaining([
        "AcceptOffer",
        "CancelAcceptance",
        "CancelTrade",
        "ChangeTradeAddress",
        "CloseReport",
        "CloseTrade",
        "ConfirmTrade",
        "CounterOffer",
        "FulfillTrade",
        "RaiseTrade",
        "RecordSale",
        "ReportTrade",
        "RequestTrade",
        "UploadTradeLabel",
        ...sized([], ["DeactivateUser", "DeclineOffer", "RefundTrade", "TakeCounterBack"]),
      ]),
    );
  },
  sized(60_000, 1_800_000),
);

// After the model, whose sweeps would meet what these leave.

/** Twice: each may begin first. */
const ROUNDS = sized(2, 50);

test.each(races)(
  "$name: one end, which both sides read",
  async ({ prepare, ends }) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const token = await store.shop.identity.issueTokenFor(store.admin.uid);
      const on = { store, workerLedger, admin: { ...store.admin, token } };
      const contest = await prepare(on);
      const end = await runContest(contest, round % 2 === 0 ? 0 : 1);
      expect(Object.keys(ends)).toContain(end);
      expect(await readContest(on, contest)).toBe(ends[end]);
    }
  },
  sized(60_000, 600_000),
);

test("the books of all these trades prove right", async () => {
  expect(await store.wrongInBooks()).toEqual([]);
}, 60_000);
