// The number below the held rows, which says what the tile does not count.
import { expect, it } from "vitest";
import { heldText } from "./held-text.ts";

it("says how many of the held rows are in tables that are not shown", () => {
  const key = {
    projection: "balances",
    key: "store:cash",
    atPosition: 1,
    error: "division by zero",
    heldSince: "2026-11-27T10:00:00.000Z",
    triedAt: null,
    isAsked: false,
    state: "live",
  } as const;
  const textOf = (count: number, shownCount: number, listed = count) =>
    heldText({ count, shownCount, keys: Array.from({ length: listed }, () => key) });
  expect([textOf(0, 0), textOf(1, 1), textOf(3, 1), textOf(2, 0), textOf(9, 7, 4)]).toEqual([
    undefined,
    "1 row",
    "3 rows, 2 of them in tables that are not shown",
    "2 rows in tables that are not shown",
    "The first 4 of 9 rows, 2 of them in tables that are not shown",
  ]);
});
