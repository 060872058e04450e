// Defines events: their type, the schema of their data, and how old versions are upcast when they are read.
import type { z } from "zod/mini";
import type { Movement, Posting } from "#ledger/posting.ts";

/** One older shape of an event's data and the step that upcasts it to the next version. */
export type Upcast = (data: unknown) => unknown;

/** An event type: the name, the current version of its data, and the upcasts from earlier versions. */
export type EventDefinition<Type extends string = string, Data = unknown> = {
  readonly type: Type;
  readonly schemaVersion: number;
  readonly schema: z.ZodMiniType<Data>;
  /** `upcasts[n]` turns data of version n into version n + 1. */
  readonly upcasts: Readonly<Record<number, Upcast>>;
};

/** An event that a decider wants appended. The log assigns position, recording time and hash. */
export type NewEvent<Type extends string = string, Data = unknown> = {
  readonly type: Type;
  readonly schemaVersion: number;
  readonly data: Data;
  /** Every stream that this event extends, each once. */
  readonly streams: readonly string[];
  readonly postings: readonly Posting[];
  readonly movements: readonly Movement[];
  /** When the fact happened, ISO 8601 with milliseconds; never in the future. */
  readonly happenedAt: string;
};

/** The event type of a definition, as evolve sees it after upcasting. */
export type EventOf<Definition> =
  Definition extends EventDefinition<infer Type, infer Data>
    ? { readonly type: Type; readonly data: Data } & Facts
    : never;

/** What evolve may use in addition to the data. */
export type Facts = {
  readonly postings: readonly Posting[];
  readonly movements: readonly Movement[];
  readonly happenedAt: string;
};

/** Any event as evolve receives it: narrow it by `is(definition, event)`. */
export type AnyEvent = { readonly type: string; readonly data: unknown } & Facts;

/** Declares an event type. `upcasts` lists one step for every version before the current one. */
export function defineEvent<const Type extends string, Data>(
  type: Type,
  schemaVersion: number,
  schema: z.ZodMiniType<Data>,
  upcasts: Readonly<Record<number, Upcast>> = {},
): EventDefinition<Type, Data> {
  for (let version = 1; version < schemaVersion; version += 1) {
    if (upcasts[version] === undefined) {
      throw new Error(`${type} version ${version} has no upcast to version ${version + 1}`);
    }
  }
  return { type, schemaVersion, schema, upcasts };
}

/** A new event of a declared type; what it moves and which streams it extends are separate from the data. */
export function emit<Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
  data: Data,
  facts: {
    streams: readonly string[];
    happenedAt: string;
    postings?: readonly Posting[];
    movements?: readonly Movement[];
  },
): NewEvent<Type, Data> {
  return {
    type: definition.type,
    schemaVersion: definition.schemaVersion,
    data,
    streams: facts.streams,
    postings: facts.postings ?? [],
    movements: facts.movements ?? [],
    happenedAt: facts.happenedAt,
  };
}

/** Narrows an event to a declared type, so that evolve reads typed data. */
export function is<Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
  event: AnyEvent,
): event is EventOf<EventDefinition<Type, Data>> {
  return event.type === definition.type;
}

/** Parses stored data of any stored version into the current shape. Throws on data that no version ever had. */
export function upcast<Data>(
  definition: EventDefinition<string, Data>,
  storedVersion: number,
  data: unknown,
): Data {
  if (storedVersion > definition.schemaVersion) {
    throw new Error(
      `${definition.type} version ${storedVersion} is newer than this program's ${definition.schemaVersion}`,
    );
  }
  let lifted = data;
  for (let version = storedVersion; version < definition.schemaVersion; version += 1) {
    const step = definition.upcasts[version];
    if (step === undefined) {
      throw new Error(`${definition.type} version ${version} has no upcast`);
    }
    lifted = step(lifted);
  }
  return definition.schema.parse(lifted);
}
