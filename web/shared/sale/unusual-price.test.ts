// Tests which prices a form asks about before they are booked.
import { expect, it } from "vitest";
import { unusualPrice } from "./unusual-price.ts";

const asked = (totalCents: number, knownUnitCents?: number, units = 1) =>
  unusualPrice({ units, totalCents, knownUnitCents });

it("asks about a price far above the highest one so far", () => {
  expect(asked(1_250_00, 12_50)).toBe("$1,250.00 is far above the highest price so far, $12.50.");
  expect(asked(300_00, 20_00, 3)).toMatch(/^\$100\.00 each is far above/u);
});

it.each([
  ["four times the highest", 50_00, 12_50, 1],
  ["several units at the usual price", 500_00, 12_50, 40],
  ["a few dollars more for something cheap", 20_99, 1_00, 1],
  ["something that was never sold", 9_999_99, undefined, 1],
])("books %s without asking", (_what, total, known, units) => {
  expect(asked(total, known, units)).toBeUndefined();
});

it("asks about more than $10,000, whatever is sold", () => {
  expect(asked(10_000_00)).toBeUndefined();
  expect(asked(10_000_01)).toBe("$10,000.01 is more than $10,000.00.");
  expect(asked(12_000_00, 11_000_00)).toBe("$12,000.00 is more than $10,000.00.");
});
