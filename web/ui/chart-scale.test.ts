// Tests the charts' scales: round amounts, zero always included, labels that do not overlap.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { amountScale, dayTicks, labelSpace, labelStep } from "./chart-scale.ts";

test("has zero and only round amounts, all inside the chart, for any amounts", () => {
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

test("has midnights with equal spacing, as many as there is room for", () => {
  const day = (date: number, hour = 0) => new Date(2026, 10, date, hour).getTime();
  expect(dayTicks(day(1, 9), day(21, 17), 6)).toEqual([2, 6, 10, 14, 18].map((date) => day(date)));
  expect(dayTicks(day(1), day(3), 6)).toEqual([day(1), day(2), day(3)]);
  // A first balance: its own day, not the midnight that is still to come.
  expect(dayTicks(day(1, 9), day(1, 10), 6)).toEqual([day(1, 9)]);
});

test("skips labels that would overlap", () => {
  expect([labelStep(7, 700, 60), labelStep(31, 700, 60), labelStep(0, 0, 60)]).toEqual([1, 3, 1]);
});

test("leaves more room for labels with a year", () => {
  expect([labelSpace(["1 Nov", "21 Nov"]), labelSpace(["21 Nov 2025"]), labelSpace([])]).toEqual([
    72, 132, 0,
  ]);
});
