// Reads the log: events of a range or of one stream, upcast to the program's current versions.
import type { Sql, TransactionSql } from "postgres";
import type { AnyEvent, EventDefinition } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";
import type { Movement, Posting } from "#ledger/posting.ts";

/** Every event type the program knows, by name. */
export type EventRegister = ReadonlyMap<string, EventDefinition>;

/** An event as it is stored, with data of the version it was written in. */
export type StoredEvent = {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
  readonly actor: string;
  readonly keyScope: string;
  readonly commandKey: string;
  readonly happenedAtMicros: bigint;
  readonly recordedAtMicros: bigint;
  readonly fieldHash: string;
  readonly hash: string;
  /** Which canonical form the field hash covers. */
  readonly hashForm: number;
  readonly postings: readonly Posting[];
  readonly movements: readonly Movement[];
  readonly streams: readonly { readonly streamId: string; readonly version: number }[];
};

type Row = Omit<StoredEvent, "happenedAtMicros" | "recordedAtMicros"> & {
  readonly happenedAtMicros: string;
  readonly recordedAtMicros: string;
};

// Typed rows are aggregated into one json value per event, in the order the hash covers.
const COLUMNS = `
  e.position, e.id, e.type, e.schema_version as "schemaVersion", e.data, e.actor,
  e.key_scope as "keyScope", e.command_key as "commandKey",
  (extract(epoch from e.happened_at) * 1000000)::bigint::text as "happenedAtMicros",
  (extract(epoch from e.recorded_at) * 1000000)::bigint::text as "recordedAtMicros",
  encode(e.field_hash, 'hex') as "fieldHash", encode(e.hash, 'hex') as "hash",
  e.hash_form as "hashForm",
  coalesce((select jsonb_agg(jsonb_build_object('from', p.from_account, 'to', p.to_account, 'cents', p.cents)
            order by p.ordinal) from log.postings p where p.position = e.position), '[]') as postings,
  coalesce((select jsonb_agg(jsonb_build_object('from', m.from_holding, 'to', m.to_holding, 'units', m.units)
            order by m.ordinal) from log.movements m where m.position = e.position), '[]') as movements,
  coalesce((select jsonb_agg(jsonb_build_object('streamId', s.stream_id, 'version', s.version)
            order by s.stream_id) from log.event_streams s where s.position = e.position), '[]') as streams`;

function fromRow(row: Row): StoredEvent {
  return {
    ...row,
    happenedAtMicros: BigInt(row.happenedAtMicros),
    recordedAtMicros: BigInt(row.recordedAtMicros),
  };
}

/** Events with positions in (after, through], in order. */
export async function readRange(
  sql: Sql | TransactionSql,
  after: number,
  through: number,
): Promise<StoredEvent[]> {
  const rows = await sql.unsafe<Row[]>(
    `select ${COLUMNS} from log.events e where e.position > $1 and e.position <= $2 order by e.position`,
    [after, through],
    { prepare: true },
  );
  return rows.map(fromRow);
}

/** The events of one stream, in the order of its versions. */
export async function readStream(
  sql: Sql | TransactionSql,
  streamId: string,
): Promise<StoredEvent[]> {
  const rows = await sql.unsafe<Row[]>(
    `select ${COLUMNS} from log.event_streams es join log.events e on e.position = es.position
     where es.stream_id = $1 order by es.version`,
    [streamId],
    { prepare: true },
  );
  return rows.map(fromRow);
}

/** The log's last position (0 while empty) and the link at it, in hex. */
export async function readHead(
  sql: Sql | TransactionSql,
): Promise<{ position: number; hash: string | null }> {
  const [row] = await sql<{ position: number; hash: string }[]>`
    select position, encode(hash, 'hex') as hash from log.events order by position desc limit 1`;
  return row ?? { position: 0, hash: null };
}

/** A stored event in its current shape. Throws on an unknown type, and on data that no version ever had. */
export function toCurrent(register: EventRegister, stored: StoredEvent): AnyEvent {
  const definition = register.get(stored.type);
  if (definition === undefined) {
    throw new Error(`Event ${stored.position} has the unknown type ${stored.type}`);
  }
  return {
    type: stored.type,
    data: upcast(definition, stored.schemaVersion, stored.data),
    postings: stored.postings,
    movements: stored.movements,
    happenedAt: new Date(Number(stored.happenedAtMicros / 1000n)).toISOString(),
  };
}
