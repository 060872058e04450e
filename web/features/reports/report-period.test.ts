// Tests of a report's periods.
import { expect, it } from "vitest";
import { choiceOf, periodChoices, periodIn, withDay, type ReportPeriod } from "./report-period.ts";

const january = new Date(2026, 0, 15);

it("names whole months, quarters and years, also across the turn of a year", () => {
  const days = Object.fromEntries(
    periodChoices(january).map(({ value, from, to }) => [value, `${from} ${to}`]),
  );
  expect(days).toEqual({
    "this-year": "2026-01-01 2026-12-31",
    "last-year": "2025-01-01 2025-12-31",
    "this-quarter": "2026-01-01 2026-03-31",
    "last-quarter": "2025-10-01 2025-12-31",
    "this-month": "2026-01-01 2026-01-31",
    "last-month": "2025-12-01 2025-12-31",
  });
});

it("a day that is typed counts, also one beyond the other end of the period, which follows it", () => {
  const december = { from: "2025-12-01", to: "2025-12-31" };
  const changed = (change: Partial<ReportPeriod>) => {
    const params = new URLSearchParams(withDay(december, change));
    return periodIn(params, january);
  };
  expect(changed({ to: "2025-12-10" })).toEqual({ from: "2025-12-01", to: "2025-12-10" });
  expect(changed({ from: "2026-03-05" })).toEqual({ from: "2026-03-05", to: "2026-03-05" });
  expect(changed({ to: "2025-11-20" })).toEqual({ from: "2025-11-20", to: "2025-11-20" });
});

it("takes the days of the address, and this year for none or for nonsense", () => {
  const inAddress = (text: string) => periodIn(new URLSearchParams(text), january);
  expect(inAddress("from=2025-03-02&to=2025-05-09")).toEqual({
    from: "2025-03-02",
    to: "2025-05-09",
  });
  const year = { from: "2026-01-01", to: "2026-12-31" };
  expect(inAddress("")).toEqual(year);
  expect(inAddress("from=2025-05-09&to=2025-03-02")).toEqual(year);
  expect(inAddress("from=soon&to=later")).toEqual(year);
  expect(choiceOf(year, january)?.value).toBe("this-year");
  expect(choiceOf({ from: "2026-01-02", to: "2026-12-31" }, january)).toBeUndefined();
});
