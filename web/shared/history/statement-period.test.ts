// Tests the calendar of the period picker and the address of a statement.
import { expect, it } from "vitest";
import { isWhole, periodOf, statementPath } from "./statement-period.ts";
import { paperFor } from "#web/lib/paper.ts";

it.each([
  ["this-month", "2026-11-21", "2026-11-01", "2026-11-30"],
  ["this-month", "2024-02-01", "2024-02-01", "2024-02-29"],
  ["last-month", "2026-01-31", "2025-12-01", "2025-12-31"],
  ["last-month", "2026-03-31", "2026-02-01", "2026-02-28"],
  ["this-year", "2026-11-21", "2026-01-01", "2026-12-31"],
  ["last-year", "2026-11-21", "2025-01-01", "2025-12-31"],
] as const)("%s on %s is %s to %s", (preset, today, from, to) => {
  expect(periodOf(preset, today)).toEqual({ from, to });
});

it("a period needs both days in order", () => {
  expect(isWhole({ from: "2026-11-01", to: "2026-11-01" })).toBe(true);
  expect(isWhole({ from: "2026-11-02", to: "2026-11-01" })).toBe(false);
  expect(isWhole({ from: "", to: "2026-11-01" })).toBe(false);
});

it("uses the paper size of the reader's region", () => {
  expect(["en-US", "en", "fr-CA", "en-GB", "de", "sv-SE"].map(paperFor)).toEqual([
    "letter",
    "letter",
    "letter",
    "a4",
    "a4",
    "a4",
  ]);
});

it("requests a file for the period and the position of the preview", () => {
  const period = { from: "2026-11-01", to: "2026-11-30" };
  expect(statementPath("u", period)).toBe("/accounts/u/statement?from=2026-11-01&to=2026-11-30");
  expect(statementPath("u", period, { format: "csv", position: 7 })).toBe(
    "/accounts/u/statement?from=2026-11-01&to=2026-11-30&format=csv&position=7",
  );
});
