// Reads a stream's state outside of commands: for routes that ask what is so now, on the primary.
import type { Sql } from "#db/connect.ts";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { ReadEvent, StoredFact } from "#ledger/log/read-event.ts";

type Parts = { readonly sql: Sql; readonly readEvent: ReadEvent };

/**
 * A state that follows from events' data alone, without postings and movements. One that another version of this
 * program stored is folded again from the log.
 */
export async function readState<State>(
  parts: Parts,
  definition: StreamDefinition<State>,
  streamId: string,
): Promise<State> {
  const [row] = await parts.sql<{ state: State; state_version: number }[]>`
    select state, state_version from log.streams where id = ${streamId}`;
  return row === undefined || row.state_version === definition.stateVersion
    ? (row?.state ?? definition.initial)
    : foldState(parts, definition, streamId);
}

/** The same from the log itself, up to a position. */
export async function foldState<State>(
  { sql, readEvent }: Parts,
  definition: StreamDefinition<State>,
  streamId: string,
  through = Number.MAX_SAFE_INTEGER,
): Promise<State> {
  const facts = await sql<(StoredFact & { readonly happened_at: Date })[]>`
    select e.type, e.schema_version, e.data, e.happened_at
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${streamId} and s.position <= ${through} order by s.version`;
  return facts.reduce<State>((state, stored) => {
    const fact = readEvent(stored);
    const happenedAt = stored.happened_at.toISOString();
    return fact.kind === "unreadable"
      ? state
      : definition.evolve(state, { ...fact, postings: [], movements: [], happenedAt }, streamId);
  }, definition.initial);
}
