// Tests that the waterfall on screen computes exactly like the ledger, including edge cases.
import { assert, nat, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { percentageOf, splitOf } from "./sale-split.ts";

describe("the split of a sale", () => {
  it("gives the consignor the share of what is left after shipping, and the store the rest", () => {
    expect(splitOf(4000, 500, 50)).toMatchObject({
      restCents: 3500,
      consignorCents: 1750,
      storeCents: 1750,
    });
  });

  it("rounds half a cent up for the consignor", () => {
    expect(splitOf(1001, 0, 50)).toMatchObject({ consignorCents: 501, storeCents: 500 });
  });

  it("makes the store cover shipping that costs more than the sale price", () => {
    expect(splitOf(300, 1000, 50)).toMatchObject({
      restCents: -700,
      consignorCents: 0,
      storeCents: -700,
    });
  });

  it("uses a typed payout instead of the formula and says so", () => {
    expect(splitOf(4000, 0, 50, 2500)).toMatchObject({
      consignorCents: 2500,
      storeCents: 1500,
      isPayoutTyped: true,
    });
    expect(splitOf(4000, 0, 50, 2000).isPayoutTyped).toBe(false);
  });

  it("loses no cent", () => {
    assert(
      property(nat(10_000_000), nat(10_000_000), nat(100), (price, shipping, percentage) => {
        const split = splitOf(price, shipping, percentage);
        expect(split.consignorCents + split.storeCents + shipping).toBe(price);
      }),
    );
  });
});

describe("a typed share", () => {
  it.each([
    ["60", 60],
    ["0", 0],
    ["100", 100],
    ["", 55],
    ["abc", 55],
    ["101", undefined],
    ["-1", undefined],
    ["33.5", undefined],
    ["1e1", undefined],
  ])("reads %j as %j", (text, percentage) => {
    expect(percentageOf(text, 55)).toBe(percentage);
  });
});
