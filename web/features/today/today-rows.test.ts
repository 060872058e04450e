// Tests what Today says of each number, and that nothing is said of a zero.
import { expect, it } from "vitest";
import type { TodayResponse } from "#features/today/contract.ts";
import { countText, groupsOf } from "./today-rows.ts";

const now = new Date("2026-11-21T10:00:00.000Z");
const none = { count: 0, oldest: null };
const noSales = { count: 0, amount: 0 };
const ofDay = { ...noSales, from: "2026-11-21T06:00:00.000Z", to: "2026-11-22T06:00:00.000Z" };

const quiet: TodayResponse = {
  day: "2026-11-21",
  timeZone: "America/Chicago",
  toPay: { count: 0, amount: 0, oldest: null },
  toShip: none,
  reported: none,
  arrived: none,
  labels: none,
  expected: none,
  toCount: { count: 0, capped: false },
  unsold: [60, 90, 120].map((days) => ({ days, count: 0, capped: false })),
  negative: { count: 0, amount: 0 },
  ownEntries: { count: 0, fromPosition: null },
  sold: { today: ofDay, lastWeekByNow: noSales, lastWeek: ofDay, lastWeekDay: "2026-11-14" },
  alerts: 0,
  holds: 0,
  proof: null,
  firstSteps: null,
};

const rowsOf = (today: TodayResponse, refused = 0) =>
  groupsOf(today, refused, now)
    .flat()
    .flatMap(({ rows }) => rows);

it("lists nothing where nothing waits", () => {
  expect(rowsOf(quiet)).toEqual([]);
});

it("says how much and since when, and opens the list of it", () => {
  const oldest = "2026-11-16T10:00:00.000Z";
  const busy: TodayResponse = {
    ...quiet,
    toPay: { count: 3, amount: 412.5, oldest },
    arrived: { count: 1, oldest },
    toCount: { count: 10_000, capped: true },
    unsold: [{ days: 60, count: 7, capped: false }],
    negative: { count: 2, amount: 13 },
    ownEntries: { count: 4, fromPosition: 812 },
  };
  const seen = rowsOf(busy, 2).map((row) => [row.label, countText(row), row.detail, row.to]);
  expect(seen).toEqual([
    ["Refused at the till", "2", "Taken at this till, not booked", "/pos"],
    ["Payouts to pay", "3", "$412.50, oldest 5 days", "/payout-requests"],
    ["Shipments to process", "1", "Oldest 5 days", "/admin-shipments?tab=to_process"],
    ["To count", "10,000+", "Zero stock: count, restock or delete", "/admin?preset=zero-stock"],
    ["Unsold for 60 days", "7", "Mark down or return", "/admin?unsoldDays=60"],
    ["Negative balances", "2", "$13.00 owed to the store", "/consignors?money=negative&status=all"],
    [
      "Admins' own accounts",
      "4",
      "Entries by admins on their own accounts, last 7 days",
      "/admin/audit?ownAccount=yes&fromPosition=812",
    ],
  ]);
});
