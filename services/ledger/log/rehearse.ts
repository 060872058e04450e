// Decides a command on the present state without the writer: what would be appended, or why not. Writes nothing.
import type { Sql } from "postgres";
import type { Decider, Rejection, StreamDefinition, StreamState } from "#ledger/decider.ts";
import type { LoadedStream } from "#ledger/log/batch.ts";
import { decideBatch } from "#ledger/log/batch.ts";
import { keepStates } from "#ledger/log/kept-states.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import { loadForBatch } from "#ledger/log/streams.ts";
import type { NewEvent } from "#ledger/event.ts";

/** A stream that the events would extend. */
export type RehearsedStream = {
  readonly streamId: string;
  readonly category: string;
  readonly before: StreamState<unknown>;
  readonly after: StreamState<unknown>;
};

/** What a command would do. `position` is the last one of the log that it was decided on. */
export type Rehearsed =
  | {
      readonly kind: "accepted";
      readonly events: readonly NewEvent[];
      readonly streams: readonly RehearsedStream[];
      readonly position: number;
    }
  | { readonly kind: "rejected"; readonly rejection: Rejection; readonly position: number };

export type RehearsalOptions = {
  /** A pool, never the writer's connection: a rehearsal must not hold up a batch. */
  readonly sql: Sql;
  readonly streams: ReadonlyMap<string, StreamDefinition<unknown>>;
  readonly events: EventRegister;
};

/** All streams and the position are read in one snapshot. Throws what the decider throws. */
export async function rehearse<Command, Answer>(
  options: RehearsalOptions,
  decider: Decider<Command, Answer>,
  command: Command,
  actor: string,
): Promise<Rehearsed> {
  const context = { actor, scope: "", key: "", requestHash: "" };
  const ignore = (): void => undefined;
  const pending = { decider, command, context, resolve: ignore, reject: ignore };
  const { position, loaded } = await options.sql.begin(
    "isolation level repeatable read read only",
    async (transaction) => {
      const [head] = await transaction<{ position: number }[]>`
        select coalesce(max(position), 0) as position from log.events`;
      const streams = await loadForBatch(transaction, options, [pending], {
        kept: keepStates(0),
        looksUpNew: true,
      });
      return { position: head?.position ?? 0, loaded: streams };
    },
  );
  const before = new Map([...loaded].map(([id, stream]) => [id, stateOf(stream)]));
  const { decided, broken } = decideBatch([pending], loaded);
  const [failure] = broken;
  if (failure !== undefined) {
    throw failure.error;
  }
  const decision = decided[0]?.decision;
  if (decision === undefined) {
    throw new Error(`${decider.type} could not be rehearsed: not all of its streams were loaded`);
  }
  if (decision.kind === "rejected") {
    return { kind: "rejected", rejection: decision, position };
  }
  return {
    kind: "accepted",
    events: decision.events,
    streams: [...loaded].flatMap(([streamId, stream]) => {
      const found = before.get(streamId);
      return found === undefined || found.version === stream.version
        ? []
        : [
            {
              streamId,
              category: stream.definition.category,
              before: found,
              after: stateOf(stream),
            },
          ];
    }),
    position,
  };
}

/** Decided batches change the loaded streams in place. */
function stateOf({ version, state }: LoadedStream): StreamState<unknown> {
  return { version, state };
}
