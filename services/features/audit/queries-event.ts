// Loads one event with everything around it: what it moved, its streams with their states before it, and its call.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement } from "#http/statement.ts";
import { accountHistoryTable } from "#features/accounts/projection.ts";
import { auditEventsTable, auditPeopleTable } from "#features/audit/projection.ts";
import { thingOf } from "#features/audit/places.ts";
import type { EventRow, Reader } from "#features/audit/queries-words.ts";
import { relatedTypes } from "#features/audit/relations.ts";
import { itemTimelineTable } from "#features/inventory/projection.ts";
import {
  ItemAdded,
  ItemArchived,
  ItemEdited,
  ItemPriced,
  ItemRestored,
} from "#features/inventory/events.ts";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { GENESIS_HASH } from "#ledger/log/chain.ts";
import { textArray } from "#ledger/log/encode.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import type { Movement, Posting } from "#ledger/posting.ts";

/** An event with its typed rows. */
export type FullRow = EventRow & {
  readonly id: string;
  readonly key_scope: string;
  readonly command_key: string;
  readonly cents: number | null;
  readonly field_hash: string;
  readonly hash: string;
  readonly previous_hash: string | null;
  readonly request_hash: string | null;
  readonly postings: readonly Posting[];
  readonly movements: readonly Movement[];
};

const typedRows = (alias: string) => {
  const position = sql.ref(`${alias}.position`);
  return sql`
    coalesce((select jsonb_agg(jsonb_build_object('from', p.from_account, 'to', p.to_account, 'cents', p.cents)
      order by p.ordinal) from log.postings p where p.position = ${position}), '[]') as postings,
    coalesce((select jsonb_agg(jsonb_build_object('from', m.from_holding, 'to', m.to_holding, 'units', m.units)
      order by m.ordinal) from log.movements m where m.position = ${position}), '[]') as movements`;
};

const readEventRow = statement(
  (_reads, value: ValueOf<{ readonly position: number }>) => sql<FullRow>`
    select e.position, e.id, e.type, e.schema_version, e.data, e.actor, e.happened_at, e.recorded_at,
      e.key_scope, e.command_key, a.cents, encode(e.field_hash, 'hex') as field_hash,
      encode(e.hash, 'hex') as hash, encode(b.hash, 'hex') as previous_hash,
      encode(k.request_hash, 'hex') as request_hash, ${typedRows("e")}
    from log.events e
    left join log.events b on b.position = e.position - 1
    left join log.command_keys k on k.scope = e.key_scope and k.key = e.command_key
    left join ${nameOfTable(auditEventsTable)} a on a.position = e.position
    where e.position = ${value("position")}::bigint`,
);

const isTheirs = statement(
  (
    _reads,
    value: ValueOf<{ readonly position: number; readonly uid: string; readonly types: string }>,
  ) => sql<{ readonly type: string }>`
    select e.type from log.events e
    join ${nameOfTable(auditPeopleTable)} p on p.uid = ${value("uid")} and p.position = e.position
    where e.position = ${value("position")}::bigint and e.type = any (${value("types")}::text[])`,
);

/** An event that the reader may see; undefined otherwise. */
export async function findEvent(
  reads: Reads,
  reader: Reader,
  ownTypes: readonly string[],
  position: number,
): Promise<FullRow | undefined> {
  if (!reader.isAdmin) {
    const types = textArray(ownTypes);
    const own = await isTheirs(reads, { position, uid: reader.uid, types });
    if (own.length === 0) {
      return undefined;
    }
  }
  const [row] = await readEventRow(reads, { position });
  return row;
}

/** The link before the first event is a constant. */
export function previousHashOf({ previous_hash: hash }: FullRow): string {
  return hash ?? GENESIS_HASH;
}

/** A stream that the event extends, with the events before and after it there that the reader may see. */
export type StreamRow = {
  readonly stream: string;
  readonly version: number;
  readonly previous: number | null;
  readonly next: number | null;
};

/** With a uid only events that touch this person. */
function seenBy(uid: string | null, value: (name: "uid") => unknown) {
  return uid === null
    ? sql``
    : sql`and exists (select from ${nameOfTable(auditPeopleTable)} q
        where q.uid = ${value("uid")} and q.position = o.position)`;
}

function streamsStatement(uid: string | null) {
  return statement(
    (_reads, value: ValueOf<{ readonly position: number; readonly uid: string }>) => sql<StreamRow>`
      select s.stream_id as stream, s.version, before.position as previous, later.position as next
      from log.event_streams s
      left join lateral (
        select o.position from log.event_streams o
        where o.stream_id = s.stream_id and o.version < s.version ${seenBy(uid, value)}
        order by o.version desc limit 1) before on true
      left join lateral (
        select o.position from log.event_streams o
        where o.stream_id = s.stream_id and o.version > s.version ${seenBy(uid, value)}
        order by o.version limit 1) later on true
      where s.position = ${value("position")}::bigint order by s.stream_id`,
  );
}

const streamsForAdmin = streamsStatement(null);
const streamsForConsignor = streamsStatement("");

export function streamsOf(
  reads: Reads,
  { isAdmin, uid }: Reader,
  position: number,
): Promise<readonly StreamRow[]> {
  return (isAdmin ? streamsForAdmin : streamsForConsignor)(reads, { position, uid });
}

const neighborsOf = statement(
  (
    _reads,
    value: ValueOf<{ readonly position: number; readonly uid: string; readonly types: string }>,
  ) => {
    const near = (comparison: "<" | ">", direction: "asc" | "desc") => sql`(
      select p.position from ${nameOfTable(auditPeopleTable)} p
      join ${nameOfTable(auditEventsTable)} a on a.position = p.position
      where p.uid = ${value("uid")} and p.position ${sql.raw(comparison)} ${value("position")}::bigint
        and a.type = any (${value("types")}::text[])
      order by p.position ${sql.raw(direction)} limit 1)`;
    return sql<{ readonly previous: number | null; readonly next: number | null }>`
      select ${near("<", "desc")} as previous, ${near(">", "asc")} as next`;
  },
);

const headOf = statement(
  () => sql<{ readonly head: number }>`select max(position) as head from log.events`,
);

/** The events before and after it among all that the reader may see. */
export async function aroundOf(
  reads: Reads,
  { isAdmin, uid }: Reader,
  ownTypes: readonly string[],
  position: number,
): Promise<{ readonly previous: number | null; readonly next: number | null }> {
  if (isAdmin) {
    const [row] = await headOf(reads, {});
    return {
      previous: position > 1 ? position - 1 : null,
      next: position < (row?.head ?? 0) ? position + 1 : null,
    };
  }
  const [row] = await neighborsOf(reads, { position, uid, types: textArray(ownTypes) });
  return { previous: row?.previous ?? null, next: row?.next ?? null };
}

const ofCall = statement(
  (
    _reads,
    value: ValueOf<{ readonly position: number; readonly scope: string; readonly key: string }>,
  ) => sql<{ readonly position: number }>`
    select e.position
    from (select ${value("position")}::bigint as position) near
    left join log.command_keys k
      on k.scope = ${value("scope")} and k.key = ${value("key")} and k.events is not null
    cross join lateral (
      select e.position from log.events e
      where e.position >= coalesce(k.position - k.events + 1, near.position - 256)
        and e.position <= coalesce(k.position, near.position + 256)
        and e.key_scope = ${value("scope")} and e.command_key = ${value("key")} offset 0) e
    order by e.position`,
);

/** The events of one call: they are next to each other in the log. Its key knows how many; older keys do not. */
export async function positionsOfCall(reads: Reads, row: FullRow): Promise<number[]> {
  const { position, key_scope: scope, command_key: key } = row;
  const rows = await ofCall(reads, { position, scope, key });
  return rows.map((one) => one.position);
}

export type RelatedRow = EventRow & { readonly version: number };

const readRelated = statement(
  (_reads, value: ValueOf<{ readonly stream: string; readonly types: string }>) => sql<RelatedRow>`
    select s.version, e.position, e.type, e.schema_version, e.data, e.actor, e.happened_at, e.recorded_at
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${value("stream")} and e.type = any (${value("types")}::text[])
    order by s.version limit 1000`,
);

/** The events of the common stream that this one may correct or be corrected by, itself among them. */
export async function relatedRows(
  reads: Reads,
  { type }: FullRow,
  streams: readonly StreamRow[],
): Promise<{ readonly version: number; readonly rows: readonly RelatedRow[] }> {
  const related = relatedTypes(type);
  const stream = streams.find((one) => thingOf(one.stream).kind === related?.stream);
  if (related === null || stream === undefined) {
    return { version: 0, rows: [] };
  }
  const types = textArray(related.types);
  return {
    version: stream.version,
    rows: await readRelated(reads, { stream: stream.stream, types }),
  };
}

type HistoryRow = EventRow & Pick<FullRow, "postings" | "movements">;

const readHistory = statement(
  (
    _reads,
    value: ValueOf<{ readonly stream: string; readonly version: number }>,
  ) => sql<HistoryRow>`
    select e.position, e.type, e.schema_version, e.data, e.actor, e.happened_at, e.recorded_at, ${typedRows("e")}
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${value("stream")} and s.version <= ${value("version")}::bigint order by s.version`,
);

/** A state before and after an event. */
export type Step = { readonly before: unknown; readonly after: unknown };

/** Streams longer than this are not folded from their beginning where a read table has their sums. */
const LONG = 100;

const readBalances = statement(
  (_reads, value: ValueOf<{ readonly uid: string; readonly line: number }>) => sql<{
    readonly line: number;
    readonly available: number;
    readonly payouts: number;
  }>`
    select h.line, h.available_after_cents as available, h.in_transit_after_cents as payouts
    from ${nameOfTable(accountHistoryTable)} h
    where h.uid = ${value("uid")} and h.line between ${value("line")}::bigint - 1 and ${value("line")}::bigint
    order by h.line`,
);

const readUnits = statement(
  (_reads, value: ValueOf<{ readonly id: string; readonly line: number }>) => sql<{
    readonly units: number;
  }>`
    select t.units_after as units from ${nameOfTable(itemTimelineTable)} t
    where t.item_id = ${value("id")}::uuid and t.line between ${value("line")}::bigint - 1 and ${value("line")}::bigint
    order by t.line`,
);

/** Each sets the same parts of an item whenever it happens, so the last of each type makes the state, but for units. */
const DESCRIBING = [ItemAdded, ItemEdited, ItemPriced, ItemArchived, ItemRestored].map(
  ({ type }) => type,
);

/** The last of each type of an item's describing events before a version, in their order. */
const readDescription = statement(
  (
    _reads,
    value: ValueOf<{ readonly stream: string; readonly version: number; readonly types: string }>,
  ) => sql<HistoryRow>`
    select e.position, e.type, e.schema_version, e.data, e.actor, e.happened_at, e.recorded_at, ${typedRows("e")}
    from (
      select distinct on (e.type) e.position
      from log.event_streams s join log.events e on e.position = s.position
      where s.stream_id = ${value("stream")} and s.version < ${value("version")}::bigint
        and e.type = any (${value("types")}::text[])
      order by e.type, s.version desc) last
    join log.events e on e.position = last.position order by e.position`,
);

export type Fold = {
  readonly reads: Reads;
  readonly readEvent: ReadEvent;
  readonly streams: ReadonlyMap<string, StreamDefinition<unknown>>;
};

function eventOf(readEvent: ReadEvent, row: HistoryRow): AnyEvent | null {
  const fact = readEvent(row);
  const { postings, movements } = row;
  return fact.kind === "unreadable"
    ? null
    : { ...fact, postings, movements, happenedAt: row.happened_at.toISOString() };
}

/**
 * A stream's state before and after an event, folded from the stream's events. Long accounts and items take their
 * running sums from the read tables, which are the same fold. Null for a stream of a newer program.
 */
export async function stateAround(
  fold: Fold,
  event: FullRow,
  { stream, version }: StreamRow,
): Promise<Step | null> {
  const { reads, readEvent, streams } = fold;
  const definition = streams.get(stream.split("-")[0] ?? "");
  if (definition === undefined) {
    return null;
  }
  const { kind, id } = thingOf(stream);
  if (version > LONG && kind === "consignor") {
    const [before, after] = (await readBalances(reads, { uid: id, line: version })).map(
      ({ available, payouts }) => ({ availableCents: available, inTransitCents: payouts }),
    );
    return after === undefined ? null : { before, after };
  }
  const evolved = (state: unknown, row: HistoryRow) => {
    const read = eventOf(readEvent, row);
    return read === null ? state : definition.evolve(state, read, stream);
  };
  if (version > LONG && kind === "item") {
    const [described, units] = await Promise.all([
      readDescription(reads, { stream, version, types: textArray(DESCRIBING) }),
      readUnits(reads, { id, line: version }),
    ]);
    const state = described.reduce(evolved, definition.initial);
    const before = { ...Object(state), quantity: units[0]?.units ?? 0 } as unknown;
    return { before, after: evolved(before, event) };
  }
  const rows = await readHistory(reads, { stream, version });
  const before = rows.slice(0, -1).reduce(evolved, definition.initial);
  return { before, after: evolved(before, event) };
}
