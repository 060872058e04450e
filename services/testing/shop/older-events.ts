// Appends events in the shapes of older programs, through the log's own append, for tests of how they are read today.
import type { Decider, StreamDefinition } from "#ledger/decider.ts";
import type { AnyEvent, EventDefinition, NewEvent } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";
import type { Ledger } from "#ledger/log/ledger.ts";

/** A version of an event and what its data, as today's program writes it, looked like then. */
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

/** A ledger that writes in the shapes that it is told at the time. Open it with the streams of `foldingOlder`. */
export function writingShapes(ledger: Ledger, shapes: () => ReadonlyMap<string, Shape>): Ledger {
  return {
    execute: (decider, command, context) =>
      ledger.execute(inShapes(decider, shapes), command, context),
  };
}

/** The streams as a program of that time would have left them: what is appended is upcast before it is folded. */
export function foldingOlder(
  streams: ReadonlyMap<string, StreamDefinition<unknown>>,
  events: ReadonlyMap<string, EventDefinition>,
): ReadonlyMap<string, StreamDefinition<unknown>> {
  const current = (event: AnyEvent): AnyEvent => {
    const version: unknown = Reflect.get(event, "schemaVersion");
    const definition = events.get(event.type);
    // What is read from the log has no version any more: it is upcast already.
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
