// The SQL for the rows of read.upcast_events and for how far the log was searched for them.
import type { Sql, TransactionSql } from "postgres";
import type { EventDefinition } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";
import { jsonArray, numberArray, textArray } from "#ledger/log/encode.ts";
import type { EventRegister } from "#ledger/log/read.ts";

export type Progress = {
  readonly type: string;
  readonly version: number;
  readonly position: number;
  readonly events: number;
};

export type OlderEvent = {
  readonly position: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
};

/** How many events one transaction upcasts. */
export const BATCH = 2_000;
/** Types that have more than one version: only their events can be older ones. */
export function typesWithVersions(register: EventRegister): EventDefinition[] {
  return [...register.values()].filter(({ schemaVersion }) => schemaVersion > 1);
}

/** Parameters for `unnest(text[], integer[], …)`. */
export function knownVersions(
  types: readonly EventDefinition[],
): [types: string, versions: string] {
  return [
    textArray(types.map(({ type }) => type)),
    numberArray(types.map(({ schemaVersion }) => schemaVersion)),
  ];
}

export async function readProgress(sql: Sql | TransactionSql): Promise<Progress[]> {
  return sql<Progress[]>`select type, version, position, events from read.upcasts order by type`;
}

/** The result of upcasting an event: the two texts of its row, one of which is null. */
export function upcastRow(
  register: EventRegister,
  { type, schemaVersion, data }: Omit<OlderEvent, "position">,
): { readonly data: unknown; readonly error: string | null } {
  const definition = register.get(type);
  if (definition === undefined) {
    throw new Error(`${type} is not registered`);
  }
  try {
    return { data: upcast(definition, schemaVersion, data), error: null };
  } catch (error) {
    return { data: null, error: error instanceof Error ? error.message : String(error) };
  }
}

export async function writeRows(
  sql: TransactionSql,
  register: EventRegister,
  found: readonly OlderEvent[],
): Promise<void> {
  const rows = found.map((event) => ({ event, row: upcastRow(register, event) }));
  const versions = rows.map(({ event }) => register.get(event.type)?.schemaVersion ?? 0);
  // Errors are sent as text, with '' for none, because text arrays cannot contain NULL here.
  await sql.unsafe(
    `insert into read.upcast_events as u (position, version, data, error)
     select n.position, n.version, nullif(n.data, 'null'::jsonb), nullif(n.error, '')
     from unnest($1::bigint[], $2::integer[], $3::text[]::jsonb[], $4::text[]) as n (position, version, data, error)
     on conflict (position) do update
     set version = excluded.version, data = excluded.data, error = excluded.error
     where (u.version, u.data, u.error) is distinct from (excluded.version, excluded.data, excluded.error)`,
    [
      numberArray(rows.map(({ event }) => event.position)),
      numberArray(versions),
      jsonArray(rows.map(({ row }) => JSON.stringify(row.data ?? null))),
      textArray(rows.map(({ row }) => (row.error === null ? "" : row.error || "unknown"))),
    ],
  );
}

/** The next older events, for each type from its search position on. */
export async function findOlder(
  sql: TransactionSql,
  types: readonly EventDefinition[],
  starts: readonly number[],
  through: number,
): Promise<OlderEvent[]> {
  return sql.unsafe<OlderEvent[]>(
    `select e.position, e.type, e.schema_version as "schemaVersion", e.data
     from log.events e
     join unnest($1::text[], $2::integer[], $3::bigint[]) as known (type, version, searched)
       on known.type = e.type and known.version > e.schema_version and known.searched < e.position
     where e.position > $4 and e.position <= $5
     order by e.position limit ${BATCH}`,
    [...knownVersions(types), numberArray(starts), Math.min(...starts), through],
  );
}

export async function keepProgress(
  sql: TransactionSql,
  progress: readonly Progress[],
): Promise<void> {
  await sql.unsafe(
    `insert into read.upcasts as u (type, version, position, events)
     select * from unnest($1::text[], $2::integer[], $3::bigint[], $4::bigint[])
     on conflict (type) do update
     set version = excluded.version, position = excluded.position, events = excluded.events`,
    [
      textArray(progress.map(({ type }) => type)),
      numberArray(progress.map(({ version }) => version)),
      numberArray(progress.map(({ position }) => position)),
      numberArray(progress.map(({ events }) => events)),
    ],
  );
}
