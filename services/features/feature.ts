// What a feature gives to the register of all features.
import type { FeatureExplanations, Histories } from "#features/histories.ts";
import type { FeatureRoutes } from "#http/deps.ts";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";
import type { ExplainedEvent } from "#ledger/explain.ts";
import { explained } from "#ledger/explain.ts";
import type { NameFamily } from "#ledger/names.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";

export type Feature = {
  readonly name: string;
  readonly streams: readonly StreamDefinition<unknown>[];
  readonly events: readonly EventDefinition[];
  /** Its streams, accounts and holdings that contain an id; SQL has functions for them too. */
  readonly names: readonly NameFamily[];
  /** How each event reads to people. */
  readonly explained: readonly ExplainedEvent<Histories>[];
  readonly projections: readonly Projection[];
  /** What else must be true of its read tables, apart from live = replay; part of `npm run verify`. */
  readonly checks: readonly BookCheck[];
  readonly routes: readonly FeatureRoutes[];
};

/** A feature. One of its events without an explanation does not compile. */
export function feature<const Events extends readonly EventDefinition[]>({
  explain,
  ...given
}: Omit<Feature, "explained" | "events" | "checks"> & {
  readonly events: Events;
  /** None if left out. */
  readonly checks?: Feature["checks"];
  readonly explain: FeatureExplanations<Events>;
}): Feature {
  return { checks: [], ...given, explained: explained<Events, Histories>(given.events, explain) };
}

/** A feature that records nothing: it reads what others record, or is made of their commands. */
export function routesOnly(name: string, ...routes: readonly FeatureRoutes[]): Feature {
  const nothing = { streams: [], events: [], names: [], projections: [] };
  return feature({ ...nothing, name, explain: {}, routes });
}

/** The entries of all features by their names. Throws if two have the same. */
export function register<Entry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
): Map<string, Entry> {
  const byName = new Map<string, Entry>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (byName.has(name)) {
      throw new Error(`${name} is registered twice`);
    }
    byName.set(name, entry);
  }
  return byName;
}
