// Holds the charts' scales to what a reader relies on: round amounts, zero in sight, labels that do not overlap.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { amountScale, dayTicks, labelStep } from "./chart-scale.ts";

test("marks zero and only round amounts, all of them inside, whatever the amounts are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -50_000_000, max: 50_000_000 }), { maxLength: 20 }),
      fc.integer({ min: 5, max: 8 }),
      (amounts, most) => {
        const { low, high, ticks } = amountScale(amounts, most);
        expect(Math.min(0, ...amounts)).toBeGreaterThanOrEqual(low);
        expect(Math.max(0, ...amounts)).toBeLessThanOrEqual(high);
        expect(ticks).toContain(0);
        expect(ticks.length).toBeLessThanOrEqual(most + 2);
        const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
        expect(String(step)).toMatch(/^[125]0*$/);
        expect(ticks.every((tick) => tick >= low && tick <= high && tick % step === 0)).toBe(true);
      },
    ),
  );
});

test("marks days at their midnights, each once, and no more than there is room for", () => {
  const from = new Date(2026, 10, 1, 9, 30).getTime();
  const to = new Date(2026, 10, 21, 17, 0).getTime();
  const ticks = dayTicks(from, to, 6);
  expect(ticks).toHaveLength(6);
  expect(new Set(ticks.map((tick) => new Date(tick).getHours()))).toEqual(new Set([0]));
  expect(dayTicks(from, from + 3_600_000, 6)).toEqual([]);
  expect(dayTicks(new Date(2026, 10, 1).getTime(), from, 6)).toHaveLength(1);
});

test("skips labels where all of them would overlap", () => {
  expect([labelStep(7, 700, 60), labelStep(31, 700, 60), labelStep(0, 0, 60)]).toEqual([1, 3, 1]);
});
