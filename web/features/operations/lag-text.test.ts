// Lags, lengths of time and sizes as the screen says them.
import { expect, it } from "vitest";
import { behindText, bytesText, lagText, spanText } from "./lag-text.ts";

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

it("says in one line by how many events and how long a table is behind", () => {
  expect([behindText(0, 0), behindText(1, 0), behindText(0, 48), behindText(1_200, 3.21)]).toEqual([
    "Up to date",
    "1 event behind",
    "48 s behind",
    "1,200 events, 3.2 s behind",
  ]);
});

it("says sizes in the largest fitting unit", () => {
  expect([0, 512, 412_000, 1_300_000_000].map(bytesText)).toEqual([
    "0 B",
    "512 B",
    "412 kB",
    "1.3 GB",
  ]);
});
