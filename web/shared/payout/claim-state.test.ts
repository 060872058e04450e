// Tests what a pending request offers while nobody, oneself or somebody else pays it, and after their time ran out.
import { describe, expect, it } from "vitest";
import { claimStateOf, claimTold, offersOf } from "./claim-state.ts";

const until = new Date(2026, 10, 27, 10, 12);
const claim = { by: "Robin", isOwn: false, until: until.toISOString() };
const own = { ...claim, isOwn: true };

/** A moment of that day, as the minutes after ten. */
const at = (minutes: number, seconds = 0) => new Date(2026, 10, 27, 10, minutes, seconds);

function seen(by: typeof claim | null, now: Date) {
  const state = claimStateOf(by, now);
  const told = claimTold(state, now);
  return { says: told === undefined ? "" : `${told.who} ${told.does}`, ...offersOf(state) };
}

describe("a pending request", () => {
  it("can be paid and deleted while nobody pays it", () => {
    expect(seen(null, at(2))).toEqual({
      says: "",
      pay: "open",
      canDelete: true,
      release: "none",
    });
  });

  it("is left alone while another admin pays it, and says until when", () => {
    expect(seen(claim, at(2))).toEqual({
      says: "Robin is paying until 10:12",
      pay: "none",
      canDelete: false,
      release: "none",
    });
    expect(seen(claim, at(11, 59))).toMatchObject({ pay: "none" });
  });

  it("can be opened again by who pays it, or given back, but is not deleted", () => {
    expect(seen(own, at(2))).toEqual({
      says: "You are paying until 10:12",
      pay: "open",
      canDelete: false,
      release: "now",
    });
  });

  it("is paid only after a question once the ten minutes are over", () => {
    expect(seen(claim, at(12))).toEqual({
      says: "Robin began to pay at 10:02",
      pay: "ask",
      canDelete: true,
      release: "ask",
    });
    expect(seen(own, at(12))).toEqual({
      says: "You began to pay at 10:02",
      pay: "ask",
      canDelete: true,
      release: "now",
    });
  });

  it("says on which day somebody began, if it was not today", () => {
    expect(seen(claim, new Date(2026, 10, 28, 9))).toMatchObject({
      says: "Robin began to pay at 27 Nov, 10:02",
    });
  });
});
