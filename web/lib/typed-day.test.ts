// Tests that a day can be typed as people write it, and that a field shows it as the rest of the screen does.
import { describe, expect, it } from "vitest";
import { parseTypedDay, textOfDay } from "./typed-day.ts";

const now = new Date(2026, 10, 23, 9, 30);

function day(typed: string): string | undefined {
  return parseTypedDay(typed, "day", now);
}

function moment(typed: string): string | undefined {
  return parseTypedDay(typed, "day-time", now);
}

describe("a typed day", () => {
  it.each([
    "21 Nov",
    "21 nov 2026",
    " 21  November  2026 ",
    "Nov 21",
    "November 21, 2026",
    "2026-11-21",
    "11/21",
    "11/21/26",
    "11/21/2026",
    "21nov26",
  ])("is understood as %s", (typed) => {
    expect(day(typed)).toBe("2026-11-21");
  });

  it("may be today or yesterday", () => {
    expect(day("Today")).toBe("2026-11-23");
    expect(day("yesterday")).toBe("2026-11-22");
  });

  it.each(["", "soon", "31 Feb", "32 Nov", "13/40", "840459855932", "2026-13-01", "21 Foo", "21"])(
    "is not taken from %j",
    (typed) => {
      expect(day(typed)).toBeUndefined();
    },
  );

  it("may have a time where the field asks for one, midnight if it has none", () => {
    expect(moment("21 Nov, 14:02")).toBe("2026-11-21T14:02");
    expect(moment("2026-11-21T14:02")).toBe("2026-11-21T14:02");
    expect(moment("11/21/2026 2:02 pm")).toBe("2026-11-21T14:02");
    expect(moment("21 Nov 12:05 am")).toBe("2026-11-21T00:05");
    expect(moment("21 Nov")).toBe("2026-11-21T00:00");
    expect(moment("21 Nov, 25:00")).toBeUndefined();
    expect(moment("21 Nov, 13:00 pm")).toBeUndefined();
    expect(day("21 Nov, 14:02")).toBeUndefined();
  });
});

describe("a field's text", () => {
  it("omits the current year, and can be read back", () => {
    expect(textOfDay("2026-11-21", "day", now)).toBe("21 Nov");
    expect(textOfDay("2025-11-21", "day", now)).toBe("21 Nov 2025");
    expect(textOfDay("2025-11-21T14:02", "day-time", now)).toBe("21 Nov 2025, 14:02");
    expect(parseTypedDay("21 Nov 2025, 14:02", "day-time", now)).toBe("2025-11-21T14:02");
    expect(textOfDay("", "day", now)).toBe("");
  });
});
