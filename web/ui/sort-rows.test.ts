// Sorting in steps: the same order as sorting at once, stable, with numbers inside words, and open to interruption.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runAtOnce, runInSlices, sortSteps } from "./sort-rows.ts";

const sorted = (values: readonly (string | number)[], isDescending = false) =>
  runAtOnce(sortSteps(values, isDescending)).map((index) => values[index]);

describe("sorting a list", () => {
  test("takes numbers inside words as numbers, and leaves case out", () => {
    expect(sorted(["lamp 10", "Lamp 9", "a", "B"])).toEqual(["a", "B", "Lamp 9", "lamp 10"]);
    expect(sorted([10, 9, -1, 0])).toEqual([-1, 0, 9, 10]);
  });

  test("leads to the order of a stable sort, however long the list is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 120 }),
        fc.boolean(),
        (few, times, isDescending) => {
          const values = Array.from({ length: times }, () => few).flat();
          const expected = values
            .map((value, index) => ({ value, index }))
            .toSorted((a, b) => (isDescending ? b.value - a.value : a.value - b.value))
            .map(({ index }) => index);
          expect(runAtOnce(sortSteps(values, isDescending))).toEqual(expected);
        },
      ),
    );
  });

  test("ends the same in slices, and not at all once it is given up", async () => {
    const values = Array.from({ length: 5000 }, (_, index) => (index * 7919) % 5000);
    const control = new AbortController();
    expect(await runInSlices(sortSteps(values, false), control.signal)).toEqual(
      runAtOnce(sortSteps(values, false)),
    );
    control.abort();
    expect(await runInSlices(sortSteps(values, false), control.signal)).toBeUndefined();
  });
});
