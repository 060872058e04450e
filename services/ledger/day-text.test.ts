// Spec of days in words.
import { expect, test } from "vitest";
import { dayWords } from "#ledger/day-text.ts";

test("a day has three letters for each month, and is the time zone's", () => {
  const at = new Date("2026-09-14T02:00:00Z");
  expect(dayWords("UTC", "year")(at)).toBe("14 Sep 2026");
  expect(dayWords("America/Chicago", "no year")(at)).toBe("13 Sep");
  const months = Array.from({ length: 12 }, (_, month) =>
    dayWords("UTC", "no year")(new Date(Date.UTC(2026, month, 1))),
  );
  expect(months.map((text) => text.length)).toEqual(months.map(() => 5));
});
