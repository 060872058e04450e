// The rows in sight: all that can be seen are drawn, few others, whatever the place and the length of the list.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rowsInSight } from "./use-row-window.ts";

test("draws every row that can be seen, and no more than a few others, at any place in the list", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 150, max: 100_000 }),
      fc.integer({ min: 36, max: 60 }),
      fc.integer({ min: 300, max: 2_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (count, rowHeight, screenHeight, share) => {
        const above = share * Math.max(0, count * rowHeight - screenHeight);
        const { first, end } = rowsInSight(count, { above, screenHeight, rowHeight });
        const firstSeen = Math.floor(above / rowHeight);
        const lastSeen = Math.min(count - 1, Math.floor((above + screenHeight - 1) / rowHeight));
        expect(first).toBeGreaterThanOrEqual(0);
        expect(first).toBeLessThanOrEqual(firstSeen);
        expect(end).toBeGreaterThan(lastSeen);
        expect(end).toBeLessThanOrEqual(count);
        expect(end - first).toBeLessThanOrEqual(screenHeight / rowHeight + 26);
      },
    ),
  );
});

test("draws the first rows while the list is still below the screen, and the last where it became shorter", () => {
  const sight = { screenHeight: 900, rowHeight: 37 };
  expect(rowsInSight(1_000, { ...sight, above: -400 }).first).toBe(0);
  const { first, end } = rowsInSight(200, { ...sight, above: 500_000 });
  expect(end).toBe(200);
  expect(first).toBeLessThan(200);
});
