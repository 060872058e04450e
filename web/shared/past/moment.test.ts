// Tests how the address names a moment of the past.
import { expect, it } from "vitest";
import { dayAfter, momentIn, viewIn } from "./moment.ts";

const momentOf = (at: string) => momentIn(new URLSearchParams({ at }));

it("includes the whole day", () => {
  expect(dayAfter("2026-12-31")).toEqual(new Date(2027, 0, 1));
  expect([null, "", "yesterday", "2026-99-99"].map(dayAfter)).toEqual(Array.from({ length: 4 }));
  expect(momentOf("2026-12-31")).toBe(new Date(2027, 0, 1, 0, 0, 0, -1).toISOString());
});

it("takes a position or an instant as it is, and anything else as now", () => {
  expect(momentOf("18204")).toBe("18204");
  expect(momentOf("2026-11-03T14:02:00.000Z")).toBe("2026-11-03T14:02:00.000Z");
  expect(["", "0", "soon", "2026-11-03Tnonsense"].map(momentOf)).toEqual(Array.from({ length: 4 }));
});

it("looks at what was recorded unless the address says otherwise", () => {
  const viewOf = (by: string) => viewIn(new URLSearchParams({ by }));
  expect(["effective", "compare", "recorded", "nonsense"].map(viewOf)).toEqual([
    "effective",
    "compare",
    "recorded",
    "recorded",
  ]);
});
