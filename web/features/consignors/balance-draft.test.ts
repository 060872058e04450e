// Tests that an adjustment is read to the cent, typed as a change or as the new balance, and stays what was typed.
import { expect, it } from "vitest";
import { balanceAfter, fieldTexts, parseSigned, withOtherSign } from "./balance-draft.ts";

it.each([
  ["12.50", 1250],
  ["+12.50", 1250],
  [" -3 ", -300],
  ["−$3.05", -305],
  ["-0", 0],
  ["1,234.50", 123_450],
])("reads %j as %i cents", (text, cents) => {
  expect(parseSigned(text)).toBe(cents);
});

it.each(["", "-", "--3", "+-3", "3-", "1.234", "abc"])("does not read %j as an amount", (text) => {
  expect(parseSigned(text)).toBeUndefined();
});

it.each([
  ["change", "+5", 1500],
  ["change", "-12.50", -250],
  ["change", "", 1000],
  ["change", "x", undefined],
  ["balance", "5", 500],
  ["balance", "-5", -500],
  ["balance", "", undefined],
] as const)("with $10.00, the %s %j leads to %j cents", (field, text, cents) => {
  expect(balanceAfter({ field, text }, 1000)).toBe(cents);
});

it("fills the field that was not typed into", () => {
  expect(fieldTexts({ field: "change", text: "-2.5" }, 1000)).toEqual({
    change: "-2.5",
    balance: "7.50",
  });
  expect(fieldTexts({ field: "balance", text: "12" }, 1000)).toEqual({
    change: "+2.00",
    balance: "12",
  });
  expect(fieldTexts({ field: "balance", text: "10.00" }, 1000).change).toBe("");
});

it("keeps what was typed when the balance moves: a change counts from the new balance, a balance stays", () => {
  expect(balanceAfter({ field: "change", text: "+5" }, 2000)).toBe(2500);
  expect(balanceAfter({ field: "balance", text: "15" }, 2000)).toBe(1500);
});

it("changes the sign of what was typed", () => {
  expect(["5", "+5", "-5", "−5", ""].map(withOtherSign)).toEqual(["-5", "-5", "5", "5", "-"]);
});
