// Lags, lengths of time and sizes as the screen says them.
import { expect, it } from "vitest";
import { bytesText, lagText, spanText } from "./lag-text.ts";

it("says a lag as shortly as it matters", () => {
  expect([0, 0.0004, 0.04, 3.21, 48, 240, 7_200].map(lagText)).toEqual([
    "Up to date",
    "1 ms",
    "40 ms",
    "3.2 s",
    "48 s",
    "4 min",
    "2 h",
  ]);
  expect(spanText(9.96)).toBe("10.0 s");
});

it("says sizes in the largest fitting unit", () => {
  expect([0, 512, 412_000, 1_300_000_000].map(bytesText)).toEqual([
    "0 B",
    "512 B",
    "412 kB",
    "1.3 GB",
  ]);
});
