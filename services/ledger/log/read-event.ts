// The one way to read an event's data outside of folds: pages, files and sentences get it in its current version.
import type { AnyEvent } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";
import type { EventRegister } from "#ledger/log/read.ts";

/** The columns of log.events that say what happened, in whatever version they were stored. */
export type StoredFact = {
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
};

/** What happened, with data that `is` narrows to the event's own type. */
export type ReadFact =
  | ({ readonly kind: "read" } & Pick<AnyEvent, "type" | "data">)
  /** Of a type or version that only a newer program knows, or with data that no version had: verify names those. */
  | { readonly kind: "unreadable"; readonly type: string };

export type ReadEvent = (stored: StoredFact) => ReadFact;

/** Never throws: one event that cannot be read must not take a whole page along. */
export function createReadEvent(register: EventRegister): ReadEvent {
  return ({ type, schema_version: version, data }) => {
    const definition = register.get(type);
    if (definition === undefined) {
      return { kind: "unreadable", type };
    }
    try {
      return { kind: "read", type, data: upcast(definition, version, data) };
    } catch {
      return { kind: "unreadable", type };
    }
  };
}

/** An event's data as an object whose fields are looked for by name; empty where it cannot be read. */
export function fieldsOf(fact: ReadFact): Readonly<Record<string, unknown>> {
  return fact.kind === "read" ? (Object(fact.data) as Readonly<Record<string, unknown>>) : {};
}
