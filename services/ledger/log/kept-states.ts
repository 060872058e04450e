// The states that committed batches left, so that the next one need not read them; each append checks their versions.
import type { LoadedStream } from "#ledger/log/batch.ts";

type KeptState = Pick<LoadedStream, "definition" | "version" | "state">;

export type KeptStates = {
  /** Hands a state out once: a batch that fails leaves nothing behind that might be wrong. */
  readonly take: (streamId: string) => KeptState | undefined;
  readonly keep: (streams: ReadonlyMap<string, LoadedStream>) => void;
};

/** Keeps the latest `size` to twice as many states. */
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
      // Also of streams that are not there: most people never have one of their own, and every command about
      // their goods and money asks whether they have left.
      for (const [id, { definition, version, state }] of streams) {
        young.set(id, { definition, version, state });
      }
    },
  };
}
