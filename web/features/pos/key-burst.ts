// Tells a keyboard wedge from a person: a scanner types a whole code faster than any hand and ends it with Enter or Tab.

/** Between two keys of a scanner there is never more than this; between two keys of a hand nearly always. */
const scannerGapMs = 35;
/** Shorter texts may be a lucky roll of two fingers. */
const shortestScan = 3;

export type KeyBurst = {
  /** Notes a key that adds a character. `atMs` is the event's own time, not that of its handling. */
  readonly key: (atMs: number) => void;
  /** Whether the text that Enter or Tab ends at `atMs` came from a scanner. Starts over. */
  readonly end: (atMs: number, length: number) => boolean;
  readonly reset: () => void;
};

export function keyBurst(): KeyBurst {
  let keys = 0;
  let lastAtMs = 0;
  return {
    key(atMs) {
      keys = keys > 0 && atMs - lastAtMs <= scannerGapMs ? keys + 1 : 1;
      lastAtMs = atMs;
    },
    end(atMs, length) {
      const isScan = length >= shortestScan && keys >= length && atMs - lastAtMs <= scannerGapMs;
      keys = 0;
      return isScan;
    },
    reset() {
      keys = 0;
    },
  };
}
