// What a report on paper says about itself.
import { expect, test } from "vitest";
import { madeText } from "#features/reports/report-pdf.ts";

test("a report on paper is made on the store's day of now, whichever days it counts", () => {
  const zones = { timeZone: "Asia/Tokyo", closedZones: [] };
  const made = { ...zones, storeZone: "America/New_York", madeAt: "2026-11-21T02:00:00.000Z" };
  expect(madeText(made)).toBe("Made 20 Nov 2026. Days are those of Asia/Tokyo.");
});
