// What changed between two states reads as a list of fields, in words and dollars.
import { expect, test } from "vitest";
import { changesBetween } from "#features/audit/changes.ts";

test("a balance reads in dollars, and what stayed the same is left out", () => {
  expect(
    changesBetween(
      { availableCents: 1_000, inTransitCents: 300 },
      { availableCents: -250, inTransitCents: 300 },
    ),
  ).toEqual([{ field: "Available balance", before: "$10.00", after: "−$2.50" }]);
});

test("an item's description reads field by field, an empty field as none", () => {
  const details = { itemName: "Lamp", location: "", barcode1: "123" };
  expect(
    changesBetween(
      { exists: false, details: { ...details, itemName: "", barcode1: "" }, quantity: 0 },
      { exists: true, details: { ...details, location: "R1" }, quantity: 1_200 },
    ),
  ).toEqual([
    { field: "In the inventory", before: "No", after: "Yes" },
    { field: "Item name", before: null, after: "Lamp" },
    { field: "Location", before: null, after: "R1" },
    { field: "Barcode 1", before: null, after: "123" },
    { field: "Quantity", before: "0", after: "1,200" },
  ]);
});

test("entries of a list are named by their number, ids that came and went are listed", () => {
  const offer = { offerId: "t-2", status: "pending", counters: [] };
  expect(
    changesBetween(
      { offers: [offer], openShipments: ["a", "b"] },
      {
        offers: [{ ...offer, status: "no_stock", counters: [{ by: "buyer", pricePerItem: 500 }] }],
        openShipments: ["b", "c"],
      },
    ),
  ).toEqual([
    { field: "Offer 2: status", before: "pending", after: "no stock" },
    { field: "Offer 2: counter 1: by", before: null, after: "The buyer" },
    { field: "Offer 2: counter 1: price per unit", before: null, after: "$5.00" },
    { field: "Open shipments", before: "a", after: "c" },
  ]);
});

test("references to rows outside the log and reservations never show their values", () => {
  expect(
    changesBetween({ username: "hash-1", noteId: null }, { username: "hash-2", noteId: "n" }),
  ).toEqual([
    { field: "Username", before: "recorded", after: "another one" },
    { field: "Reason", before: null, after: "recorded" },
  ]);
});

test("each entry that was added has a row of its own, also one that equals another", () => {
  const refunds = (...refundTenders: readonly unknown[]) => ({ refundTenders });
  const notThroughDrawer = { field: "Money back", before: null, after: "Not through the drawer" };
  expect(changesBetween(refunds(), refunds(null))).toEqual([notThroughDrawer]);
  expect(changesBetween(refunds(null), refunds(null, null))).toEqual([notThroughDrawer]);
  expect(changesBetween(refunds("cash", null), refunds("cash", "cash"))).toEqual([
    { field: "Money back", before: "Not through the drawer", after: "Cash" },
  ]);
  expect(changesBetween({ uids: ["a"] }, { uids: ["a", "b", "c_d"] })).toEqual([
    { field: "Admins", before: null, after: "b" },
    { field: "Admins", before: null, after: "c_d" },
  ]);
});

test("a closed month reads by its name and the store's days, not by when it began and ended", () => {
  const october = { month: "2026-10", from: "2026-10-01T05:00:00.000Z" };
  const november = { month: "2026-11", from: "2026-11-01T05:00:00.000Z" };
  const bounds = { to: "2026-12-01T06:00:00.000Z", timeZone: "America/Chicago" };
  expect(
    changesBetween(
      { closed: [{ ...bounds, ...october, to: november.from }] },
      {
        closed: [
          { ...bounds, ...october, to: november.from },
          { ...bounds, ...november },
        ],
      },
    ),
  ).toEqual([
    { field: "Closed month 2: month", before: null, after: "November 2026" },
    { field: "Closed month 2: first day", before: null, after: "1 Nov 2026" },
    { field: "Closed month 2: last day", before: null, after: "30 Nov 2026" },
    { field: "Closed month 2: time zone", before: null, after: "America/Chicago" },
  ]);
});
