// The fingerprint of a stream's evolve: a hash of all states that result from fixed sequences of sample events.
import { createHash } from "node:crypto";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { AnyEvent, Facts } from "#ledger/event.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import type { EventSample, EventSamples, Path } from "#testing/fingerprints/event-samples.ts";
import { pathsIn, valueAt } from "#testing/fingerprints/event-samples.ts";
import type { NamesOf } from "#testing/fingerprints/names.ts";

export type FoldFingerprint = {
  readonly hash: string;
  /** Types of events that evolve handles specially. */
  readonly seen: ReadonlySet<string>;
  /** State fields that have the same value in every state: no sample changes them. */
  readonly unchanged: readonly string[];
};

/** How an event names a stream of a category: with values from its data, joined by hyphens. */
type IdRecipe = readonly Path[];

/** An unknown event type, which changes a state only by its postings and movements. */
const UNKNOWN = "an event of no feature";
const SAMPLE_ID = "00000000-0000-4000-8000-0000000000e1";
const AT = "2024-05-31T12:00:00.000Z";
const LATER = "2025-01-31T12:00:00.000Z";

/** The states from which one more event is applied. */
type Reached = { readonly state: unknown; readonly key: string };

/** Runs one stream through the samples. Adds every change by an event, and nothing that evolve ignores. */
class Fold {
  readonly #stream: StreamDefinition<unknown>;
  readonly #namesOf: NamesOf;
  /** What happened, as "type: state before → state after". */
  readonly lines = new Set<string>();
  readonly seen = new Set<string>();
  readonly states = new Map<string, unknown>();
  /** How each event type names a stream of this category. */
  readonly #recipes = new Map<string, readonly IdRecipe[]>();
  readonly #facts = new Map<string, readonly Facts[]>();

  constructor(stream: StreamDefinition<unknown>, namesOf: NamesOf) {
    this.#stream = stream;
    this.#namesOf = namesOf;
    this.#keep(stream.initial);
  }

  #keep(state: unknown): Reached {
    const key = canonicalJson(state);
    this.states.set(key, state);
    return { state, key };
  }

  /** The states after one event, for each stream id it may name and each of the facts. */
  after(before: Reached, sample: EventSample, facts: (id: string) => readonly Facts[]): Reached[] {
    return this.#idsOf(sample).flatMap((id) =>
      facts(id).flatMap((given) => {
        const state = this.#evolve(before.state, { ...sample, ...given }, id);
        const plain = this.#evolve(before.state, { type: UNKNOWN, data: {}, ...given }, id);
        if (state === before.state && plain === before.state) {
          return [];
        }
        const plainKey = canonicalJson(plain);
        const known = canonicalJson(state) !== plainKey;
        if (!known && plainKey === before.key) {
          return [];
        }
        const type = known ? sample.type : UNKNOWN;
        const reached = this.#keep(state);
        this.seen.add(type);
        this.lines.add(`${type}: ${before.key} → ${reached.key}`);
        return [reached];
      }),
    );
  }

  #evolve(state: unknown, event: AnyEvent, id: string): unknown {
    return this.#stream.evolve(state, event, id);
  }

  #idsOf({ type, data }: EventSample): readonly string[] {
    const { category } = this.#stream;
    if (type === UNKNOWN) {
      return [`${category}-${SAMPLE_ID}`];
    }
    const idBy = (recipe: IdRecipe) =>
      [category, ...recipe.map((path) => textAt(data, path))].join("-");
    return [...new Set((this.#recipes.get(type) ?? []).map(idBy))];
  }

  /** Finds, for each fixture, one way to name a stream for each different resulting state. */
  learnIds({ type, fixtures }: EventSamples): void {
    const { category, initial } = this.#stream;
    const byState = new Map<string, IdRecipe>();
    for (const { data } of fixtures) {
      const texts = pathsIn(data).filter((path) => typeof valueAt(data, path) === "string");
      const pairs = texts.flatMap((one) => texts.map((other) => [one, other]));
      // An event that names nothing can still be of a stream of which there is only one.
      const ways = texts.length === 0 ? [[]] : [...texts.map((path) => [path]), ...pairs];
      for (const recipe of ways) {
        const id = [category, ...recipe.map((path) => textAt(data, path))].join("-");
        const event = { type, data, postings: [], movements: [], happenedAt: AT };
        const key = canonicalJson(this.#evolve(initial, event, id));
        if (!byState.has(key)) {
          byState.set(key, recipe);
        }
      }
    }
    this.#recipes.set(type, [...byState.values()]);
  }

  /** Only the time; and, for each name that the state depends on, money and units in and out. */
  readonly facts = (id: string): readonly Facts[] => {
    const known = this.#facts.get(id);
    if (known !== undefined) {
      return known;
    }
    const { category, initial } = this.#stream;
    const plain = canonicalJson(initial);
    const moved = this.#namesOf(id.slice(category.length + 1)).flatMap(factsOf);
    const counted = moved.filter(
      (facts) =>
        canonicalJson(this.#evolve(initial, { type: UNKNOWN, data: {}, ...facts }, id)) !== plain,
    );
    const all = [...timeAlone(), ...counted];
    this.#facts.set(id, all);
    return all;
  };
}

/** The text at a path; a sample may have another value or none where its fixture has a text. */
function textAt(data: unknown, path: Path): string {
  const value = valueAt(data, path);
  return typeof value === "string" ? value : "none";
}

const timeAlone = (): readonly Facts[] =>
  [AT, LATER].map((happenedAt) => ({ postings: [], movements: [], happenedAt }));

function factsOf(name: string): readonly Facts[] {
  const elsewhere = "world:elsewhere";
  const ways = [
    [elsewhere, name, 700],
    [name, elsewhere, 300],
  ] as const;
  return ways.flatMap(([from, to, amount]) => [
    { postings: [{ from, to, cents: amount }], movements: [], happenedAt: AT },
    { postings: [], movements: [{ from, to, units: amount }], happenedAt: AT },
  ]);
}

/** The first new states, one for each event type. */
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
 * two. An event that evolve ignores adds nothing, so a new event of another feature changes no hash.
 */
export function foldFingerprint(
  stream: StreamDefinition<unknown>,
  samples: readonly EventSamples[],
  namesOf: NamesOf,
): FoldFingerprint {
  const fold = new Fold(stream, namesOf);
  samples.forEach((event) => fold.learnIds(event));
  const unknown: EventSample = { type: UNKNOWN, data: {} };
  const fixtures = [[unknown], ...samples.map((event) => event.fixtures)];
  const start = { state: stream.initial, key: canonicalJson(stream.initial) };
  const known = new Set([start.key]);
  const first = [start, ...firstNew(fold, [start], fixtures, known, 2)];
  const second = firstNew(fold, first.slice(1), fixtures, known, 1);
  for (const before of first) {
    for (const sample of samples.flatMap((event) => event.variants)) {
      fold.after(before, sample, timeAlone);
    }
  }
  for (const before of second) {
    for (const sample of fixtures.flat()) {
      fold.after(before, sample, timeAlone);
    }
  }
  const lines = [canonicalJson(stream.initial), ...[...fold.lines].sort()];
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
