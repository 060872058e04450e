// From the log to the requested, paid, deleted and returned payouts: one row per payout request.
import {
  bigint,
  boolean,
  defineTable,
  insertColumns,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { accountsInStream } from "#features/accounts/streams.ts";

export const payoutsTable = defineTable({
  name: "payouts",
  columns: {
    payout_id: uuid(),
    consignor_uid: text(),
    amount_cents: bigint(),
    method: text<"cashapp" | "venmo">(),
    /** Where it goes or went, and the position of the event that says so: the request, a correction, or the payment. */
    handle_id: uuid(),
    handle_position: bigint(),
    status: text<"pending" | "paid" | "deleted" | "returned">(),
    requested_at: timestamptz(),
    position: bigint(),
    /** Which admin began to pay it, and until when others should not; null if nobody did, or if no money was sent. */
    claimed_by: nullable(text()),
    claimed_until: nullable(timestamptz()),
    /** When it was paid or deleted; null, like its position, while the request is pending. */
    settled_at: nullable(timestamptz()),
    settled_position: nullable(bigint()),
    /** The transfer's number, if somebody entered it. */
    reference: nullable(text()),
    /** Whether the consignor deleted it, and not the store. */
    withdrawn: boolean(),
    /** When the transfer of a paid payout came back, and the note in identity.notes that says why. */
    returned_at: nullable(timestamptz()),
    returned_position: nullable(bigint()),
    return_note_id: nullable(uuid()),
  },
  keys: ["primary key (payout_id)"],
  indexes: [
    "(consignor_uid, position desc)",
    "(position) where status = 'pending'",
    "(status, coalesce(returned_position, settled_position) desc) where status <> 'pending'",
    // The sign before CashApp's references is left out by some.
    "(lower(ltrim(reference, '#'))) where reference is not null",
  ],
});

/** How requests were settled in the range. */
const settled = `
  select (e.data ->> 'payoutId')::uuid as payout_id, e.position, e.happened_at,
    case e.type when 'PayoutPaid' then 'paid' else 'deleted' end as status,
    e.data ->> 'reference' as reference, e.data ->> 'by' is not distinct from 'consignor' as withdrawn,
    e.data ->> 'method' as method, (e.data ->> 'handleId')::uuid as handle_id
  from {events} e
  where e.position > $1::bigint and e.position <= $2::bigint
    and e.type in ('PayoutPaid', 'PayoutDeleted') and {key:e.data ->> 'payoutId'}`;

/** Payout requests with their status. Row key: the payout's id. */
export const payoutsProjection: Projection = {
  name: "payouts",
  version: 5,
  tables: [payoutsTable],
  step: [
    `with settled as (${settled})
    insert into {table:payouts} (${insertColumns(payoutsTable)})
    select r.payout_id, r.consignor_uid, r.amount_cents, coalesce(s.method, r.method),
      coalesce(s.handle_id, r.handle_id),
      case when s.handle_id is null then r.position else s.position end,
      coalesce(s.status, 'pending'), r.happened_at, r.position, null, null, s.happened_at, s.position,
      s.reference, coalesce(s.withdrawn, false), null, null, null
    from (
      select (e.data ->> 'payoutId')::uuid as payout_id, e.data ->> 'consignorId' as consignor_uid,
        (e.data ->> 'amountCents')::bigint as amount_cents, e.data ->> 'method' as method,
        (e.data ->> 'handleId')::uuid as handle_id, e.happened_at, e.position
      from {events} e
      where e.position > $1::bigint and e.position <= $2::bigint
        and e.type = 'PayoutRequested' and {key:e.data ->> 'payoutId'}
    ) r
    left join settled s using (payout_id)`,
    // Requested before the range and settled in it; the others were inserted as settled. Not by the status: PostgreSQL takes
    // it that hardly any row is pending, and compares each of them with each payment.
    `update {table:payouts} p
    set status = s.status, settled_at = s.happened_at, settled_position = s.position,
      reference = s.reference, withdrawn = s.withdrawn, method = s.method,
      handle_id = coalesce(s.handle_id, p.handle_id),
      handle_position = case when s.handle_id is null then p.handle_position else s.position end
    from (${settled}) s
    where p.payout_id = s.payout_id and p.settled_position is distinct from s.position`,
    // Few requests are corrected. One that is paid in this range too went where the payment says.
    `update {table:payouts} p
    set method = c.method, handle_id = c.handle_id, handle_position = c.position
    from (
      select distinct on (e.data ->> 'payoutId') (e.data ->> 'payoutId')::uuid as payout_id,
        e.data ->> 'method' as method, (e.data ->> 'handleId')::uuid as handle_id, e.position
      from {events} e
      where e.position > $1::bigint and e.position <= $2::bigint
        and e.type = 'PayoutHandleCorrected' and {key:e.data ->> 'payoutId'}
      order by e.data ->> 'payoutId', e.position desc
    ) c
    where p.payout_id = c.payout_id and p.handle_position < c.position`,
    `update {table:payouts} p
    set claimed_by = c.claimed_by, claimed_until = c.claimed_until
    from (
      select distinct on (e.data ->> 'payoutId') (e.data ->> 'payoutId')::uuid as payout_id,
        case e.type when 'PayoutClaimed' then e.data ->> 'claimedBy' end as claimed_by,
        (e.data ->> 'claimedUntil')::timestamptz as claimed_until
      from {events} e
      where e.position > $1::bigint and e.position <= $2::bigint
        and e.type in ('PayoutClaimed', 'PayoutClaimReleased') and {key:e.data ->> 'payoutId'}
      order by e.data ->> 'payoutId', e.position desc
    ) c
    where p.payout_id = c.payout_id`,
    // Few payouts are returned. Their rows were paid in this range or before it.
    `update {table:payouts} p
    set status = 'returned', returned_at = r.happened_at, returned_position = r.position,
      return_note_id = r.note_id
    from (
      select (e.data ->> 'payoutId')::uuid as payout_id, (e.data ->> 'noteId')::uuid as note_id,
        e.happened_at, e.position
      from {events} e
      where e.position > $1::bigint and e.position <= $2::bigint
        and e.type = 'PayoutReturned' and {key:e.data ->> 'payoutId'}
    ) r
    where p.payout_id = r.payout_id and p.status = 'paid'`,
  ],
  onlyFor: [
    null,
    null,
    ["PayoutHandleCorrected"],
    ["PayoutClaimed", "PayoutClaimReleased"],
    ["PayoutReturned"],
  ],
  keysTouched: `
    select distinct log.id_of_payout_stream(s.stream_id) as key
    from {streams} s
    where s.position > $1::bigint and s.position <= $2::bigint and log.is_payout_stream(s.stream_id)`,
  forgetKeys: ["delete from {table:payouts} where payout_id::text = any ($1::text[])"],
  streamsOfKey: "array[log.payout_stream(key)]",
  money: {
    uidsOfKey: accountsInStream("log.payout_stream(key)"),
    keyOfRow: { payouts: "payout_id::text" },
    keysOfUid: null,
  },
};
