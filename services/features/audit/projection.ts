// From the log to what an auditor filters by: one narrow row for each event, and which people it touches.
import {
  bigint,
  boolean,
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
    /** True if it is one of `ownEntryTypes`, or a sale at an unusual or raised share, and touches its own actor. */
    own_entry: boolean(),
  },
  keys: ["primary key (position)"],
  indexes: [
    "(type, position)",
    "(actor, position)",
    "(cents, position) where cents is not null",
    "(share_cents, position) where share_cents is not null",
    "(position) where own_entry",
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

/** Whom the range's streams are named after. */
const ofStreams = `
  select case
      when log.is_consignor_stream(s.stream_id) then log.id_of_consignor_stream(s.stream_id)
      when log.is_user_stream(s.stream_id) then log.id_of_user_stream(s.stream_id)
      else log.id_of_trader_stream(s.stream_id) end as uid, s.position
  from {streams} s
  where ${inRange("s")} and (log.is_consignor_stream(s.stream_id)
    or log.is_user_stream(s.stream_id) or log.is_trader_stream(s.stream_id))`;

/** Whom the range's events name by fields of their own. */
const ofEvents = `
  select named.uid, e.position
  from {events} e
  cross join lateral (values (e.data ->> 'ownerUid'), (e.data ->> 'consignorId'), (e.data ->> 'uid'),
    (e.data ->> 'buyerUid'), (e.data ->> 'sellerUid')) named (uid)
  where ${inRange("e")}`;

/** The sellers whose offers the range's events changed. */
const ofOffers = `
  select offer.value ->> 'sellerUid', e.position
  from {events} e
  cross join lateral jsonb_array_elements(
    case when jsonb_typeof(e.data -> 'offers') = 'array' then e.data -> 'offers' else '[]' end) offer
  where ${inRange("e")} and e.data ? 'offers'`;

/** Whom the range's events name. A test compares it with all fields of stored events that name a person. */
export const namedPeople = `${ofEvents} union all ${ofOffers}`;

/**
 * What an admin can enter on any account: an adjustment, an opening balance from the old app, a payment, an agreed
 * share, a refund of a trade, units of the store, and every change of a sale. A sale of one's own goods is among them
 * only if the share was not the usual one, or was raised for all shortly before.
 */
const ownEntryTypes = [
  "BalanceSet",
  "ConsignorShareAgreed",
  "CustomSaleRecorded",
  "PayoutDeleted",
  "PayoutPaid",
  "PayoutReturned",
  "SaleCorrected",
  "SaleRefunded",
  "TradeRefunded",
  "UnitsAllocated",
  "UserMigrated",
] as const;

const isOwnKind = `(e.type in (${ownEntryTypes.map((type) => `'${type}'`).join(", ")})
        or (e.type = 'SaleRecorded' and e.data ?| array['usualPercentage', 'lowerDefaultPercentage']))`;

/** Row key: the event's position. */
export const auditProjection: Projection = {
  name: "audit",
  version: 5,
  tables: [auditEventsTable, auditPeopleTable],
  step: [
    // Goods belong to the person that the event names, and the account that it posts to has a stream.
    `insert into {table:audit_people} (${insertColumns(auditPeopleTable)})
    select distinct t.uid, t.position
    from (${ofStreams} union all ${namedPeople}) t
    where t.uid is not null and {key:t.position::text}`,
    // After the people, among whom it looks for the actor: by key, as a subquery with a limit does for every plan. The
    // postings by their event too: a small step may only look rows up, and would compare each event with all of them.
    `insert into {table:audit_events} (${insertColumns(auditEventsTable)})
    select e.position, e.type, e.actor, e.happened_at, e.recorded_at, p.cents, nullif(p.share_cents, p.cents),
      coalesce(case when ${isOwnKind} then (
        select true from {table:audit_people} o where o.uid = e.actor and o.position = e.position limit 1) end, false)
    from {events} e
    cross join lateral (
      select max(p.cents) as cents,
        max(p.cents) filter (
          where log.is_consignor_account(p.from_account) or log.is_consignor_account(p.to_account)) as share_cents
      from {postings} p where p.position = e.position
    ) p
    where ${inRange("e")} and {key:e.position::text}`,
  ],
  keysTouched: `select distinct s.position::text as key from {streams} s where ${inRange("s")}`,
  forgetKeys: [
    "delete from {table:audit_events} where position = any ($1::text[]::bigint[])",
    "delete from {table:audit_people} where position = any ($1::text[]::bigint[])",
  ],
  streamsOfKey: "log.streams_at(key)",
};
