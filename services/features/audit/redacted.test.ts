// A consignor who opens an event of their own item sees no other person in the item's state.
import { expect, test } from "vitest";
import { redacted } from "#features/audit/redacted.ts";

test("nobody is named, whatever the field is called, also for whom units are set aside", () => {
  const state = {
    units: 3,
    ownerUid: "a",
    consignorId: "b",
    uids: ["c"],
    reservations: [{ uid: "d", byUid: "e", units: 2, untilAt: "2026-12-01T12:00:00Z" }],
  };
  expect(redacted(state)).toEqual({
    units: 3,
    reservations: [{ units: 2, untilAt: "2026-12-01T12:00:00Z" }],
  });
});
