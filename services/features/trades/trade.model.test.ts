// Whatever buyers, sellers, admins and the clock do to trades in whatever order: no cent and no unit is lost or paid twice, and every trade ends.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isOver } from "#features/trades/streams.ts";
import { wrongIn } from "#testing/shop/market-promises.ts";
import { people, TradeMarket } from "#testing/shop/trade-market.ts";
import type { MarketStep } from "#testing/shop/trade-steps.ts";
import { finishing, marketSteps } from "#testing/shop/trade-steps.ts";
import { sized } from "#testing/trial/size.ts";

/** What was reached, so that the test cannot pass by doing nothing. */
const reached = new Set<string>();

/** A command of the model: it says what is done, and after it everything must hold. */
class Step implements fc.Command<Record<string, never>, TradeMarket> {
  readonly #step: MarketStep;

  constructor(step: MarketStep) {
    this.#step = step;
  }

  check(): boolean {
    return true;
  }

  run(_model: Record<string, never>, market: TradeMarket): void {
    this.#step.act(market);
    const wrong = wrongIn(market);
    if (wrong.length > 0) {
      throw new Error(wrong.join("\n"));
    }
    for (const tradeId of market.tradeIds) {
      reached.add(market.trade(tradeId).status);
    }
  }

  toString(): string {
    return this.#step.name;
  }
}

test("after every step the sums are right, and in the end every trade is over", () => {
  const commands = fc.commands(
    marketSteps.map((steps) => steps.map((step) => new Step(step))),
    { maxCommands: sized(80, 150), size: "max" },
  );
  fc.assert(
    fc.property(commands, (steps) => {
      const market = new TradeMarket();
      market.request(people[0], 3, 300, true);
      fc.modelRun(() => ({ model: {}, real: market }), steps);
      for (const _pause of finishing(market, 1)) {
        // Only the end counts here.
      }
      expect(wrongIn(market)).toEqual([]);
      for (const tradeId of market.tradeIds) {
        expect(isOver(market.trade(tradeId).status)).toBe(true);
        expect(market.books.balanceOf(`trade:${tradeId}:escrow`)).toBe(0);
      }
    }),
    { numRuns: sized(60, 1_000) },
  );
  expect([...reached].toSorted()).toEqual([
    "awaiting_shipping",
    "cancelled",
    "completed",
    "expired",
    "fulfilled",
    "pending",
    "shipping_uploaded",
  ]);
});
