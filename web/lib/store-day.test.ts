// Tests that a day of the store reads the same in every time zone.
import { afterEach, expect, it, vi } from "vitest";
import { shortDayText, storeDayText } from "./store-day.ts";

afterEach(() => vi.unstubAllEnvs());

it.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])("a day is not moved in %s", (zone) => {
  vi.stubEnv("TZ", zone);
  expect(shortDayText("2026-09-01")).toBe("1 Sep");
  expect(storeDayText("2026-11-23")).toBe("Monday, 23 Nov");
});
