// Forms compute with a balance only while it is right.
import { expect, test } from "vitest";
import { knownBalance } from "./known-balance.ts";

const freshness = { receivedAt: 0, askedAfter: 0, freshTo: 3, isStale: false, heldRows: 0 };
const data = { balance: 12.5, inTransit: 0 };

test("a form names what a consignor has afterwards, but not while the balance is held back", () => {
  expect(knownBalance({ data, freshness })).toBe(12.5);
  expect(knownBalance({ data, freshness: { ...freshness, heldRows: 1 } })).toBeUndefined();
  expect(knownBalance({ data: undefined, freshness: undefined })).toBeUndefined();
});
