// Keeps the states after committed batches, so that the next batch need not read them; each append checks their versions.
import type { LoadedStream } from "#ledger/log/batch.ts";

type KeptState = Pick<LoadedStream, "definition" | "version" | "state">;

export type KeptStates = {
  /** Hands out a state only once, so that a failed batch leaves nothing wrong behind. */
  readonly take: (streamId: string) => KeptState | undefined;
  readonly keep: (streams: ReadonlyMap<string, LoadedStream>) => void;
};

/** Keeps between `size` and twice `size` of the latest states. */
export function keepStates(size: number): KeptStates {
  let young = new Map<string, KeptState>();
  let old = new Map<string, KeptState>();
  return {
    take(streamId) {
      for (const states of [young, old]) {
        const kept = states.get(streamId);
        if (kept !== undefined) {
          states.delete(streamId);
          return kept;
        }
      }
      return undefined;
    },
    keep(streams) {
      if (young.size >= size) {
        old = young;
        young = new Map();
      }
      // Streams that do not exist are kept too: most people never have one, and every command about their goods and
      // money checks whether they were deleted.
      for (const [id, { definition, version, state }] of streams) {
        young.set(id, { definition, version, state });
      }
    },
  };
}
