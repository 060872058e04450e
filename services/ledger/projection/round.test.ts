// Which read tables one round moves together, and how far.
import { expect, test } from "vitest";
import type { GenerationState } from "#ledger/projection/generation.ts";
import { planRound, restAfter } from "#ledger/projection/round.ts";
import type { Feed } from "#ledger/projection/step.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";

function feedAt(position: number, state: GenerationState = "live"): Feed {
  const generation = { name: jarBook.name, generation: 1, version: 1, state, position };
  return {
    projection: jarBook,
    generation: { ...generation, definitionHash: null },
    quarantined: [],
  };
}

/** Where each group goes from where, the one in front last. */
function plan(
  positions: readonly number[],
  head: number,
  which: "shown" | "previous" = "shown",
): readonly (readonly [number, number])[] {
  const feeds = positions.map((position) => feedAt(position));
  const round = planRound({ feeds, through: head }, which);
  return round === undefined
    ? []
    : [...round.behind, round.front].map(({ from, through }) => [from, through]);
}

test("tables that are nearly up to date move in little steps, and far behind in large ones", () => {
  expect(plan([100, 100], 150)).toEqual([[100, 150]]);
  expect(plan([100], 5_100)).toEqual([[100, 1_100]]);
  expect(plan([100], 5_101)).toEqual([[100, 5_101]]);
  expect(plan([100], 90_000)).toEqual([[100, 20_100]]);
  expect(plan([], 150)).toEqual([]);
});

test("nobody waits for tables from before a switch, so their steps are large", () => {
  expect(plan([100], 5_100, "previous")).toEqual([[100, 5_100]]);
  expect(plan([100], 90_000, "previous")).toEqual([[100, 20_100]]);
});

test("tables behind the others go to them, in steps no smaller than those of the others and never past them", () => {
  expect(plan([2_900, 100, 2_600], 5_000)).toEqual([
    [2_600, 2_900],
    [100, 1_100],
    [2_900, 3_900],
  ]);
  expect(plan([9_000, 100], 9_000)).toEqual([
    [100, 5_100],
    [9_000, 9_000],
  ]);
});

test("shown tables rest only where much is written, for a moment, and never while they are behind or rebuilt", () => {
  const rest = (events: number, ms: number, isRebuilding = false) =>
    restAfter({ events, ms, isRebuilding });
  expect([rest(7, 5), rest(8, 5), rest(20, 10), rest(900, 60)]).toEqual([0, 4, 10, 16]);
  expect([rest(900, 61), rest(1_001, 5)]).toEqual([0, 0]);
  expect(rest(20, 10, true)).toBe(0);
});
