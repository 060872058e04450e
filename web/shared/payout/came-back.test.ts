// Tests for which handle the dialogs say that a transfer to it came back.
import { expect, it } from "vitest";
import { cameBackText } from "./came-back.ts";

const now = new Date(2026, 11, 10);
const day = (number: number) => new Date(2026, 11, number, 12).toISOString();
const filledIn = {
  method: "cashapp",
  handles: { cashapp: "$avery", venmo: "@avery-stone" },
} as const;

const cameBack = {
  amount: 65,
  method: "cashapp",
  handle: "$avery",
  status: "returned",
  settledAt: day(7),
  returnedAt: day(8),
} as const;
const paid = { ...cameBack, status: "paid", returnedAt: null } as const;
const said = "$65.00 to this handle came back on 8 Dec.";

it("a handle from which a payout came back is named with its amount and day", () => {
  expect(cameBackText(filledIn, [cameBack], now)).toBe(said);
});

it("the newest return counts, in whatever order payouts were requested", () => {
  const earlier = { ...cameBack, amount: 20, settledAt: day(4), returnedAt: day(5) };
  expect(cameBackText(filledIn, [earlier, cameBack], now)).toBe(said);
  expect(cameBackText(filledIn, [cameBack, earlier], now)).toBe(said);
});

it("another handle, another method and no method have no such sentence", () => {
  const other = { ...filledIn, handles: { ...filledIn.handles, cashapp: "$averystone" } };
  expect(cameBackText(other, [cameBack], now)).toBeUndefined();
  expect(cameBackText({ ...filledIn, method: "venmo" }, [cameBack], now)).toBeUndefined();
  expect(cameBackText({ ...filledIn, method: "" }, [cameBack], now)).toBeUndefined();
  expect(cameBackText(filledIn, [{ ...cameBack, handle: null }], now)).toBeUndefined();
});

it("a handle typed in other letters, large or small, is the same handle, also for a payment since", () => {
  const typed = { ...filledIn, handles: { cashapp: "$Avery", venmo: "@Avery-Stone" } };
  expect(cameBackText(typed, [cameBack], now)).toBe(said);
  const venmo = { ...cameBack, method: "venmo", handle: "@avery-stone" } as const;
  expect(cameBackText({ ...typed, method: "venmo" }, [venmo], now)).toBe(said);
  const paidSince = { ...paid, handle: "$AVERY", settledAt: day(9) };
  expect(cameBackText(filledIn, [paidSince, cameBack], now)).toBeUndefined();
});

it("a payout that was paid to the handle since takes the sentence away, an earlier one does not", () => {
  expect(cameBackText(filledIn, [{ ...paid, settledAt: day(9) }, cameBack], now)).toBeUndefined();
  expect(cameBackText(filledIn, [{ ...paid, settledAt: day(6) }, cameBack], now)).toBe(said);
  const elsewhere = { ...paid, handle: "$averystone", settledAt: day(9) };
  expect(cameBackText(filledIn, [elsewhere, cameBack], now)).toBe(said);
});
