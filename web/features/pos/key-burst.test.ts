// A scanner's keys told from a hand's.
import { expect, test } from "vitest";
import { keyBurst } from "./key-burst.ts";

function typed(gapsMs: readonly number[], endGapMs: number): boolean {
  const burst = keyBurst();
  let atMs = 1000;
  for (const gap of gapsMs) {
    atMs += gap;
    burst.key(atMs);
  }
  return burst.end(atMs + endGapMs, gapsMs.length);
}

test("takes twelve keys at 20 codes a second for a scan", () => {
  expect(
    typed(
      Array.from({ length: 12 }, () => 4),
      4,
    ),
  ).toBe(true);
});

test("takes a price for typed, however nimble the hand, and a scan that is ended by hand too", () => {
  expect(typed([90, 70], 80)).toBe(false);
  expect(typed([0, 60, 20, 45], 30)).toBe(false);
  expect(typed([4, 4, 4, 4], 400)).toBe(false);
});

test("never takes one or two keys for a scan", () => {
  expect(typed([1, 1], 1)).toBe(false);
});

test("counts only the keys since the last end", () => {
  const burst = keyBurst();
  burst.key(1000);
  burst.key(1004);
  burst.key(1008);
  expect(burst.end(1012, 3)).toBe(true);
  burst.key(1016);
  expect(burst.end(1020, 3)).toBe(false);
});
