// Tells a keyboard wedge from a person: a scanner types a whole code faster than any hand and ends it with Enter or Tab.

/** A code as a scanner typed it. */
export type Scan = {
  readonly code: string;
  /** How many keys gave a character; fewer than stand in a field into which a hand had typed before. */
  readonly keys: number;
};

/**
 * Scanners are even, and hands are not: two keys may roll off a hand within 20 ms, but not four in a row. USB scanners take 7
 * to 8 ms a key, at times 16, and cheap Bluetooth ones up to 50. Of 168,000 typists the quick ones press ten keys a second.
 */
function isPaceOfScanner(gapsMs: readonly number[], mayBeSlow: boolean): boolean {
  const [shortest = 0, ...others] = gapsMs.toSorted((one, other) => one - other);
  const longest = others.at(-1) ?? 0;
  const keys = gapsMs.length;
  return (
    (keys > 2 && gapsMs.reduce((sum, gapMs) => sum + gapMs, 0) <= 20 * keys) ||
    (keys > 3 && longest <= 35) ||
    // The radio may stumble once.
    (keys > 5 && (others.at(-2) ?? 0) <= 18) ||
    (mayBeSlow && keys > 5 && longest <= 55 && longest <= 1.8 * shortest)
  );
}

/** Even where the radio stumbles, no scanner rests longer within a code: what comes later begins anew. */
const longestGapMs = 100;
/** A second key behind a code comes at the pace of the code; a hand that goes on with Enter comes later. */
const secondEndMs = 55;

/** Keys that a scanner holds for its capitals and signs. Any other that gives no character is a hand's, and begins anew. */
const partOfCodes = /^(?:Shift|Alt|Con|Meta|Dead|Un)/;

/** A hand may have typed right before the scanner, so it is enough that the last keys came at a scanner's pace. */
function isScan(gapsMs: readonly number[], code: string, inAmount: boolean): boolean {
  // To wipe out what a person typed is worse than to miss a slow scanner.
  const mayBeSlow = !(inAmount ? /^\d{0,7}([.,]\d*)?$/ : /^\d*[.,]\d+$/).test(code);
  return (
    code.trim() !== "" && gapsMs.some((_, index) => isPaceOfScanner(gapsMs.slice(index), mayBeSlow))
  );
}

/**
 * Reads keys one after the other; `atMs` is the event's own time, so that a busy page does not change the pace, and `inAmount`
 * says that the key came to a field for an amount, a quantity or a date. Answers the scan that a key ends, or how many
 * characters have come in a row with this one; 0 for keys that give none, such as Shift.
 */
export function keyBurst(): (key: string, atMs: number, inAmount?: boolean) => Scan | number {
  let timesMs: number[] = [];
  let code = "";
  let lastAtMs = 0;
  let scan: Scan | undefined;
  const beginAnew = (): void => {
    timesMs = [];
    code = "";
    scan = undefined;
  };

  return (key, atMs, inAmount = false) => {
    const isEnd = key === "Enter" || key === "Tab";
    if (!isEnd && key.length !== 1) {
      if (!partOfCodes.test(key)) {
        beginAnew();
      }
      return 0;
    }
    const gapMs = atMs - lastAtMs;
    lastAtMs = atMs;
    if (scan === undefined ? gapMs > longestGapMs : gapMs > secondEndMs || !isEnd) {
      beginAnew();
    }
    if (!isEnd) {
      code += key;
      return timesMs.push(atMs);
    }
    const gapsMs = timesMs.map((time, index) => (timesMs[index + 1] ?? atMs) - time);
    // Some scanners end a code with two keys: the second one is no more a hand's than the first.
    const found = isScan(gapsMs, code, inAmount) ? { code, keys: timesMs.length } : scan;
    beginAnew();
    scan = found;
    return scan ?? 0;
  };
}
