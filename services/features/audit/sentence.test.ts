// Tests which group of the audit log's filter an event is in.
import { expect, test } from "vitest";
import { explanations } from "../../features.ts";
import { typesOfGroup } from "#features/audit/sentence.ts";

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
