// Which read tables have stopped, by what workers sampled.
import { expect, test } from "vitest";
import { isStalled } from "#features/operations/tables-now.ts";
import type { LagSample } from "#ledger/projection/lag-samples.ts";

test("tables that stand still behind the log are stalled, and those that move are not", () => {
  const now = new Date("2026-11-21T10:00:00.000Z");
  const sampleAt = (seconds: number, position: number) => ({
    takenAt: new Date(now.getTime() - seconds * 1000),
    head: 50,
    shown: { sales: { position, seconds: 1 } },
  });
  const stalledAt = (seconds: number, ...samples: LagSample[]) =>
    isStalled("sales", 20, seconds, samples, now);
  expect(stalledAt(60, sampleAt(45, 20), sampleAt(15, 20))).toBe(true);
  expect(stalledAt(60, sampleAt(45, 19), sampleAt(15, 20))).toBe(false);
  expect(stalledAt(5, sampleAt(45, 20))).toBe(false);
  // No worker has sampled anything, so none is alive.
  expect(stalledAt(60)).toBe(true);
});
