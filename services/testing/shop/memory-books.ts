// Books in memory for given/when/then specs: takes events, and decides commands as the log's writer does.
import type { Decider, Decision, StreamDefinition, StreamState } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { decideBatch, definitionOf, resolveStreams } from "#ledger/log/batch.ts";
import type { LoadedStream } from "#ledger/log/batch.ts";
import { streams as definitions } from "../../features.ts";
import { netOf, netUnitsOf } from "#ledger/posting.ts";

export type Decided<Answer> = Decision<Answer> & {
  /** The events the command added; none when it was rejected. */
  readonly added: readonly NewEvent[];
};

export type MemoryBooks = {
  /** All events in order. */
  readonly events: readonly NewEvent[];
  /** Adds events directly, as if they had been decided before. */
  readonly given: (...events: readonly NewEvent[]) => void;
  /** Decides a command and keeps its events. Throws the decider's errors. */
  readonly when: <Command, Answer>(
    decider: Decider<Command, Answer>,
    command: Command,
  ) => Decided<Answer>;
  readonly stream: <State>(definition: StreamDefinition<State>, id: string) => StreamState<State>;
  /** The sum of an account over all events. */
  readonly balanceOf: (account: string) => number;
  /** The units in a holding over all events. */
  readonly unitsIn: (holding: string) => number;
};

/** Empty books with every stream of the register. */
export function memoryBooks(): MemoryBooks {
  const streams = new Map<string, LoadedStream>();
  const events: NewEvent[] = [];

  function load(ids: readonly string[]): void {
    for (const id of ids) {
      if (!streams.has(id)) {
        const definition = definitionOf(definitions, id);
        streams.set(id, { definition, loadedVersion: 0, version: 0, state: definition.initial });
      }
    }
  }

  return {
    events,
    given(...facts) {
      for (const event of facts) {
        load(event.streams);
        for (const id of event.streams) {
          const stream = streams.get(id);
          if (stream !== undefined) {
            stream.state = stream.definition.evolve(stream.state, event, id);
            stream.version += 1;
          }
        }
        events.push(event);
      }
    },
    when<Command, Answer>(decider: Decider<Command, Answer>, command: Command): Decided<Answer> {
      const pending = {
        decider: decider as Decider<unknown, unknown>,
        command,
        context: { actor: "system:spec", scope: "store", key: "spec", requestHash: "" },
        resolve: () => undefined,
        reject: () => undefined,
      };
      for (
        let { missing } = resolveStreams(pending, streams);
        missing.length > 0;
        { missing } = resolveStreams(pending, streams)
      ) {
        load(missing);
      }
      const { broken, decided, events: added } = decideBatch([pending], streams);
      if (broken[0] !== undefined) {
        throw broken[0].error;
      }
      events.push(...added.map(({ event }) => event));
      // The decision comes from this very decider, so its answer has the decider's type.
      const decision = decided[0]?.decision as Decision<Answer>;
      return { ...decision, added: added.map(({ event }) => event) };
    },
    stream<State>(definition: StreamDefinition<State>, id: string): StreamState<State> {
      load([id]);
      const stream = streams.get(id);
      return {
        version: stream?.version ?? 0,
        state: (stream?.state ?? definition.initial) as State,
      };
    },
    balanceOf: (account) => events.reduce((sum, event) => sum + netOf(event.postings, account), 0),
    unitsIn: (holding) =>
      events.reduce((sum, event) => sum + netUnitsOf(event.movements, holding), 0),
  };
}
