// Tests how the address names a moment of the past.
import { expect, it } from "vitest";
import { dayIn, momentIn, viewIn } from "./moment.ts";

const momentOf = (at: string) => momentIn(new URLSearchParams({ at }));

it("leaves to the server when a day of the store ends, and shows that day", () => {
  expect(momentOf("2026-12-31")).toBe("2026-12-31");
  expect(dayIn(new URLSearchParams("at=2026-12-31"))).toEqual(new Date(2026, 11, 31));
  expect(dayIn(new URLSearchParams("at=2026-12-31T10:00:00Z"))).toBeUndefined();
  expect(["yesterday", "2026-99-99", "2026-02-31"].map(momentOf)).toEqual(
    Array.from({ length: 3 }),
  );
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
