// The hint in the sale form: only what is dated into a closed month is late.
import { expect, it } from "vitest";
import { closedMonthHint } from "./closed-month-hint.ts";

const september = {
  closed: { month: "2026-09", to: "2026-10-01T05:00:00.000Z" },
  timeZone: "America/Chicago",
};

it.each([
  ["2026-09-30T23:59:00-05:00", "September 2026"],
  ["2026-08-31T23:30:00-05:00", "August 2026"],
])("a sale of %s says that %s is closed", (soldAt, month) => {
  expect(closedMonthHint(new Date(soldAt), september)).toBe(
    `${month} is closed: this sale is booked in the open month and marked late`,
  );
});

it("a sale of an open month says nothing, and none does before the first closing", () => {
  expect(closedMonthHint(new Date("2026-10-01T05:00:00Z"), september)).toBeUndefined();
  const none = { closed: null, timeZone: "UTC" };
  expect(closedMonthHint(new Date("2026-09-30T12:00:00Z"), none)).toBeUndefined();
});
