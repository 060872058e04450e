// Tests which month an instant is in, and when a year leads to the one before.
import { expect, it } from "vitest";
import { monthAt, yearBeforeText } from "./month-words.ts";

it("a month begins with the store's day, also where it begins before the month in London", () => {
  const at = new Date("2026-11-30T16:00:00Z");
  expect(monthAt(at, "Asia/Tokyo")).toBe("2026-12");
  expect(monthAt(at, "America/New_York")).toBe("2026-11");
});

it("the present year leads to the one before while months of it are open, or while it has no entries itself", () => {
  expect(yearBeforeText(2027, "2026-11", false)).toBe("December 2026 is still open:");
  expect(yearBeforeText(2027, "2026-09", false)).toBe("Months of 2026 are still open:");
  expect(yearBeforeText(2027, "2026-12", true)).toBe("2027 has no entries yet:");
  expect(yearBeforeText(2027, "2026-12", false)).toBeUndefined();
  expect(yearBeforeText(2027, "2027-01", false)).toBeUndefined();
});

it("a store that closes no months is led to the year before while the new one is empty, and not all year", () => {
  expect(yearBeforeText(2027, undefined, true)).toBe("2027 has no entries yet:");
  expect(yearBeforeText(2027, undefined, false)).toBeUndefined();
});
