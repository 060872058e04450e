// Tests that local times become instants by the clocks of their zone.
import { expect, test } from "vitest";
import { instantsIn } from "./local-time.ts";

test.each([
  ["UTC", "2026-11-15T00:00:00Z", "2026-11-15T00:00:00.000Z"],
  ["America/Chicago", "2026-11-15T00:00:00Z", "2026-11-15T06:00:00.000Z"],
  ["Asia/Kolkata", "2026-06-01T09:15:30Z", "2026-06-01T03:45:30.000Z"],
  // The clocks go back at two: half past one comes twice.
  ["America/Chicago", "2026-11-01T01:30:00Z", "2026-11-01T06:30:00.000Z"],
  // They go forward at two: half past two is left out.
  ["America/Chicago", "2026-03-08T02:30:00Z", "2026-03-08T08:30:00.000Z"],
  // Midnight comes twice.
  ["America/Havana", "2026-11-01T00:00:00Z", "2026-11-01T04:00:00.000Z"],
])("in %s, %s on the clock is %s", (timeZone, local, instant) => {
  expect(new Date(instantsIn(timeZone)(Date.parse(local))).toISOString()).toBe(instant);
});
