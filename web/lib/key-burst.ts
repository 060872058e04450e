// Distinguishes a scanner from a person: a scanner types a whole code faster than any person and ends it with Enter or Tab.

/** A code as a scanner typed it. */
export type Scan = {
  readonly code: string;
  /** How many keys produced a character. Fewer than the field has characters if a person typed before the scan. */
  readonly keys: number;
};

/**
 * Scanners type evenly, people do not: a person may roll two keys within 20 ms, but not four in a row. USB scanners take 7
 * to 8 ms per key, sometimes 16, and cheap Bluetooth ones up to 50. Of 168,000 typists, the fast ones press ten keys per second.
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

/** Even if the radio stumbles, no scanner pauses longer than this within a code. A later key starts a new sequence. */
const longestGapMs = 100;
/** A second end key arrives at the speed of the code. A person who presses Enter next is slower. */
const secondEndMs = 55;

/** Keys that a scanner holds for capitals and symbols. Any other key without a character is a person's and starts a new sequence. */
const partOfCodes = /^(?:Shift|Alt|Con|Meta|Dead|Un)/;

/** A person may have typed right before the scanner, so only the last keys need a scanner's speed. */
function isScan(gapsMs: readonly number[], code: string, inAmount: boolean): boolean {
  // Deleting what a person typed is worse than missing a slow scanner.
  const mayBeSlow = !(inAmount ? /^\d{0,7}([.,]\d*)?$/ : /^\d*[.,]\d+$/).test(code);
  return (
    code.trim() !== "" && gapsMs.some((_, index) => isPaceOfScanner(gapsMs.slice(index), mayBeSlow))
  );
}

/**
 * Reads keys one after the other. `atMs` is the event's own time, so that a busy page does not change the speed. `inAmount`
 * says that the key went to a field for an amount, a quantity or a date. Returns the scan that a key ends, or the number of
 * characters in a row up to this key; 0 for keys without a character, such as Shift.
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
    // Some scanners end a code with two keys. The second one belongs to the scan too.
    const found = isScan(gapsMs, code, inAmount) ? { code, keys: timesMs.length } : scan;
    beginAnew();
    scan = found;
    return scan ?? 0;
  };
}
