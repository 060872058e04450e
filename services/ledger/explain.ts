// How events read to people: the types of a feature's explanations, and the only way to apply them to a stored event.
import type { EventDefinition } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";

/**
 * A history in which people read events: its kinds of entries, what it knows about an event in addition to the data,
 * and the words of an entry.
 */
export type History = { readonly kind: string; readonly facts: unknown; readonly words: unknown };

/** How an event reads in one history. The kind is separate from the words, so that lists can filter by it. */
export type Reading<Data, Read extends History> = {
  readonly kind: Read["kind"];
  readonly read: (data: Data, facts: Read["facts"]) => Read["words"];
};

/**
 * How an event reads in each history. Null: it never appears there. Most events can leave out the histories in
 * `Rare`.
 */
export type Explanation<
  Data,
  Histories extends Record<string, History>,
  Rare extends keyof Histories = never,
> = {
  readonly [Name in Exclude<keyof Histories, Rare>]: Reading<Data, Histories[Name]> | null;
} & { readonly [Name in Rare]?: Reading<Data, Histories[Name]> | null };

type DataOf<Definition> = Definition extends EventDefinition<string, infer Data> ? Data : never;

/** An explanation for each event of a list. An event without one does not compile. */
export type Explanations<
  Definitions extends readonly EventDefinition[],
  Histories extends Record<string, History>,
  Rare extends keyof Histories = never,
> = {
  readonly [Definition in Definitions[number] as Definition["type"]]: Explanation<
    DataOf<Definition>,
    Histories,
    Rare
  >;
};

/** An event with its explanation. Only `readIn` calls the explanation, with data that the definition has parsed. */
export type ExplainedEvent<Histories extends Record<string, History>> = {
  readonly definition: EventDefinition;
  readonly explanation: Explanation<never, Histories, keyof Histories>;
};

/** Every explained event by its type. */
export type ExplanationRegister<Histories extends Record<string, History>> = ReadonlyMap<
  string,
  ExplainedEvent<Histories>
>;

/** Pairs each event with its explanation. Throws on an event without one, and on an explanation without an event. */
export function explained<
  const Definitions extends readonly EventDefinition[],
  Histories extends Record<string, History>,
>(
  definitions: Definitions,
  explanations: Explanations<Definitions, Histories, keyof Histories>,
): ExplainedEvent<Histories>[] {
  const byType = new Map<string, Explanation<never, Histories, keyof Histories>>(
    Object.entries(explanations),
  );
  const pairs = definitions.map((definition) => {
    const explanation = byType.get(definition.type);
    if (explanation === undefined) {
      throw new Error(
        `${definition.type} has no explanation: say in its feature's explain.ts how it reads to people`,
      );
    }
    byType.delete(definition.type);
    return { definition, explanation };
  });
  for (const type of byType.keys()) {
    throw new Error(`${type} is explained, but is not in its feature's list of events`);
  }
  return pairs;
}

/** The stored fields needed to read an event, with data in any version. */
export type ReadableEvent = {
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
};

/**
 * How an event reads in a history. Null for an event that is not explained there: one from a newer program, or one
 * whose explanation wrongly says that it never appears. Throws on data that no version of the event had.
 */
export function readIn<Histories extends Record<string, History>, Name extends keyof Histories>(
  register: ExplanationRegister<Histories>,
  name: Name,
  event: ReadableEvent,
  facts: Histories[Name]["facts"],
): { readonly kind: Histories[Name]["kind"]; readonly words: Histories[Name]["words"] } | null {
  const known = register.get(event.type);
  const reading = known?.explanation[name] ?? null;
  if (
    known === undefined ||
    reading === null ||
    event.schemaVersion > known.definition.schemaVersion
  ) {
    return null;
  }
  // The explanation's type comes from this definition.
  const data = upcast(known.definition, event.schemaVersion, event.data) as never;
  return { kind: reading.kind, words: reading.read(data, facts) };
}

/** The types of the events that have this kind in a history. */
export function typesOfKind<
  Histories extends Record<string, History>,
  Name extends keyof Histories,
>(register: ExplanationRegister<Histories>, name: Name, kind: Histories[Name]["kind"]): string[] {
  return [...register]
    .filter(([, { explanation }]) => explanation[name]?.kind === kind)
    .map(([type]) => type);
}

/** "OfferAccepted" → "Offer accepted": for events that are not explained. */
export function spelledOut(type: string): string {
  const words = type.replaceAll(/([a-z])([A-Z])/gu, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const countFormat = new Intl.NumberFormat("en-US");

/** "2 × Desk lamp", or the name alone for one unit. */
export function thingsText(units: number, itemName: string): string {
  return units > 1 ? `${units} × ${itemName}` : itemName;
}

/** "1 unit", "1,200 units". */
export function unitsText(units: number): string {
  return `${countFormat.format(units)} ${units === 1 ? "unit" : "units"}`;
}
