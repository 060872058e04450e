// Tells a keyboard wedge from a person: a scanner types a whole code faster than any hand and ends it with Enter or Tab.

/** A code as a scanner typed it. */
export type Scan = {
  readonly code: string;
  /** How many keys gave a character; fewer than stand in a field into which a hand had typed before. */
  readonly keys: number;
};

/**
 * Nobody types that many characters with so little time between them, the key that ends them included. USB scanners take 7
 * to 8 ms a key, at times 16, and cheap Bluetooth ones up to 50. Of 168,000 typists the quick ones press ten keys a second,
 * which is 100 ms; 55 ms is a champion's pace, on words. Two keys may roll off a hand within 30 ms, so a short code has to be
 * quicker.
 */
const paces: readonly (readonly [characters: number, meanGapMs: number])[] = [
  [3, 20],
  [4, 35],
  [6, 55],
];

/** Even where the radio stumbles, no scanner rests longer within a code: what comes later begins anew. */
const longestGapMs = 100;
/** A second key behind a code comes at the pace of the code; a hand that goes on with Enter comes later. */
const secondEndMs = 55;

/** Keys that a scanner holds for its capitals and signs. Any other that gives no character is a hand's, and begins anew. */
const partOfCodes = /^(?:Shift|Alt|Control|Meta|Dead|Unident)/;

/** A hand may have typed right before the scanner, so it is enough that the last keys came at a scanner's pace. */
function isScan(timesMs: readonly number[], endedAtMs: number): boolean {
  return timesMs.some((atMs, index) => {
    const characters = timesMs.length - index;
    return paces.some(
      ([fewest, meanGapMs]) => characters >= fewest && endedAtMs - atMs <= meanGapMs * characters,
    );
  });
}

/**
 * Reads keys one after the other; `atMs` is the event's own time, so that a busy page does not change the pace. Answers the scan
 * that a key ends, or how many characters have come in a row with this one; 0 for keys that give none, such as Shift.
 */
export function keyBurst(): (key: string, atMs: number) => Scan | number {
  let timesMs: number[] = [];
  let code = "";
  let lastAtMs = 0;
  let scan: Scan | undefined;

  return (key, atMs) => {
    const isEnd = key === "Enter" || key === "Tab";
    if (!isEnd && key.length !== 1) {
      if (!partOfCodes.test(key)) {
        timesMs = [];
        code = "";
        scan = undefined;
      }
      return 0;
    }
    const gapMs = atMs - lastAtMs;
    lastAtMs = atMs;
    if (scan === undefined ? gapMs > longestGapMs : gapMs > secondEndMs || !isEnd) {
      timesMs = [];
      code = "";
      scan = undefined;
    }
    if (!isEnd) {
      code += key;
      return timesMs.push(atMs);
    }
    // Some scanners end a code with two keys: the second one is no more a hand's than the first.
    if (isScan(timesMs, atMs)) {
      scan = { code, keys: timesMs.length };
    }
    timesMs = [];
    code = "";
    return scan ?? 0;
  };
}
