// From the log to the counted days of the till: one row per count.
import {
  bigint,
  defineTable,
  insertColumns,
  jsonb,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { TillPayment } from "#features/till/events.ts";

export const tillClosingsTable = defineTable({
  name: "till_closings",
  columns: {
    position: bigint(),
    /** "2026-11-22" */
    day: text(),
    begins_at: timestamptz(),
    ends_at: timestamptz(),
    payments: jsonb<readonly TillPayment[]>(),
    opening_cents: bigint(),
    paid_in_cents: bigint(),
    paid_out_cents: bigint(),
    expected_cents: bigint(),
    counted_cents: bigint(),
    left_cents: bigint(),
    note_id: nullable(uuid()),
    closed_by: text(),
    closed_at: timestamptz(),
  },
  keys: ["primary key (position)"],
  indexes: ["(day desc, position desc)"],
});

/** Row key: the day. */
export const tillClosingsProjection: Projection = {
  name: "till-closings",
  version: 2,
  tables: [tillClosingsTable],
  step: [
    `insert into {table:till_closings} (${insertColumns(tillClosingsTable)})
    select e.position, e.data ->> 'day', (e.data ->> 'from')::timestamptz, (e.data ->> 'to')::timestamptz,
      e.data -> 'payments', (e.data ->> 'openingCents')::bigint,
      (e.data ->> 'paidInCents')::bigint, (e.data ->> 'paidOutCents')::bigint,
      (e.data ->> 'expectedCents')::bigint, (e.data ->> 'countedCents')::bigint,
      (e.data ->> 'leftCents')::bigint, (e.data ->> 'noteId')::uuid, e.actor, e.happened_at
    from {events} e
    where e.position > $1::bigint and e.position <= $2::bigint and e.type = 'TillDayClosed'
      and {key:e.data ->> 'day'}`,
  ],
  keysTouched: `
    select distinct log.id_of_till_stream(s.stream_id) as key
    from {streams} s
    where s.position > $1::bigint and s.position <= $2::bigint and log.is_till_stream(s.stream_id)`,
  forgetKeys: ["delete from {table:till_closings} where day = any ($1::text[])"],
  streamsOfKey: "array[log.till_stream(key)]",
};
