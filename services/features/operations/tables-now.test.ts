// What the operations screen says of shown tables that are behind the log.
import { expect, test } from "vitest";
import { stateOf } from "#features/operations/tables-now.ts";
import type { FirstFill } from "#ledger/projection/first-fill.ts";
import type { LagSample } from "#ledger/projection/lag-samples.ts";

test("tables that stand still behind the log are stalled, those that move are not, and new ones are filling", () => {
  const now = new Date("2026-11-21T10:00:00.000Z");
  const sampleAt = (seconds: number, position: number) => ({
    takenAt: new Date(now.getTime() - seconds * 1000),
    head: 50,
    shown: { sales: { position, seconds: 1 } },
  });
  const stateAt = (seconds: number, samples: LagSample[], fills: FirstFill[] = []) =>
    stateOf({ name: "sales", position: 20, seconds }, { samples, now, fills });
  expect(stateAt(60, [sampleAt(45, 20), sampleAt(15, 20)])).toBe("stalled");
  expect(stateAt(60, [sampleAt(45, 19), sampleAt(15, 20)])).toBe("behind");
  expect(stateAt(5, [sampleAt(45, 20)])).toBe("ok");
  // No worker has sampled anything, so none is alive.
  expect(stateAt(60, [])).toBe("stalled");
  const first = [{ projection: "sales", position: 20, head: 50 }];
  expect(stateAt(60, [sampleAt(45, 19), sampleAt(15, 20)], first)).toBe("filling");
  expect(stateAt(60, [sampleAt(45, 20), sampleAt(15, 20)], first)).toBe("stalled");
  // So new that no sample could tell.
  const before = { ...sampleAt(45, 20), shown: {} };
  expect(stateAt(60, [before, sampleAt(15, 20)], first)).toBe("filling");
  expect(stateAt(60, [], first)).toBe("stalled");
});
