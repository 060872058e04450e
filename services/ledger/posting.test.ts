// Money and units always move from one place to another: zero is left out, negative goes the other way, fractions are
// refused.
import { describe, expect, it } from "vitest";
import { move, moveUnits, netOf, netUnitsOf } from "#ledger/posting.ts";

describe("postings", () => {
  it("leave out zero and reverse a negative amount", () => {
    expect(move("a", "b", 0)).toEqual([]);
    expect(move("a", "b", 5)).toEqual([{ from: "a", to: "b", cents: 5 }]);
    expect(move("a", "b", -5)).toEqual([{ from: "b", to: "a", cents: 5 }]);
  });

  it("refuse a fraction of a cent", () => {
    expect(() => move("a", "b", 0.5)).toThrow(RangeError);
  });

  it("add up to the net of an account", () => {
    const postings = [...move("a", "b", 5), ...move("b", "c", 2), ...move("b", "a", 1)];
    expect(netOf(postings, "b")).toBe(2);
    expect(["a", "b", "c"].reduce((sum, name) => sum + netOf(postings, name), 0)).toBe(0);
  });
});

describe("movements", () => {
  it("leave out zero, reverse a negative count and refuse a fraction", () => {
    expect(moveUnits("a", "b", 0)).toEqual([]);
    expect(moveUnits("a", "b", -3)).toEqual([{ from: "b", to: "a", units: 3 }]);
    expect(netUnitsOf(moveUnits("a", "b", 4), "a")).toBe(-4);
    expect(() => moveUnits("a", "b", 1.5)).toThrow(RangeError);
  });
});
