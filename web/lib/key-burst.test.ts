// A scanner's keys told from a hand's, for chosen sequences and for any.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyBurst, type Scan } from "./key-burst.ts";

/** A key, and how long after the one before it came. */
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

/** After a pause, a scanner's code: each key as late as `gapMs` says, and Enter or Tab behind. */
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
 * A quick hand: 75 ms a key and slower, but now and then a key rolls off the hand 30 ms after the one before. Two rolls
 * have at least two ordinary keys between them.
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
  test("is known at the pace of USB, and with four characters at twice that", () => {
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

  test("is known with six characters at the pace of a cheap Bluetooth one", () => {
    fc.assert(
      fc.property(scanOf(6, fc.integer({ min: 40, max: 55 })), ({ text, strokes }) => {
        expect(codesIn(strokes)).toEqual([text]);
      }),
    );
  });

  test("is known with its whole code where the radio stumbles once", () => {
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

  test("is known right behind a hand's keys", () => {
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

  test("gives each of many codes without a pause between them", () => {
    fc.assert(
      fc.property(fc.array(scanOf(3, fc.constant(4)), { minLength: 1, maxLength: 20 }), (scans) => {
        const strokes = scans.flatMap((scan) =>
          scan.strokes.map(([key], index): Stroke => [key, index === 0 ? 30 : 4]),
        );
        expect(codesIn(strokes)).toEqual(scans.map(({ text }) => text));
      }),
    );
  });

  test("holds Shift down for its capitals", () => {
    const strokes = Array.from("CAM-1").flatMap((key): Stroke[] => [
      ["Shift", 4],
      [key, 4],
    ]);
    expect(codesIn([...strokes, ["Enter", 4]])).toEqual(["CAM-1"]);
  });

  test("ends its code twice where it sends a line feed as well", () => {
    const [scan, ...more] = scansIn([...typed("100235", 8), ["Enter", 8]]);
    expect(scan).toEqual({ code: "100235", keys: 6 });
    expect(more).toEqual([scan]);
    expect(more[0]).toBe(scan);
    expect(codesIn([...typed("100235", 8), ["Enter", 60]])).toEqual(["100235"]);
  });
});

describe("a hand", () => {
  test("is never taken for a scanner", () => {
    fc.assert(
      fc.property(typing, (strokes) => {
        expect(scansIn(strokes)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test("types a price at ten keys a second", () => {
    expect(codesIn(typed("100235.00", 90))).toEqual([]);
    expect(codesIn(typed("12.50", 60))).toEqual([]);
  });

  test("rolls over three digits, or ends a scan's keys itself", () => {
    expect(codesIn(typed("125", 30))).toEqual([]);
    expect(codesIn([...typed("100235", 4).slice(0, -1), ["Enter", 400]])).toEqual([]);
  });

  test("presses one or two keys as quickly as it may", () => {
    expect(codesIn(typed("12", 1))).toEqual([]);
    expect(codesIn(typed("", 1))).toEqual([]);
  });
});

test("characters are counted from the first after a pause, and Shift is none", () => {
  const read = keyBurst();
  expect([read("C", 1000), read("Shift", 1004), read("A", 1008)]).toEqual([1, 0, 2]);
  expect([read("M", 1109), read("1", 1113)]).toEqual([1, 2]);
});

test("an arrow between a scan and Enter is a hand's, and so is that Enter, however soon it comes", () => {
  const read = keyBurst();
  ["1", "0", "0", "2", "3", "5"].forEach((key, index) => read(key, 1000 + index * 8));
  expect(read("Enter", 1048)).toMatchObject({ code: "100235" });
  expect(read("ArrowDown", 1060)).toBe(0);
  expect(read("Enter", 1070)).toBe(0);
});
