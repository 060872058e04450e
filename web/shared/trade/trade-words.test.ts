// What was bought at which prices.
import { expect, it } from "vitest";
import { boughtWords } from "./trade-words.ts";

it("says the price that was accepted instead of the one that was asked for", () => {
  const bought = (quantity: number, ...prices: readonly number[]) =>
    boughtWords({
      quantity,
      pricePerItem: 700,
      acceptedQuantity: prices.length,
      offers: prices.map((acceptedPrice) => ({ acceptedQuantity: 1, acceptedPrice })),
    });
  expect([
    bought(2),
    bought(1, 850),
    bought(2, 850),
    bought(2, 850, 850),
    bought(2, 850, 700),
  ]).toEqual([
    "2 units at $7.00 each",
    "1 unit accepted at $8.50",
    "1 of 2 units accepted at $8.50",
    "2 units accepted at $8.50 each",
    "2 units accepted at $7.00 to $8.50",
  ]);
});
