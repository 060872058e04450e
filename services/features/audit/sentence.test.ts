// Tests which group of the audit log's filter an event is in.
import { expect, test } from "vitest";
import { explanations } from "../../features.ts";
import { typesOfGroup } from "#features/audit/sentence.ts";

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
