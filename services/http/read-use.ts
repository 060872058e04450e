// Remembers how long each person's expensive reads took lately, so that people who read least are served first.

/** What a person's reads took lately, in milliseconds, which fades; and how many run now. */
export type Use = { ms: number; at: number; running: number };

export type Uses = {
  readonly of: (person: string) => Use;
  /** Among the people with the fewest running reads, the one who used least; undefined if there is nobody. */
  readonly least: (people: Iterable<string>) => string | undefined;
  /** Whether this person read little lately: a tenth of the time, shared by all who read more than a moment. */
  readonly isLittle: (person: string) => boolean;
};

/** A tenth of the time, which is much for a person at a till. */
const LITTLE_MS = 1_000;
/** The least that counts as much, however many people read. */
const LEAST_SHARE_MS = 150;
const MOMENT_MS = 50;
/** How long the number of those who read is used before they are counted again. */
const COUNTED_MS = 250;

/** After this time, about a third of what a person used still counts. */
const FADING_MS = 10_000;
const MAX_REMEMBERED = 5_000;

export function createUses(now: () => number): Uses {
  const uses = new Map<string, Use>();

  function of(person: string): Use {
    const at = now();
    const use = uses.get(person) ?? { ms: 0, at, running: 0 };
    use.ms *= Math.exp((use.at - at) / FADING_MS);
    use.at = at;
    if (!uses.has(person)) {
      forgetRested(uses, at);
      uses.set(person, use);
    }
    return use;
  }

  let counted = { readers: 0, at: -Infinity };
  function readers(): number {
    const at = now();
    if (at - counted.at > COUNTED_MS) {
      const reading = [...uses.keys()].filter((person) => of(person).ms > MOMENT_MS);
      counted = { readers: reading.length, at };
    }
    return counted.readers;
  }

  return {
    of,
    isLittle: (person) =>
      of(person).ms < Math.max(LEAST_SHARE_MS, LITTLE_MS / Math.max(1, readers())),
    least(people) {
      let least: { readonly person: string; readonly use: Use } | undefined;
      for (const person of people) {
        const use = of(person);
        const isLess =
          least === undefined ||
          use.running < least.use.running ||
          (use.running === least.use.running && use.ms < least.use.ms);
        least = isLess ? { person, use } : least;
      }
      return least?.person;
    },
  };
}

/** What somebody used so long ago hardly counts. */
function forgetRested(uses: Map<string, Use>, now: number): void {
  if (uses.size >= MAX_REMEMBERED) {
    for (const [person, { at, running }] of uses) {
      if (running === 0 && now - at > 3 * FADING_MS) {
        uses.delete(person);
      }
    }
  }
}
