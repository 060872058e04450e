// Tests when a list without rows is empty, and when it is still loading.
import { expect, it } from "vitest";
import type { Freshness } from "./read.ts";
import { knownRows } from "./read.ts";

const fresh: Freshness = { freshTo: 9, isStale: false, heldRows: 0, receivedAt: 0, askedAfter: 0 };
const behind: Freshness = { ...fresh, isStale: true };

it("no rows are only known to be none if the tables have caught up", () => {
  expect(knownRows([], fresh)).toEqual([]);
  expect(knownRows([], behind)).toBeUndefined();
});

it("rows are shown also while newer ones follow", () => {
  expect(knownRows(["a"], behind)).toEqual(["a"]);
  expect(knownRows(undefined, undefined)).toBeUndefined();
});
