// Tests what the form of a remittance starts with.
import { expect, test } from "vitest";
import type { TaxMonth } from "#features/months/contract-tax.ts";
import { monthsOf, monthToRemit, owedFor, paidOn } from "./remit-draft.ts";

const owing = (month: string, owed: number): TaxMonth => ({
  month,
  taxable: 0,
  exempt: 0,
  untaxedOnline: 0,
  otherUntaxed: 0,
  collected: 0,
  refunded: 0,
  remitted: 0,
  owed,
});

const thisYear = [owing("2026-11", 9), owing("2026-10", 5), owing("2026-09", 0)];
const lastYear = [owing("2025-12", 7), owing("2025-11", -2)];

test("a remittance starts with the oldest month that is over and owes something", () => {
  const months = monthsOf([lastYear, thisYear, lastYear]);
  expect(months.map(({ month }) => month)).toEqual([
    "2026-11",
    "2026-10",
    "2026-09",
    "2025-12",
    "2025-11",
  ]);
  expect(monthToRemit(months, "2026-11")).toBe("2025-12");
  expect(monthToRemit(thisYear, "2026-11")).toBe("2026-10");
  expect(monthToRemit(thisYear.slice(0, 1), "2026-11")).toBe("2026-11");
  expect(monthToRemit([], undefined)).toBeUndefined();
});

test("a month owes what its report says, and never less than nothing", () => {
  const months = monthsOf([thisYear, lastYear]);
  expect(["2026-10", "2025-11", "2024-01"].map((month) => owedFor(months, month))).toEqual([
    500, 0, 0,
  ]);
});

test("a remittance was paid on a day of the store, whatever the browser's time zone is", () => {
  expect(paidOn("2026-11-01")).toEqual({ remittedAt: "2026-11-01" });
  expect(paidOn("")).toEqual({});
});
