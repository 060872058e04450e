// From the log to what an auditor filters by: one narrow row for each event, and which people it touches.
import {
  bigint,
  defineTable,
  insertColumns,
  nullable,
  text,
  timestamptz,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";

export const auditEventsTable = defineTable({
  name: "audit_events",
  columns: {
    position: bigint(),
    type: text(),
    actor: text(),
    happened_at: timestamptz(),
    recorded_at: timestamptz(),
    /** The event's amount: its greatest posting, so that of a sale is the price. Null if it posts nothing. */
    cents: nullable(bigint()),
    /**
     * The greatest posting from or to an account of a consignor, so that of a sale is the consignor's share. Null
     * without one, and if it is the event's amount.
     */
    share_cents: nullable(bigint()),
  },
  keys: ["primary key (position)"],
  indexes: [
    "(type, position)",
    "(actor, position)",
    "(cents, position) where cents is not null",
    "(share_cents, position) where share_cents is not null",
  ],
});

/** The events that touch a person's account, goods or user. What only a stream says is found in the streams. */
export const auditPeopleTable = defineTable({
  name: "audit_people",
  columns: { uid: text(), position: bigint() },
  keys: ["primary key (uid, position)"],
  indexes: [],
});

const inRange = (alias: string) =>
  `${alias}.position > $1::bigint and ${alias}.position <= $2::bigint`;

/** The range's streams that are named after a person. */
const personStreams = ["consignor", "user", "trader"]
  .map(
    (kind) => `
    select log.id_of_${kind}_stream(s.stream_id) as uid, s.position
    from {streams} s where ${inRange("s")} and log.is_${kind}_stream(s.stream_id)`,
  )
  .join(" union all ");

/** Row key: the event's position. */
export const auditProjection: Projection = {
  name: "audit",
  version: 1,
  tables: [auditEventsTable, auditPeopleTable],
  step: [
    `insert into {table:audit_events} (${insertColumns(auditEventsTable)})
    select e.position, e.type, e.actor, e.happened_at, e.recorded_at, p.cents, nullif(p.share_cents, p.cents)
    from {events} e
    left join (
      select p.position, max(p.cents) as cents,
        max(p.cents) filter (
          where log.is_consignor_account(p.from_account) or log.is_consignor_account(p.to_account)) as share_cents
      from {postings} p where ${inRange("p")} group by p.position
    ) p on p.position = e.position
    where ${inRange("e")} and {key:e.position::text}`,
    // Goods belong to the person that the event names; each event of a trade has the offers that it changed.
    `insert into {table:audit_people} (${insertColumns(auditPeopleTable)})
    select distinct t.uid, t.position
    from (
      ${personStreams}
      union all
      select named.uid, e.position
      from {events} e
      cross join lateral (
        values (e.data ->> 'ownerUid'), (e.data ->> 'consignorId'), (e.data ->> 'uid'),
          (e.data ->> 'buyerUid'), (e.data ->> 'sellerUid')
        union all
        select offer.value ->> 'sellerUid'
        from jsonb_array_elements(
          case when jsonb_typeof(e.data -> 'offers') = 'array' then e.data -> 'offers' else '[]' end) offer
      ) as named (uid)
      where ${inRange("e")} and named.uid is not null
    ) t
    where {key:t.position::text}`,
  ],
  keysTouched: `select distinct s.position::text as key from {streams} s where ${inRange("s")}`,
  forgetKeys: [
    "delete from {table:audit_events} where position = any ($1::text[]::bigint[])",
    "delete from {table:audit_people} where position = any ($1::text[]::bigint[])",
  ],
  streamsOfKey: "log.streams_at(key)",
};
