// Cash received at the till: which amounts are asked about before they complete a sale.
import { expect, it } from "vitest";
import { quickCash } from "./quick-cash.ts";
import { unlikelyCash } from "./unlikely-cash.ts";

const totals = [1, 4_99, 12_00, 20_01, 95_00, 100_00, 101_00, 382_15, 536_00, 1004_00, 9999_99];

it("takes the next hundred above any total without a question: no customer needs to hand over more", () => {
  for (const total of totals) {
    const hundreds = Math.ceil(total / 100_00) * 100_00;
    expect([total, hundreds].map((cash) => unlikelyCash(total, cash))).toEqual([
      undefined,
      undefined,
    ]);
  }
});

it("takes every amount that the till offers itself, and coins for round change, without a question", () => {
  for (const total of totals) {
    const coins = (total % 20_00) + Math.ceil(total / 20_00) * 20_00;
    const handedOver = [...quickCash(total), coins];
    expect(handedOver.map((cash) => unlikelyCash(total, cash))).toEqual(
      handedOver.map(() => undefined),
    );
  }
});

it("asks about a hundred-dollar note too many", () => {
  expect(unlikelyCash(536_00, 635_99)).toBeUndefined();
  expect(unlikelyCash(536_00, 636_00)).toBe(
    "$636.00 for $536.00 would be $100.00 in change. Is it right?",
  );
});

it("asks about a forgotten decimal point and about a code that a slow scanner typed", () => {
  expect(unlikelyCash(9_50, 950_00)).toBe(
    "$950.00 for $9.50 would be $940.50 in change. Is it right?",
  );
  expect(unlikelyCash(536_00, 12_345_00)).toBe(
    "$12,345.00 for $536.00 would be $11,809.00 in change. Is it right?",
  );
});
