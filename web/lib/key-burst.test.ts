// Tests that a scanner's keys are distinguished from typed keys, for chosen and for random sequences.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyBurst, type Scan } from "./key-burst.ts";

/** A key, and how long after the previous one it came. */
type Stroke = readonly [key: string, gapMs: number];

/** The scans in a sequence of keys. */
function scansIn(strokes: readonly Stroke[]): readonly Scan[] {
  const read = keyBurst();
  let atMs = 1000;
  return strokes.flatMap(([key, gapMs]) => {
    atMs += gapMs;
    const answer = read(key, atMs);
    return typeof answer === "number" ? [] : [answer];
  });
}

function codesIn(strokes: readonly Stroke[]): readonly string[] {
  return scansIn(strokes).map(({ code }) => code);
}

function typed(text: string, gapMs: number, end = "Enter"): readonly Stroke[] {
  return [...Array.from(text, (key) => [key, gapMs] as const), [end, gapMs]];
}

const codeCharacter = fc.integer({ min: 0x21, max: 0x7e }).map((unit) => String.fromCharCode(unit));
const code = (minLength: number) =>
  fc.array(codeCharacter, { minLength, maxLength: 40 }).map((characters) => characters.join(""));

/** A scanner's code after a pause: each key after `gapMs`, then Enter or Tab. */
function scanOf(minLength: number, gapMs: fc.Arbitrary<number>) {
  return code(minLength).chain((text) =>
    fc
      .tuple(
        fc.array(gapMs, { minLength: text.length, maxLength: text.length }),
        fc.constantFrom("Enter", "Tab"),
      )
      .map(([gaps, end]) => ({
        text,
        strokes: [...Array.from(text), end].map((key, index): Stroke => [
          key,
          index === 0 ? 400 : (gaps[index - 1] ?? 0),
        ]),
      })),
  );
}

/**
 * A fast typist: 75 ms or more per key, but now and then two keys are rolled, 30 ms apart. Between two rolls there are
 * at least two ordinary keys.
 */
const typing = fc
  .array(
    fc.record({
      key: fc.oneof(
        { weight: 6, arbitrary: codeCharacter },
        { weight: 1, arbitrary: fc.constantFrom("Enter", "Tab", " ", "Backspace", "Shift") },
      ),
      gapMs: fc.integer({ min: 75, max: 600 }),
      rollMs: fc.option(fc.integer({ min: 30, max: 75 })),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((keys) => {
    let lastRoll = -3;
    return keys.map(({ key, gapMs, rollMs }, index): Stroke => {
      if (rollMs === null || index - lastRoll < 3) {
        return [key, gapMs];
      }
      lastRoll = index;
      return [key, rollMs];
    });
  });

describe("a scanner", () => {
  test("is recognized at the speed of USB, and with four characters at half that speed", () => {
    fc.assert(
      fc.property(scanOf(3, fc.integer({ min: 0, max: 20 })), ({ text, strokes }) => {
        expect(codesIn(strokes)).toEqual([text]);
      }),
    );
    fc.assert(
      fc.property(scanOf(4, fc.integer({ min: 0, max: 35 })), ({ text, strokes }) => {
        expect(codesIn(strokes)).toEqual([text]);
      }),
    );
  });

  test("is recognized with six characters at the speed of a cheap Bluetooth scanner", () => {
    fc.assert(
      fc.property(scanOf(6, fc.integer({ min: 40, max: 55 })), ({ text, strokes }) => {
        expect(codesIn(strokes)).toEqual([text]);
      }),
    );
  });

  test("is recognized with its whole code if the radio stumbles once", () => {
    fc.assert(
      fc.property(
        scanOf(12, fc.integer({ min: 5, max: 16 })),
        fc.nat(),
        fc.integer({ min: 16, max: 100 }),
        ({ text, strokes }, at, pauseMs) => {
          const stumble = 1 + (at % text.length);
          const late = strokes.map(([key, gapMs], index): Stroke => [
            key,
            index === stumble ? pauseMs : gapMs,
          ]);
          expect(codesIn(late)).toEqual([text]);
        },
      ),
    );
  });

  test("is recognized right after typed keys", () => {
    fc.assert(
      fc.property(
        typing,
        scanOf(6, fc.integer({ min: 4, max: 20 })),
        (before, { text, strokes }) => {
          const [, ...rest] = strokes;
          const [first] = text;
          const found = codesIn([...before, [first ?? "", 90], ...rest]);
          expect(found).toHaveLength(1);
          expect(found[0]?.endsWith(text)).toBe(true);
        },
      ),
    );
  });

  test("reports each of many codes without a pause between them", () => {
    fc.assert(
      fc.property(fc.array(scanOf(3, fc.constant(4)), { minLength: 1, maxLength: 20 }), (scans) => {
        const strokes = scans.flatMap((scan) =>
          scan.strokes.map(([key], index): Stroke => [key, index === 0 ? 30 : 4]),
        );
        expect(codesIn(strokes)).toEqual(scans.map(({ text }) => text));
      }),
    );
  });

  test("holds Shift down for capital letters", () => {
    const strokes = Array.from("CAM-1").flatMap((key): Stroke[] => [
      ["Shift", 4],
      [key, 4],
    ]);
    expect(codesIn([...strokes, ["Enter", 4]])).toEqual(["CAM-1"]);
  });

  test("ends its code twice if it also sends a line feed", () => {
    const [scan, ...more] = scansIn([...typed("100235", 8), ["Enter", 8]]);
    expect(scan).toEqual({ code: "100235", keys: 6 });
    expect(more).toEqual([scan]);
    expect(more[0]).toBe(scan);
    expect(codesIn([...typed("100235", 8), ["Enter", 60]])).toEqual(["100235"]);
  });
});

/** A fast typist entering an amount: ordinary gaps of at least 60 ms, any number of rolls of 20 to 30 ms, at most two in a row. */
const rolling = fc
  .record({
    whole: fc.integer({ min: 0, max: 9_999_999 }),
    cents: fc.option(fc.integer({ min: 10, max: 99 })),
    end: fc.constantFrom("Enter", "Tab"),
    gaps: fc.array(
      fc.record({
        baseMs: fc.integer({ min: 60, max: 120 }),
        rollMs: fc.integer({ min: 20, max: 30 }),
        rolls: fc.boolean(),
      }),
      { minLength: 12, maxLength: 12 },
    ),
  })
  .map(({ whole, cents, end, gaps }) => {
    let rollsInARow = 0;
    const text = cents === null ? String(whole) : `${String(whole)}.${String(cents)}`;
    return [...Array.from(text), end].map((key, index): Stroke => {
      const { baseMs = 60, rollMs = 20, rolls = false } = gaps[index] ?? {};
      rollsInARow = rolls && rollsInARow < 2 ? rollsInARow + 1 : 0;
      return [key, rollsInARow > 0 ? rollMs : baseMs];
    });
  });

describe("typed keys", () => {
  test("keep an amount in which any two or three keys are rolled", () => {
    fc.assert(
      fc.property(rolling, (strokes) => {
        expect(scansIn(strokes)).toEqual([]);
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ["125.50", "Tab", [60, 25, 60, 60, 60, 60]],
    ["1234.56", "Enter", [60, 25, 60, 60, 60, 60, 60]],
    ["125.50", "Tab", [70, 25, 70, 25, 70, 65]],
    ["1250.00", "Tab", [90, 25, 90, 25, 70, 25, 60]],
    ["100.00", "Enter", [55, 55, 55, 55, 55, 55]],
    ["12.50", "Enter", [20, 20, 60, 20, 20]],
  ] as const)("keeps %s with %s behind it at gaps of %j ms", (text, end, gaps) => {
    const strokes = [...Array.from(text), end].map((key, index): Stroke => [
      key,
      index === 0 ? 400 : (gaps[index - 1] ?? 0),
    ]);
    expect(codesIn(strokes)).toEqual([]);
  });

  test("keep up to seven digits of an amount at a speed that elsewhere counts as a slow scanner", () => {
    const endedIn = (text: string, gapMs: number, inAmount: boolean) => {
      const read = keyBurst();
      Array.from(text).forEach((key, index) => read(key, 1000 + index * gapMs, inAmount));
      return read("Enter", 1000 + text.length * gapMs, inAmount);
    };
    expect(endedIn("100235", 50, true)).toBe(0);
    expect(endedIn("100235", 50, false)).toMatchObject({ code: "100235" });
    expect(endedIn("100235", 35, true)).toMatchObject({ code: "100235" });
    expect(endedIn("97812345", 50, true)).toMatchObject({ code: "97812345" });
  });

  test("press Space alone as often and as fast as they like", () => {
    expect(codesIn(typed("     ", 10))).toEqual([]);
  });

  test("are never taken for a scanner", () => {
    fc.assert(
      fc.property(typing, (strokes) => {
        expect(scansIn(strokes)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test("enter a price at ten keys per second", () => {
    expect(codesIn(typed("100235.00", 90))).toEqual([]);
    expect(codesIn(typed("12.50", 60))).toEqual([]);
  });

  test("roll over three digits, or end a scan's keys by hand", () => {
    expect(codesIn(typed("125", 30))).toEqual([]);
    expect(codesIn([...typed("100235", 4).slice(0, -1), ["Enter", 400]])).toEqual([]);
  });

  test("press one or two keys at any speed", () => {
    expect(codesIn(typed("12", 1))).toEqual([]);
    expect(codesIn(typed("", 1))).toEqual([]);
  });
});

test("characters are counted from the first one after a pause, and Shift does not count", () => {
  const read = keyBurst();
  expect([read("C", 1000), read("Shift", 1004), read("A", 1008)]).toEqual([1, 0, 2]);
  expect([read("M", 1109), read("1", 1113)]).toEqual([1, 2]);
});

test("an arrow key between a scan and Enter is typed, and so is that Enter, however soon it comes", () => {
  const read = keyBurst();
  ["1", "0", "0", "2", "3", "5"].forEach((key, index) => read(key, 1000 + index * 8));
  expect(read("Enter", 1048)).toMatchObject({ code: "100235" });
  expect(read("ArrowDown", 1060)).toBe(0);
  expect(read("Enter", 1070)).toBe(0);
});
