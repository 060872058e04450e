// What this process does at the moment: each part of it says so in a sentence, and the process reports them all.

/** By part; a part that does nothing at the moment has no sentence. */
export type Doing = {
  /** `say` is called at each report; null removes the part. */
  readonly set: (part: string, say: (() => string) | null) => void;
  readonly sentences: () => readonly string[];
};

export function createDoing(): Doing {
  const parts = new Map<string, () => string>();
  return {
    set(part, say) {
      if (say === null) {
        parts.delete(part);
      } else {
        parts.set(part, say);
      }
    },
    sentences: () => [...parts.values()].map((say) => say()),
  };
}
