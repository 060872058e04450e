// Tests what Today says to a new store.
import { expect, test } from "vitest";
import { firstStepsOf } from "./first-steps.ts";

test("a new store is led from its details to its first sale, and sees what it has done", () => {
  const steps = firstStepsOf({ named: true, consignors: false, goods: false });
  expect(steps.map(({ label, isDone, to }) => [label, isDone, to])).toEqual([
    ["Set up the store", true, "/admin/settings"],
    ["Invite a consignor", false, "/consignors"],
    ["Take in goods", false, "/admin"],
    ["Make the first sale", false, "/pos"],
  ]);
  // The preset rates count as set up too, so the step says where to look.
  expect(steps[0]?.detail).toMatch(/tax rate and shares/u);
});
