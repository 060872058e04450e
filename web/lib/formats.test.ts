// Tests that amounts, dates and ages are worded as the design page says.
import { describe, expect, it } from "vitest";
import {
  formatAge,
  formatAgo,
  formatCount,
  formatDay,
  formatMoney,
  formatQuantity,
  formatTimes,
} from "./formats.ts";
import { isolated, withIsolatedNames } from "./isolated.ts";

describe("amounts", () => {
  it("show a true minus, and a plus only if signs are requested", () => {
    expect(formatMoney(-300)).toBe("−$3.00");
    expect(formatMoney(4250)).toBe("$42.50");
    expect(formatMoney(4250, true)).toBe("+$42.50");
    expect(formatMoney(-4250, true)).toBe("−$42.50");
    expect(formatMoney(0, true)).toBe("$0.00");
    expect(formatMoney(-0)).toBe("$0.00");
    expect(formatMoney(123_456_789)).toBe("$1,234,567.89");
  });

  it("group thousands in counts and use singular or plural", () => {
    expect(formatCount(18_204)).toBe("18,204");
    expect(formatQuantity(1, "item")).toBe("1 item");
    expect(formatQuantity(0, "item")).toBe("0 items");
    expect(formatQuantity(2, "entry", "entries")).toBe("2 entries");
    expect([1, 2, 3].map(formatTimes)).toEqual(["once", "twice", "3 times"]);
  });
});

const now = new Date(2026, 10, 21, 14, 2);

function ago(minutes: number): string {
  return formatAge(new Date(now.getTime() - minutes * 60_000), now);
}

describe("dates", () => {
  it("omit the current year", () => {
    expect(formatDay(new Date(2026, 0, 5), now)).toBe("5 Jan");
    expect(formatDay(new Date(2025, 0, 5), now)).toBe("5 Jan 2025");
    expect(formatDay(new Date(2026, 8, 30), now)).toBe("30 Sep");
  });

  it("say just now within the first minute, and else how long ago", () => {
    expect(formatAgo(now, now)).toBe("just now");
    expect(formatAgo(new Date(now.getTime() - 60_000), now)).toBe("1 minute ago");
  });

  it("show an age in the largest whole unit, never below zero", () => {
    expect(ago(-5)).toBe("under a minute");
    expect(ago(1)).toBe("1 minute");
    expect(ago(59)).toBe("59 minutes");
    expect(ago(60)).toBe("1 hour");
    expect(ago(24 * 60 - 1)).toBe("23 hours");
    expect(ago(24 * 60)).toBe("1 day");
    expect(ago(48 * 60)).toBe("2 days");
  });
});

it.each([
  ["Payout of $55.25 to עדה לוי paid", "Payout of $55.25 to \u2068עדה לוי\u2069 paid"],
  ["12 × منى, 3 left", "12 × \u2068منى\u2069, 3 left"],
  ["דוד-חי to לוי: 2", "\u2068דוד-חי\u2069 to \u2068לוי\u2069: 2"],
  ["Avery paid $20.00", "Avery paid $20.00"],
  ["Avery \u202Eenots paid $20.00", "Avery enots paid $20.00"],
  ["Payout to \u2068עדה לוי\u2069", "Payout to \u2068עדה לוי\u2069"],
])("keeps the names of %j from reordering what stands beside them", (sentence, shown) => {
  expect(withIsolatedNames(sentence)).toBe(shown);
});

it("keeps a name written from right to left from reordering the address after it", () => {
  expect(["עדה לוי", "12 Main Street"].map(isolated).join(", ")).toBe(
    "\u2068עדה לוי\u2069, \u206812 Main Street\u2069",
  );
});
