// Everything the store knows about one person, for that person: what is theirs to read and to take away.
import type { Sql } from "#db/connect.ts";
import { account } from "#ledger/posting.ts";
import type { OwnDataAnswer } from "#features/users/contract.ts";
import { userStreamId } from "#features/users/streams.ts";
import { consignorStreamId } from "#features/accounts/streams.ts";

type Record_ = Record<string, unknown>;

/** More than anybody has; a list that reaches it says so. */
const MAX_ROWS = 100_000;

const rowsOf = async (query: Promise<readonly { row: Record_ }[]>): Promise<Record_[]> =>
  (await query).map(({ row }) => row);

/** Amounts are cents, times ISO 8601, names those of the store's own tables. */
export async function readOwnData(sql: Sql, uid: string, now: Date): Promise<OwnDataAnswer> {
  const [person, handles, notes, changes, items, sales, payouts, ledger] = await Promise.all([
    readPerson(sql, uid),
    rowsOf(sql`
      select jsonb_build_object('method', method, 'handle', handle, 'lastUsedAt', last_used_at) as row
      from identity.payout_handles where uid = ${uid} order by last_used_at, id limit ${MAX_ROWS}`),
    sql<{ text: string }[]>`
      select text from identity.notes where about_uid = ${uid} order by id limit ${MAX_ROWS}`,
    rowsOf(sql`
      select jsonb_build_object('what', e.type, 'before', coalesce(c.before, e.data ->> 'before'),
        'after', coalesce(c.after, e.data ->> 'after'), 'happenedAt', e.happened_at) as row
      from log.event_streams s join log.events e on e.position = s.position
      left join identity.user_changes c on c.id = (e.data ->> 'changeId')::uuid
      where s.stream_id = ${userStreamId(uid)} order by s.version limit ${MAX_ROWS}`),
    rowsOf(sql`
      select jsonb_build_object('itemName', item_name, 'listingTitle', listing_title,
        'barcode1', barcode1, 'barcode2', barcode2, 'location', location, 'link', link,
        'quantity', quantity, 'archived', archived, 'addedAt', added_at) as row
      from read.inventory_items where owner_uid = ${uid} order by added_position limit ${MAX_ROWS}`),
    rowsOf(sql`
      select jsonb_build_object('saleId', sale_id, 'itemName', item_name, 'units', units,
        'priceCents', price_cents, 'shippingCents', shipping_cents, 'payoutCents', payout_cents,
        'consignorPercentage', consignor_percentage, 'refundedUnits', refunded_units,
        'refundedPayoutCents', refunded_payout_cents, 'soldAt', sold_at) as row
      from read.sales where consignor_id = ${uid} order by position limit ${MAX_ROWS}`),
    rowsOf(sql`
      select jsonb_build_object('payoutId', p.payout_id, 'amountCents', p.amount_cents,
        'method', p.method, 'handle', h.handle, 'status', p.status, 'requestedAt', p.requested_at,
        'settledAt', p.settled_at) as row
      from read.payouts p left join identity.payout_handles h on h.id = p.handle_id
      where p.consignor_uid = ${uid} order by p.position limit ${MAX_ROWS}`),
    rowsOf(sql`
      select jsonb_build_object('line', s.version, 'position', e.position, 'what', e.type,
        'happenedAt', e.happened_at, 'recordedAt', e.recorded_at,
        'availableChangeCents', ${changeOf(sql, account.available(uid))},
        'inTransitChangeCents', ${changeOf(sql, account.payouts(uid))}) as row
      from log.event_streams s join log.events e on e.position = s.position
      where s.stream_id = ${consignorStreamId(uid)} order by s.version limit ${MAX_ROWS}`),
  ]);
  return {
    exportedAt: now.toISOString(),
    ...person,
    payoutHandles: handles,
    notes: notes.map(({ text }) => text),
    changes,
    items,
    sales,
    payouts,
    ledger,
  };
}

/** What an event's postings add to an account. */
function changeOf(sql: Sql, name: string) {
  return sql`(
    select coalesce(sum(case when p.to_account = ${name} then p.cents else 0 end
      - case when p.from_account = ${name} then p.cents else 0 end), 0)
    from log.postings p where p.position = e.position)`;
}

async function readPerson(
  sql: Sql,
  uid: string,
): Promise<Pick<OwnDataAnswer, "profile" | "signIn">> {
  const [row] = await sql<{ profile: Record_; sign_in: Record_ }[]>`
    select
      to_jsonb(p) - '{session_epoch,handle_secret}'::text[] as profile,
      jsonb_build_object(
        'passwordEmail', (select c.email from identity.credentials c where c.uid = p.uid),
        'providers', (
          select coalesce(jsonb_agg(jsonb_build_object('issuer', s.issuer, 'subject', s.subject,
            'linkedAt', s.linked_at) order by s.linked_at, s.issuer), '[]')
          from identity.issuer_subjects s where s.uid = p.uid),
        'sessions', (
          select coalesce(jsonb_agg(jsonb_build_object('signedInAt', f.authenticated_at,
            'lastUsedAt', f.rotated_at, 'endedAt', f.ended_at, 'browser', f.user_agent)
            order by f.authenticated_at, f.id), '[]')
          from identity.refresh_families f where f.uid = p.uid)) as sign_in
    from identity.profiles p where p.uid = ${uid}`;
  return { profile: row?.profile ?? {}, signIn: row?.sign_in ?? {} };
}
