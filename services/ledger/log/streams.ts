// Loads the states a batch decides on; a state written by older code is folded again from the log.
import type { Sql, TransactionSql } from "postgres";
import type { StreamDefinition } from "#ledger/decider.ts";
import { textArray } from "#ledger/log/encode.ts";
import type { LoadedStream, Pending } from "#ledger/log/batch.ts";
import { definitionOf, resolveStreams } from "#ledger/log/batch.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { KeptStates } from "#ledger/log/kept-states.ts";
import { readStream, toCurrent } from "#ledger/log/read.ts";
import { UnreadableStream } from "#ledger/log/unreadable-stream.ts";

type Registers = {
  readonly streams: ReadonlyMap<string, StreamDefinition<unknown>>;
  readonly events: EventRegister;
};

type StreamRow = {
  readonly id: string;
  readonly version: number;
  readonly state: unknown;
  readonly state_version: number;
};

const SELECT = `select id, version, state, state_version from log.streams where id = any($1)`;

/**
 * A stream's state folded from all the events it has now. Throws `UnreadableStream` if one of them cannot be read in
 * its current version.
 */
export async function foldStream(
  sql: Sql | TransactionSql,
  registers: Registers,
  streamId: string,
): Promise<{ version: number; state: unknown }> {
  const definition = definitionOf(registers.streams, streamId);
  const events = await readStream(sql, streamId);
  let state = definition.initial;
  for (const event of events) {
    try {
      state = definition.evolve(state, toCurrent(registers.events, event), streamId);
    } catch (cause) {
      throw new UnreadableStream(streamId, event.position, cause);
    }
  }
  return { version: events.length, state };
}

/** The fold, or in place of its state why there is none: only commands that name the stream are refused. */
async function foldOrFault(
  sql: Sql | TransactionSql,
  registers: Registers,
  row: StreamRow,
): Promise<{ version: number; state: unknown }> {
  try {
    return await foldStream(sql, registers, row.id);
  } catch (error) {
    if (error instanceof UnreadableStream) {
      return { version: row.version, state: error };
    }
    throw error;
  }
}

function absent(definition: StreamDefinition<unknown>): LoadedStream {
  return { definition, loadedVersion: 0, version: 0, state: definition.initial };
}

async function loadStreams(
  sql: Sql | TransactionSql,
  registers: Registers,
  ids: readonly string[],
  into: Map<string, LoadedStream>,
): Promise<void> {
  const rows = await sql.unsafe<StreamRow[]>(SELECT, [textArray(ids)], { prepare: true });
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const id of ids) {
    const definition = definitionOf(registers.streams, id);
    const row = found.get(id);
    if (row === undefined) {
      into.set(id, absent(definition));
      continue;
    }
    const current =
      row.state_version === definition.stateVersion ? row : await foldOrFault(sql, registers, row);
    into.set(id, {
      definition,
      loadedVersion: current.version,
      version: current.version,
      state: current.state,
    });
  }
}

type Missing = {
  readonly ids: ReadonlySet<string>;
  /** Those among them that were made for their commands. */
  readonly made: ReadonlySet<string>;
};

function missingStreams(
  batch: readonly Pending[],
  streams: ReadonlyMap<string, LoadedStream>,
): Missing {
  const ids = new Set<string>();
  const made = new Set<string>();
  for (const pending of batch) {
    try {
      for (const id of resolveStreams(pending, streams).missing) {
        ids.add(id);
      }
      for (const id of pending.decider.newStreams?.(pending.command) ?? []) {
        made.add(id);
      }
    } catch {
      // A decider that throws here throws again when the batch is decided, and its sender gets the error then.
    }
  }
  return { ids, made };
}

/**
 * Loads every stream the batch names, round by round until no command names a new one. Those that were made for their
 * commands are looked up only if `looksUpNew`: one round trip less for a batch of sales.
 */
export async function loadForBatch(
  sql: Sql | TransactionSql,
  registers: Registers,
  batch: readonly Pending[],
  { kept, looksUpNew }: { readonly kept: KeptStates; readonly looksUpNew: boolean },
): Promise<Map<string, LoadedStream>> {
  const streams = new Map<string, LoadedStream>();
  for (;;) {
    const { ids, made } = missingStreams(batch, streams);
    if (ids.size === 0) {
      return streams;
    }
    const unknown: string[] = [];
    for (const id of ids) {
      const taken = kept.take(id);
      if (taken !== undefined) {
        streams.set(id, { ...taken, loadedVersion: taken.version });
      } else if (made.has(id) && !looksUpNew) {
        streams.set(id, absent(definitionOf(registers.streams, id)));
      } else {
        unknown.push(id);
      }
    }
    if (unknown.length > 0) {
      await loadStreams(sql, registers, unknown, streams);
    }
  }
}
