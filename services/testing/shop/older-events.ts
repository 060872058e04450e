// Appends events in the shapes of older programs, through the log's own append, for tests of reading them today.
import type { Decider, StreamDefinition } from "#ledger/decider.ts";
import type { AnyEvent, EventDefinition, NewEvent } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";
import type { Ledger } from "#ledger/log/ledger.ts";

/** A version of an event, and how to convert today's data to the shape it had then. */
export type Shape = { readonly schemaVersion: number; readonly dataOf: (data: unknown) => unknown };

/** Writes events of these types in these shapes; all others stay as they are. */
function inShapes<Command, Answer>(
  decider: Decider<Command, Answer>,
  shapes: () => ReadonlyMap<string, Shape>,
): Decider<Command, Answer> {
  const reshape = (event: NewEvent): NewEvent => {
    const shape = shapes().get(event.type);
    return shape === undefined
      ? event
      : { ...event, schemaVersion: shape.schemaVersion, data: shape.dataOf(event.data) };
  };
  return {
    ...decider,
    decide: (command, states) => {
      const decision = decider.decide(command, states);
      return decision.kind === "rejected"
        ? decision
        : { ...decision, events: decision.events.map(reshape) };
    },
  };
}

/** A ledger that writes the given shapes. Open it with the streams of `foldingOlder`. */
export function writingShapes(ledger: Ledger, shapes: () => ReadonlyMap<string, Shape>): Ledger {
  return {
    execute: (decider, command, context) =>
      ledger.execute(inShapes(decider, shapes), command, context),
  };
}

/** The streams with the states of a program of that time: appended events are upcast before they are folded. */
export function foldingOlder(
  streams: ReadonlyMap<string, StreamDefinition<unknown>>,
  events: ReadonlyMap<string, EventDefinition>,
): ReadonlyMap<string, StreamDefinition<unknown>> {
  const current = (event: AnyEvent): AnyEvent => {
    const version: unknown = Reflect.get(event, "schemaVersion");
    const definition = events.get(event.type);
    // Events that were read from the log have no version: they are already upcast.
    return typeof version === "number" && definition !== undefined
      ? { ...event, data: upcast(definition, version, event.data) }
      : event;
  };
  return new Map(
    [...streams].map(([category, stream]) => [
      category,
      {
        ...stream,
        evolve: (state: unknown, event: AnyEvent, streamId: string) =>
          stream.evolve(state, current(event), streamId),
      },
    ]),
  );
}
