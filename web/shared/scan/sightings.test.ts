// Tests when a code that the camera sees counts as scanned.
import { array, assert, property, subarray } from "fast-check";
import { describe, expect, test } from "vitest";
import { look, nothingInSight } from "./sightings.ts";

/** The codes that count if the camera looks every 100 ms and reads these codes. */
function countedOf(looks: readonly (readonly string[])[], everyMs = 100): string[] {
  const counted: string[] = [];
  let inSight = nothingInSight;
  for (const [index, codes] of looks.entries()) {
    const seen = look(inSight, codes, index * everyMs);
    ({ inSight } = seen);
    counted.push(...seen.counted);
  }
  return counted;
}

function times(count: number, codes: readonly string[]): (readonly string[])[] {
  return Array.from({ length: count }, () => codes);
}

describe("a code in front of the camera", () => {
  test("counts once, however long it is held there", () => {
    expect(countedOf(times(200, ["A-1"]))).toEqual(["A-1"]);
  });

  test("does not count if it was read only once, because that may be a misreading", () => {
    expect(countedOf([["A-1"], ...times(20, []), ["A-1"], ...times(20, [])])).toEqual([]);
  });

  test("counts once if a shaking hand hides it for less than a moment", () => {
    expect(countedOf([...times(3, ["A-1"]), ...times(10, []), ...times(3, ["A-1"])])).toEqual([
      "A-1",
    ]);
  });

  test("counts again after it has left the picture for a moment", () => {
    expect(countedOf([...times(3, ["A-1"]), ...times(13, []), ...times(3, ["A-1"])])).toEqual([
      "A-1",
      "A-1",
    ]);
  });

  test("does not count as gone if a slow phone has looked only once since", () => {
    expect(countedOf([["A-1"], ["A-1"], [], ["A-1"], ["A-1"]], 2000)).toEqual(["A-1"]);
  });

  test("does not keep another code from counting, in the order they are read", () => {
    expect(countedOf([["A-1"], ["B-2", "A-1"], ["B-2", "A-1"], ["C-3"], ["C-3"]])).toEqual([
      "A-1",
      "B-2",
      "C-3",
    ]);
  });
});

test("whatever is seen, no code counts more often than it came into view, or without being read", () => {
  const looks = array(subarray(["A", "B", "C"]), { maxLength: 60 });
  assert(
    property(looks, (seen) => {
      for (const code of ["A", "B", "C"]) {
        const isRead = seen.map((codes) => codes.includes(code));
        const arrivals = isRead.filter((here, index) => here && isRead[index - 1] !== true).length;
        const counted = countedOf(seen).filter((other) => other === code).length;
        expect(counted).toBeLessThanOrEqual(arrivals);
      }
    }),
    { seed: 20_261_121 },
  );
});
