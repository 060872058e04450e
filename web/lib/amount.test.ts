// Tests that typed amounts are read to the cent.
import { assert, integer, property } from "fast-check";
import { expect, it } from "vitest";
import { dollarsText, dollarsToSend, parseDollars, parseWhole, wholeToSend } from "./amount.ts";

it.each([
  { text: "12", cents: 1200 },
  { text: " $12.5 ", cents: 1250 },
  { text: ".05", cents: 5 },
  { text: "0.29", cents: 29 },
  { text: "1,234.50", cents: 123_450 },
  { text: "10000000", cents: 1_000_000_000 },
])("reads $text as $cents cents", ({ text, cents }) => {
  expect(parseDollars(text)).toBe(cents);
});

it.each(["", ".", "$", "1.234", "-1", "1e3", "12,34", "NaN", "10000000.01", "１２"])(
  "takes %j for no amount",
  (text) => {
    expect(parseDollars(text)).toBeUndefined();
  },
);

it("reads back every amount that it writes", () => {
  assert(
    property(integer({ min: 0, max: 1_000_000_000 }), (cents) => {
      expect(parseDollars(dollarsText(cents))).toBe(cents);
    }),
  );
});

it("sends the number that it reads, or NaN for the contract to refuse", () => {
  assert(
    property(integer({ min: 0, max: 1_000_000_000 }), (cents) => {
      expect(dollarsToSend(dollarsText(cents))).toBe(cents / 100);
    }),
  );
  expect(["0.005", "10000000.01", "-$3", "1,234.5"].map(dollarsToSend)).toEqual([
    0.005, 10_000_000.01, -3, 1234.5,
  ]);
  expect(["7", "-1", "9999999999"].map(wholeToSend)).toEqual([7, -1, 9_999_999_999]);
});

it.each(["", ".", "$", "abc", "1e3", "0x10", "1.5.5", "12,34"])("sends %j as NaN", (text) => {
  expect([dollarsToSend(text), wholeToSend(text)]).toEqual([Number.NaN, Number.NaN]);
});

it("reads only whole numbers", () => {
  expect(["7", "007", "", "1.0", "-1", "1e2"].map(parseWhole)).toEqual([
    7,
    7,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
