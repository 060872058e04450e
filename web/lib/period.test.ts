// Tests that the named periods begin and end on the right local days.
import { describe, expect, it } from "vitest";
import { nameOfPeriod, periodNames, periodOf } from "./period.ts";

const now = new Date(2026, 2, 1, 23, 59);

describe("periods", () => {
  it("are counted from today, and include it", () => {
    expect(
      Object.fromEntries(periodNames.map(({ value }) => [value, periodOf(value, now)])),
    ).toEqual({
      today: { from: "2026-03-01", to: "2026-03-01" },
      yesterday: { from: "2026-02-28", to: "2026-02-28" },
      "this-week": { from: "2026-02-23", to: "2026-03-01" },
      "last-7-days": { from: "2026-02-23", to: "2026-03-01" },
      "last-30-days": { from: "2026-01-31", to: "2026-03-01" },
      "this-month": { from: "2026-03-01", to: "2026-03-01" },
      "last-month": { from: "2026-02-01", to: "2026-02-28" },
      "this-year": { from: "2026-01-01", to: "2026-03-01" },
    });
  });

  it("are recognized by their days", () => {
    expect(nameOfPeriod({ from: "2026-02-01", to: "2026-02-28" }, now)).toBe("last-month");
    expect(nameOfPeriod({ from: "2026-03-01", to: "2026-03-01" }, now)).toBe("today");
    expect(nameOfPeriod({ from: "2026-03-01", to: "" }, now)).toBeUndefined();
  });
});
