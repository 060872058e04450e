// From what the camera sees, look after look, to what is scanned: a code in sight counts once, until it has been away.

/** One lucky misreading is no scan: a code is read twice before it counts. */
const readsToCount = 2;
/** A hand shakes and a reflection passes; a code is only gone after both of these. */
const goneAfterMs = 1200;
const goneAfterLooks = 3;

type Sighting = {
  readonly reads: number;
  readonly lastReadAtMs: number;
  /** Looks since then in which it was not to be read. */
  readonly missedLooks: number;
};

/** The codes in sight. */
export type Sightings = ReadonlyMap<string, Sighting>;

export const nothingInSight: Sightings = new Map();

function isGone({ lastReadAtMs, missedLooks }: Sighting, atMs: number): boolean {
  return missedLooks >= goneAfterLooks && atMs - lastReadAtMs >= goneAfterMs;
}

/** One look at the picture: what is in sight after it, and the codes that count with it, in the order they were read. */
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
