// Tests that typed balances are read to the cent, positive or negative.
import { expect, it } from "vitest";
import { parseBalance } from "./balance-draft.ts";

it.each([
  ["12.50", 1250],
  [" -3 ", -300],
  ["−$3.05", -305],
  ["-0", 0],
  ["1,234.50", 123_450],
])("reads %j as %i cents", (text, cents) => {
  expect(parseBalance(text)).toBe(cents);
});

it.each(["", "-", "--3", "3-", "1.234", "abc"])("does not read %j as a balance", (text) => {
  expect(parseBalance(text)).toBeUndefined();
});
