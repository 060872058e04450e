// Tests which group of the audit log's filter an event is in, and how the audit log says what has no sentence elsewhere.
import { expect, test } from "vitest";
import { explanations } from "../../features.ts";
import { NO_TEXT, sayToAdmin, typesOfGroup } from "#features/audit/sentence.ts";

test("who pays a request and where it goes are payouts, like what moves its money", () => {
  const payouts = ["PayoutRequested", "PayoutHandleCorrected", "PayoutClaimed", "PayoutPaid"];
  expect(typesOfGroup(explanations, "payout")).toEqual(
    expect.arrayContaining([...payouts, "PayoutClaimReleased", "PayoutsHeld"]),
  );
  expect(typesOfGroup(explanations, "other").filter((type) => type.startsWith("Payout"))).toEqual(
    [],
  );
});

test("counted drawers and closed months are closings, not settings", () => {
  expect(typesOfGroup(explanations, "closing").toSorted()).toEqual([
    "MonthClosed",
    "TillDayClosed",
  ]);
  const settings = typesOfGroup(explanations, "store");
  expect(settings).toContain("StoreDetailsChanged");
  expect(settings).not.toContain("MonthClosed");
  expect(settings).not.toContain("TillDayClosed");
});

test("a time zone that is set for the first time comes from none, and is not said to", () => {
  const said = (before: string | null) => {
    const data = { before, after: "America/Denver" };
    const event = { type: "StoreTimeZoneChanged", schemaVersion: 1, data };
    return sayToAdmin(explanations, event, { fields: data, itemName: null, text: NO_TEXT }).title;
  };
  expect(said(null)).toBe("Time zone: America/Denver");
  expect(said("UTC")).toBe("Time zone: UTC to America/Denver");
});
