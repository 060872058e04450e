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
  { sql, readEvent }: Parts,
  definition: StreamDefinition<State>,
  streamId: string,
): Promise<State> {
  const [row] = await sql<{ state: State; state_version: number }[]>`
    select state, state_version from log.streams where id = ${streamId}`;
  if (row === undefined || row.state_version === definition.stateVersion) {
    return row?.state ?? definition.initial;
  }
  const facts = await sql<(StoredFact & { readonly happened_at: Date })[]>`
    select e.type, e.schema_version, e.data, e.happened_at
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${streamId} order by s.version`;
  return facts.reduce<State>((state, stored) => {
    const fact = readEvent(stored);
    const happenedAt = stored.happened_at.toISOString();
    return fact.kind === "unreadable"
      ? state
      : definition.evolve(state, { ...fact, postings: [], movements: [], happenedAt }, streamId);
  }, definition.initial);
}
