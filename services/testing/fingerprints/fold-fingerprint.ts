// The fingerprint of a stream's evolve: a hash of all states that result from fixed sequences of sample events.
import { createHash } from "node:crypto";
import type { StreamDefinition } from "#ledger/decider.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import type { EventSample, EventSamples } from "#testing/fingerprints/event-samples.ts";
import { pathsIn, valueAt } from "#testing/fingerprints/event-samples.ts";
import type { Reached } from "#testing/fingerprints/fold.ts";
import { Fold, timeAlone, UNKNOWN } from "#testing/fingerprints/fold.ts";
import { longRuns, walks } from "#testing/fingerprints/fold-walks.ts";
import type { NamesOf } from "#testing/fingerprints/names.ts";

export type FoldFingerprint = {
  readonly hash: string;
  /** Types of events that evolve handles specially. */
  readonly seen: ReadonlySet<string>;
  /** State fields that have the same value in every state: no sample changes them. */
  readonly unchanged: readonly string[];
};

/** The first new states of each event type. */
function firstNew(
  fold: Fold,
  from: readonly Reached[],
  events: readonly (readonly EventSample[])[],
  known: Set<string>,
  perType: number,
): Reached[] {
  return from.flatMap((before) =>
    events.flatMap((samples) => {
      const added: Reached[] = [];
      for (const reached of samples.flatMap((sample) => fold.after(before, sample, fold.facts))) {
        if (added.length < perType && !known.has(reached.key)) {
          known.add(reached.key);
          added.push(reached);
        }
      }
      return added;
    }),
  );
}

/**
 * Applies every sample to the initial state and to the states after one event, and every fixture to the states after
 * two; then long sequences of what made a difference. An event that evolve ignores adds nothing, so a new event of
 * another feature changes no hash.
 */
export function foldFingerprint(
  stream: StreamDefinition<unknown>,
  samples: readonly EventSamples[],
  namesOf: NamesOf,
): FoldFingerprint {
  const fold = new Fold(stream, namesOf);
  samples.forEach((event) => fold.learnIds(event));
  const unknown: EventSample = { type: UNKNOWN, data: {} };
  const fixtures = [[unknown], ...samples.map(({ fixtures, others }) => [...others, ...fixtures])];
  const start = { state: stream.initial, key: canonicalJson(stream.initial) };
  const known = new Set([start.key]);
  const first = [start, ...firstNew(fold, [start], fixtures, known, 3)];
  // With places of their own: samples with other ids may fill those of their type, by what moves with them.
  const greater = firstNew(
    fold,
    [start],
    samples.map((event) => event.greater),
    known,
    1,
  );
  const second = firstNew(fold, first.slice(1), fixtures, known, 1);
  for (const before of [...first, ...greater]) {
    for (const sample of samples.flatMap((event) => event.variants)) {
      fold.after(before, sample, timeAlone);
    }
  }
  for (const before of second) {
    for (const sample of fixtures.flat()) {
      fold.after(before, sample, timeAlone);
    }
  }
  const lines = [
    canonicalJson(stream.initial),
    ...[...fold.lines].sort(),
    ...walks(fold, stream.initial),
    ...longRuns(fold),
  ];
  return {
    hash: createHash("sha256").update(lines.join("\n")).digest("hex"),
    seen: fold.seen,
    unchanged: unchangedFields([...fold.states.values()]),
  };
}

/** Fields that have the same value in every state. */
function unchangedFields(states: readonly unknown[]): string[] {
  const values = new Map<string, Set<string>>();
  for (const state of states) {
    for (const path of pathsIn(state)) {
      const name = path.filter((part) => typeof part === "string").join(".");
      const seen = values.get(name) ?? new Set();
      values.set(name, seen.add(canonicalJson(valueAt(state, path))));
    }
  }
  return [...values].filter(([, seen]) => seen.size === 1).map(([name]) => name);
}
