// How trades read in the ledgers of their buyer and sellers: each line's sentence, and steps that add up to its amount.
import { expect, test } from "vitest";
import { tradeEvents } from "#features/trades/events.ts";
import { tradeExplanations } from "#features/trades/explain.ts";
import { availableAccount, consignorStreamId } from "#features/accounts/streams.ts";
import type { Histories } from "#features/histories.ts";
import { explained, readIn } from "#ledger/explain.ts";
import { netOf } from "#ledger/posting.ts";
import { buyer, seller, TradeFloor } from "#testing/shop/trade-floor.ts";

const register = new Map(
  explained<typeof tradeEvents, Histories>(tradeEvents, tradeExplanations).map((event) => [
    event.definition.type,
    event,
  ]),
);

/** Each of a person's lines about trades: what it says, its amount, and its steps. */
function linesOf({ books }: TradeFloor, uid: string) {
  return books.events
    .filter(({ type, streams }) => register.has(type) && streams.includes(consignorStreamId(uid)))
    .map((event) => {
      const words = readIn(register, "consignor", event, { uid })?.words;
      return {
        says: words?.description,
        cents: netOf(event.postings, availableAccount.of(uid)),
        steps: words?.steps.map(({ cents }) => cents) ?? [],
      };
    });
}

test("a line names the shipping fee if it moves it, and a refund says how much of the trade it is about", () => {
  const floor = new TradeFloor().give(buyer, 5_000);
  floor.request([[seller, floor.stock(seller, 6)]], { quantity: 6, pricePerItem: 333 });
  floor.accept(1, seller, { quantity: 5 });
  floor.cancelPart(1, 2, "damaged");
  floor.upload();
  floor.fulfill();
  floor.refund({ cents: 666, units: 2 });
  floor.refund({ cents: 50, borneBy: "store" });
  expect(linesOf(floor, buyer).map(({ says, cents }) => [cents, says])).toEqual([
    [-2_065, "5 × Desk lamp accepted, the price and shipping held for it"],
    [666, "2 × Desk lamp of a trade cancelled, the price is available again"],
    [666, "2 × Desk lamp of a trade refunded"],
    [50, "Part of a trade of Desk lamp refunded"],
  ]);
  expect(linesOf(floor, seller).map(({ says, cents }) => [cents, says])).toEqual([
    [899, "3 × Desk lamp traded"],
    [-666, "2 × Desk lamp of a trade refunded to the buyer"],
  ]);
  for (const { cents, steps } of [...linesOf(floor, buyer), ...linesOf(floor, seller)]) {
    expect([0, cents]).toContain(steps.at(-1) ?? 0);
    expect(steps.slice(0, -1).reduce((sum, step) => sum + step, 0)).toBe(steps.at(-1) ?? 0);
  }
});

test("a cancellation of everything names the fee that comes back with the price", () => {
  const floor = new TradeFloor().give(buyer, 5_000);
  floor.request([[seller, floor.stock(seller, 1)]]);
  floor.accept(1, seller);
  floor.cancelPart(1, null, "lost");
  expect(linesOf(floor, buyer).at(-1)).toEqual({
    says: "Desk lamp of a trade cancelled, the price and shipping are available again",
    cents: 900,
    steps: [500, 400, 900],
  });
});
