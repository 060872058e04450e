// Decides a batch in memory, each command on the states after the one before, and prepares it for writing.
import type { AnyEvent, NewEvent } from "#ledger/event.ts";
import type { Decider, Decision, Rejection, StreamDefinition, States } from "#ledger/decider.ts";
import { categoryOf } from "#ledger/decider.ts";
import { evolved } from "#ledger/evolve.ts";
import type { ExecutionContext, Outcome } from "#ledger/log/ledger.ts";
import { refuseUnreadable } from "#ledger/log/unreadable-stream.ts";

/** A pending command, with what is needed to answer its sender. */
export type Pending = {
  readonly decider: Decider<unknown, unknown>;
  readonly command: unknown;
  readonly context: ExecutionContext;
  readonly resolve: (outcome: Outcome<unknown>) => void;
  readonly reject: (error: unknown) => void;
};

/** A stream in the batch: its state when it was loaded, and after the commands decided so far. */
export type LoadedStream = {
  readonly definition: StreamDefinition<unknown>;
  readonly loadedVersion: number;
  version: number;
  /** An `UnreadableStream` if one of its events cannot be read. */
  state: unknown;
};

/** The answer kept under an idempotency key; a repeated command gets it. */
export type StoredAnswer =
  | { readonly kind: "accepted"; readonly answer: unknown }
  | { readonly kind: "rejected"; readonly rejection: Rejection };

/** A decided command; `offset` counts the batch's events up to and including its own. */
export type Decided = {
  readonly pending: Pending;
  readonly decision: Decision<unknown>;
  readonly offset: number;
};

export type BatchEvent = {
  readonly event: NewEvent;
  readonly context: ExecutionContext;
  readonly streams: readonly { readonly streamId: string; readonly version: number }[];
};

export type DecidedBatch = {
  readonly decided: readonly Decided[];
  /** Commands that must wait for the next batch: their key is in this batch already, or a stream is not loaded yet. */
  readonly deferred: readonly Pending[];
  /** Commands whose decider threw, or that name an unreadable stream: reported only to their senders. */
  readonly broken: readonly { readonly pending: Pending; readonly error: unknown }[];
  readonly events: readonly BatchEvent[];
  /** Every stream that any decision looked at, with the version it was loaded at. */
  readonly read: ReadonlyMap<string, LoadedStream>;
};

/** Streams that a command names, resolved as far as the given states allow, without duplicates. */
export function resolveStreams(
  pending: Pending,
  streams: ReadonlyMap<string, LoadedStream>,
): { ids: Set<string>; missing: string[] } {
  const ids = new Set(pending.decider.streams(pending.command));
  for (;;) {
    const missing = [...ids].filter((id) => !streams.has(id));
    if (missing.length > 0 || pending.decider.more === undefined) {
      return { ids, missing };
    }
    const before = ids.size;
    for (const id of pending.decider.more(pending.command, statesOf(ids, streams))) {
      ids.add(id);
    }
    if (ids.size === before) {
      return { ids, missing: [] };
    }
  }
}

/** The states that one command can see: its declared streams and no others. */
function statesOf(ids: ReadonlySet<string>, streams: ReadonlyMap<string, LoadedStream>): States {
  return {
    has: (streamId) => ids.has(streamId) && streams.has(streamId),
    get<State>(definition: StreamDefinition<State>, streamId: string) {
      const stream = streams.get(streamId);
      if (!ids.has(streamId) || stream === undefined) {
        throw new Error(`The command reads the stream ${streamId} without declaring it`);
      }
      if (definition.category !== stream.definition.category) {
        throw new Error(`${streamId} is not a stream of category ${definition.category}`);
      }
      refuseUnreadable(stream.state);
      // The register has one definition per category, so a stored state has the definition's shape.
      return { version: stream.version, state: stream.state as State };
    },
  };
}

/** Applies one command's events to copies of the streams they extend. Throws on an undeclared stream. */
function extend(
  events: readonly NewEvent[],
  ids: ReadonlySet<string>,
  streams: ReadonlyMap<string, LoadedStream>,
  context: ExecutionContext,
): { changed: Map<string, { version: number; state: unknown }>; events: BatchEvent[] } {
  const changed = new Map<string, { version: number; state: unknown }>();
  const written: BatchEvent[] = [];
  for (const event of events) {
    const versions: { streamId: string; version: number }[] = [];
    for (const streamId of event.streams) {
      const stream = streams.get(streamId);
      if (stream === undefined || !ids.has(streamId)) {
        throw new Error(`${event.type} extends the stream ${streamId} that was not read`);
      }
      const current = changed.get(streamId) ?? stream;
      const version = current.version + 1;
      const seen: AnyEvent = event;
      changed.set(streamId, {
        version,
        state: evolved(stream.definition, current, seen, streamId),
      });
      versions.push({ streamId, version });
    }
    if (versions.length === 0) {
      throw new Error(`${event.type} extends no stream`);
    }
    written.push({ event, context, streams: versions });
  }
  return { changed, events: written };
}

/**
 * Decides the commands in order. Pure except that it writes the decided states to `streams`. A command that throws
 * leaves no trace, so the others are not affected.
 */
export function decideBatch(
  batch: readonly Pending[],
  streams: Map<string, LoadedStream>,
): DecidedBatch {
  const decided: Decided[] = [];
  const deferred: Pending[] = [];
  const broken: { pending: Pending; error: unknown }[] = [];
  const events: BatchEvent[] = [];
  const read = new Map<string, LoadedStream>();
  const keys = new Set<string>();
  for (const pending of batch) {
    const key = `${pending.context.scope}\n${pending.context.key}`;
    if (keys.has(key)) {
      deferred.push(pending);
      continue;
    }
    try {
      const { ids, missing } = resolveStreams(pending, streams);
      if (missing.length > 0) {
        deferred.push(pending);
        continue;
      }
      ids.forEach((id) => refuseUnreadable(streams.get(id)?.state));
      const decision = pending.decider.decide(pending.command, statesOf(ids, streams));
      if (decision.kind === "accepted") {
        const extension = extend(decision.events, ids, streams, pending.context);
        for (const [streamId, next] of extension.changed) {
          const stream = streams.get(streamId);
          if (stream !== undefined) {
            stream.version = next.version;
            stream.state = next.state;
          }
        }
        events.push(...extension.events);
      }
      for (const id of ids) {
        const stream = streams.get(id);
        if (stream !== undefined) {
          read.set(id, stream);
        }
      }
      keys.add(key);
      decided.push({ pending, decision, offset: events.length });
    } catch (error) {
      broken.push({ pending, error });
    }
  }
  return { decided, deferred, broken, events, read };
}

/** The definition that a stream's id names. Throws on a category nobody registered. */
export function definitionOf(
  register: ReadonlyMap<string, StreamDefinition<unknown>>,
  streamId: string,
): StreamDefinition<unknown> {
  const definition = register.get(categoryOf(streamId));
  if (definition === undefined) {
    throw new Error(`No stream definition for ${streamId}`);
  }
  return definition;
}
