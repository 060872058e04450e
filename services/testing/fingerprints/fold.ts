// Applies sample events to the states of one stream, and keeps every change that they make.
import { createHash } from "node:crypto";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { AnyEvent, Facts } from "#ledger/event.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import type { EventSample, EventSamples, Path } from "#testing/fingerprints/event-samples.ts";
import { pathsIn, valueAt } from "#testing/fingerprints/event-samples.ts";
import type { NamesOf } from "#testing/fingerprints/names.ts";

/** How an event names a stream of a category: with values from its data, joined by hyphens. */
type IdRecipe = readonly Path[];

/** An unknown event type, which changes a state only by its postings and movements. */
export const UNKNOWN = "an event of no feature";
const SAMPLE_ID = "00000000-0000-4000-8000-0000000000e1";
const AT = "2024-05-31T12:00:00.000Z";
const LATER = "2025-01-31T12:00:00.000Z";

/** The states from which one more event is applied. */
export type Reached = { readonly state: unknown; readonly key: string };

/** An event that changed a state. */
export type FoldStep = {
  readonly type: string;
  readonly before: Reached;
  readonly after: Reached;
  readonly event: AnyEvent;
  readonly id: string;
};

/** Runs one stream through the samples. Adds every change by an event, and nothing that evolve ignores. */
export class Fold {
  readonly #stream: StreamDefinition<unknown>;
  readonly #namesOf: NamesOf;
  /**
   * What happened, as "hash of the data, type: state before → state after". Two samples with the same effect are two
   * lines: an event that counts only on a condition is told from one that always does.
   */
  readonly lines = new Set<string>();
  readonly seen = new Set<string>();
  readonly states = new Map<string, unknown>();
  /** One event for each change of one state into another by a type. */
  readonly steps = new Map<string, FoldStep>();
  /** How each event type names a stream of this category. */
  readonly #recipes = new Map<string, readonly IdRecipe[]>();
  readonly #facts = new Map<string, readonly Facts[]>();

  constructor(stream: StreamDefinition<unknown>, namesOf: NamesOf) {
    this.#stream = stream;
    this.#namesOf = namesOf;
    this.#keep(stream.initial);
  }

  #keep(state: unknown, key = canonicalJson(state)): Reached {
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
        // Writing a state down is most of the work, so none is written twice.
        const plainKey = plain === before.state ? before.key : canonicalJson(plain);
        const key = state === before.state ? before.key : canonicalJson(state);
        const known = key !== plainKey;
        if (!known && plainKey === before.key) {
          return [];
        }
        const type = known ? sample.type : UNKNOWN;
        const reached = this.#keep(state, key);
        this.seen.add(type);
        const step = `${type}: ${before.key} → ${reached.key}`;
        this.lines.add(known ? `${hashOfData(sample)} ${step}` : step);
        if (!this.steps.has(step)) {
          this.steps.set(step, {
            type,
            before,
            after: reached,
            event: { ...sample, ...given },
            id,
          });
        }
        return [reached];
      }),
    );
  }

  #evolve(state: unknown, event: AnyEvent, id: string): unknown {
    return this.#stream.evolve(state, event, id);
  }

  /** The state after the event of a step, from another state. */
  again({ event, id }: FoldStep, state: unknown): unknown {
    return this.#evolve(state, event, id);
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

export const timeAlone = (): readonly Facts[] =>
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

const hashes = new WeakMap<EventSample, string>();

function hashOfData(sample: EventSample): string {
  const kept = hashes.get(sample);
  if (kept !== undefined) {
    return kept;
  }
  const hash = createHash("sha256").update(canonicalJson(sample.data)).digest("hex").slice(0, 16);
  hashes.set(sample, hash);
  return hash;
}
