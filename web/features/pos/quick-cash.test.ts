// Quick cash at the till: which round amounts are offered for a total.
import { expect, it } from "vitest";
import { quickCash } from "./quick-cash.ts";

it("offers $20 and $50 where they cover the total, and otherwise the next round amounts above it", () => {
  const totals = [12_00, 20_00, 20_01, 45_00, 70_00, 95_00, 140_00, 382_15, 1004_00];
  expect(totals.map(quickCash)).toEqual([
    [20_00, 50_00],
    [20_00, 50_00],
    [30_00, 50_00],
    [50_00, 100_00],
    [80_00, 100_00],
    [100_00, 150_00],
    [150_00, 200_00],
    [390_00, 400_00],
    [1010_00, 1050_00],
  ]);
});
