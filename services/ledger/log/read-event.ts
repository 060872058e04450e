// The only way to read an event's data outside of folds: pages, files and sentences get it in its current version.
import type { AnyEvent, EventDefinition } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";
import type { EventRegister } from "#ledger/log/read.ts";

/** The columns of log.events that say what happened, in any stored version. */
export type StoredFact = {
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
};

/** What happened, with data that `is` narrows to the event's own type. */
export type ReadFact =
  | ({ readonly kind: "read" } & Pick<AnyEvent, "type" | "data">)
  /** Its type or version is only known to a newer program, or its data fits no version: verify reports those. */
  | { readonly kind: "unreadable"; readonly type: string };

export type ReadEvent = (stored: StoredFact) => ReadFact;

/** Never throws: one event that cannot be read must not fail a whole page. */
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

/** Whether the fact is of this type and could be read; if so, its data has the type's shape. */
export function isFactOf<Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
  fact: ReadFact,
): fact is { readonly kind: "read"; readonly type: Type; readonly data: Data } {
  return fact.kind === "read" && fact.type === definition.type;
}

/** An event's data as an object whose fields are looked up by name; empty if it cannot be read. */
export function fieldsOf(fact: ReadFact): Readonly<Record<string, unknown>> {
  return fact.kind === "read" ? (Object(fact.data) as Readonly<Record<string, unknown>>) : {};
}
