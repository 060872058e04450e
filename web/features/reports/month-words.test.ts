// Tests which month an instant is in.
import { expect, it } from "vitest";
import { monthAt } from "./month-words.ts";

it("a month begins with the store's day, also where it begins before the month in London", () => {
  const at = new Date("2026-11-30T16:00:00Z");
  expect(monthAt(at, "Asia/Tokyo")).toBe("2026-12");
  expect(monthAt(at, "America/New_York")).toBe("2026-11");
});
