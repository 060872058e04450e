// From what the camera sees to what is scanned: a code in view counts once, until it has been away.

/** A single reading may be a misreading, so a code is read twice before it counts. */
const readsToCount = 2;
/** Hands shake and reflections pass, so a code is gone only after both of these. */
const goneAfterMs = 1200;
const goneAfterLooks = 3;

type Sighting = {
  readonly reads: number;
  readonly lastReadAtMs: number;
  /** Looks since the last reading. */
  readonly missedLooks: number;
};

/** The codes in view. */
export type Sightings = ReadonlyMap<string, Sighting>;

export const nothingInSight: Sightings = new Map();

function isGone({ lastReadAtMs, missedLooks }: Sighting, atMs: number): boolean {
  return missedLooks >= goneAfterLooks && atMs - lastReadAtMs >= goneAfterMs;
}

/** One look at the picture: the codes in view after it, and those that count with it, in the order they were read. */
export function look(
  before: Sightings,
  codes: readonly string[],
  atMs: number,
): { readonly inSight: Sightings; readonly counted: readonly string[] } {
  const read = new Set(codes);
  const inSight = new Map<string, Sighting>();
  for (const [code, seen] of before) {
    const missed = { ...seen, missedLooks: seen.missedLooks + 1 };
    if (!read.has(code) && !isGone(missed, atMs)) {
      inSight.set(code, missed);
    }
  }
  const counted: string[] = [];
  for (const code of read) {
    const reads = (before.get(code)?.reads ?? 0) + 1;
    inSight.set(code, { reads, lastReadAtMs: atMs, missedLooks: 0 });
    if (reads === readsToCount) {
      counted.push(code);
    }
  }
  return { inSight, counted };
}
