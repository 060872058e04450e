// What keeps an account from being deleted, in words.
import { expect, it } from "vitest";
import { leftText } from "./left-text.ts";

const nothing = { available: 0, inTransit: 0, heldForTrades: 0, activeItems: 0, unitsInTrades: 0 };

it("names money, goods and open trades that are left, and nothing of a settled account", () => {
  expect(leftText(nothing)).toBe("");
  expect(leftText({ ...nothing, available: -12.5, activeItems: 1 })).toBe(
    "−$12.50 of balance and 1 item in stock",
  );
  const all = { available: 1, inTransit: 2, heldForTrades: 3, activeItems: 4, unitsInTrades: 5 };
  expect(leftText(all)).toBe(
    "$1.00 of balance, $2.00 of waiting payouts, 4 items in stock, $3.00 held for open trades and 5 units in open trades",
  );
});
