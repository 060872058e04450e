// Cents never get lost: conversion, shares and splits are exact.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  divideRoundHalfUp,
  formatCents,
  hasAtMostTwoDecimals,
  payoutOf,
  shareOf,
  splitByLargestRemainder,
  toCents,
  toDollars,
} from "#ledger/money.ts";

describe("dollars at the edge", () => {
  it("have at most two decimals", () => {
    expect([0.01, 19.99, 0, -3.5, 10_000_000].map(hasAtMostTwoDecimals)).toEqual(
      Array.from({ length: 5 }, () => true),
    );
    const refused = [0.001, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, 1.005];
    expect(refused.map(hasAtMostTwoDecimals)).toEqual(refused.map(() => false));
    expect(() => toCents(0.1 + 0.2)).toThrow(RangeError);
  });

  it("come back from cents as the same number", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (cents) => {
        expect(toCents(toDollars(cents))).toBe(cents === 0 ? 0 : cents);
      }),
    );
  });

  it("are never a negative zero", () => {
    expect(Object.is(toCents(-0), 0)).toBe(true);
  });
});

describe("shares", () => {
  it("round halves up, also below zero", () => {
    expect([5n, 4n, -5n, -6n, -4n].map((value) => divideRoundHalfUp(value, 10n))).toEqual([
      1n,
      0n,
      0n,
      -1n,
      0n,
    ]);
  });

  it("stay exact when the product is beyond the safe integers", () => {
    expect(shareOf(999_999_999, 999_999_999, 1_000_000_000)).toBe(999_999_998);
  });

  it.each([
    [10_000, 0, 50, 5_000],
    [999, 0, 50, 500],
    [999, 1_000, 50, 0],
    [1, 0, 50, 1],
    [333, 100, 33, 77],
    [500, 0, 0, 0],
    [500, 0, 100, 500],
  ])("of %i cents less %i shipping at %i %% pay %i", (price, shipping, percentage, payout) => {
    expect(payoutOf(price, shipping, percentage)).toBe(payout);
  });
});

describe("splitting by largest remainder", () => {
  it("loses no cent and differs from the exact part by less than one", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10_000_000 }),
        fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 60 }),
        (total, weights) => {
          const parts = splitByLargestRemainder(total, weights);
          expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
          const sum = weights.reduce((all, weight) => all + weight, 0);
          parts.forEach((part, index) => {
            const exact =
              sum === 0 ? total / weights.length : (total * (weights[index] ?? 0)) / sum;
            expect(Math.abs(part - exact)).toBeLessThan(1);
          });
        },
      ),
    );
  });

  it("gives a remaining cent to the earlier of equal parts", () => {
    expect(splitByLargestRemainder(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(splitByLargestRemainder(5, [0, 0])).toEqual([3, 2]);
    expect(splitByLargestRemainder(5, [])).toEqual([]);
  });
});

it("writes a negative amount with a true minus", () => {
  expect(formatCents(-123_450)).toBe("−$1,234.50");
});
