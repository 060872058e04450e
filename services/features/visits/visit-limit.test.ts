// The number of sessions that a day stores is limited, with one line in the log.
import { expect, it } from "vitest";
import { createSessionLimit } from "#features/visits/visit-limit.ts";

it("stores no more sessions than the day's most, says so once, and begins again the next day", () => {
  let now = new Date("2026-11-23T12:00:00.000Z");
  const lines: unknown[] = [];
  const logger = { warn: (...line: readonly unknown[]) => void lines.push(line) };
  const isStored = createSessionLimit(() => now, logger, 2);
  const seen = ["a", "b", "c", "a", "d"].map((id, index) => isStored(id, `192.0.2.${index}`));
  expect(seen).toEqual([true, true, false, true, false]);
  expect(lines).toHaveLength(1);
  now = new Date("2026-11-24T00:00:00.000Z");
  expect(isStored("c", "192.0.2.9")).toBe(true);
});
