// Everything the store knows about one person, for that person: what is theirs to read and to take away.
import type { Sql } from "#db/connect.ts";
import type { ReadEvent, StoredFact } from "#ledger/log/read-event.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import { account } from "#ledger/posting.ts";
import type { OwnDataAnswer } from "#features/users/contract.ts";
import { findChangeTexts } from "#features/users/change-texts.ts";
import { userStreamId } from "#features/users/streams.ts";
import { consignorStreamId } from "#features/accounts/streams.ts";

type Record_ = Record<string, unknown>;

/** More than anybody has; a list that reaches it says so. */
const MAX_ROWS = 100_000;

/** A list of the answer: its name, and the query for its elements, as JSON texts. */
type List = readonly [
  name: keyof OwnDataAnswer,
  read: () => Promise<readonly { readonly row: string }[]>,
];

/**
 * An `OwnDataAnswer` as JSON, piece by piece: somebody's lists may be long enough to hold up everybody else where
 * they are written at once. Amounts are cents, times ISO 8601, names those of the store's own tables.
 */
export async function* ownDataJson(
  sql: Sql,
  readEvent: ReadEvent,
  uid: string,
  now: Date,
): AsyncGenerator<string> {
  const person = await readPerson(sql, uid);
  const head = JSON.stringify({ exportedAt: now.toISOString(), ...person });
  yield head.slice(0, -1);
  // One after the other: several long answers of the database at once would hold others up too.
  for (const [name, read] of listsOf(sql, readEvent, uid)) {
    const rows = await read();
    yield `,${JSON.stringify(name)}:[`;
    for (let start = 0; start < rows.length; start += ROWS_A_TURN) {
      const some = rows.slice(start, start + ROWS_A_TURN).map(({ row }) => row);
      yield `${start === 0 ? "" : ","}${some.join(",")}`;
    }
    yield "]";
  }
  yield "}";
}

/** Some 100 kB. */
const ROWS_A_TURN = 500;

function listsOf(sql: Sql, readEvent: ReadEvent, uid: string): readonly List[] {
  return [
    [
      "payoutHandles",
      () => sql`
      select jsonb_build_object('method', method, 'handle', handle, 'lastUsedAt', last_used_at)::text as row
      from identity.payout_handles where uid = ${uid} order by last_used_at, id limit ${MAX_ROWS}`,
    ],
    [
      "notes",
      () => sql`
      select to_jsonb(text)::text as row
      from identity.notes where about_uid = ${uid} order by id limit ${MAX_ROWS}`,
    ],
    ["changes", () => readChanges(sql, readEvent, uid)],
    [
      "items",
      () => sql`
      select jsonb_build_object('itemName', item_name, 'listingTitle', listing_title,
        'barcode1', barcode1, 'barcode2', barcode2, 'location', location, 'link', link,
        'quantity', quantity, 'archived', archived, 'addedAt', added_at)::text as row
      from read.inventory_items where owner_uid = ${uid} order by added_position limit ${MAX_ROWS}`,
    ],
    [
      "sales",
      () => sql`
      select jsonb_build_object('saleId', sale_id, 'itemName', item_name, 'units', units,
        'priceCents', price_cents, 'shippingCents', shipping_cents, 'payoutCents', payout_cents,
        'consignorPercentage', consignor_percentage, 'refundedUnits', refunded_units,
        'refundedPayoutCents', refunded_payout_cents, 'soldAt', sold_at)::text as row
      from read.sales where consignor_id = ${uid} order by position limit ${MAX_ROWS}`,
    ],
    [
      "payouts",
      () => sql`
      select jsonb_build_object('payoutId', p.payout_id, 'amountCents', p.amount_cents,
        'method', p.method, 'handle', h.handle, 'status', p.status, 'requestedAt', p.requested_at,
        'settledAt', p.settled_at)::text as row
      from read.payouts p left join identity.payout_handles h on h.id = p.handle_id
      where p.consignor_uid = ${uid} order by p.position limit ${MAX_ROWS}`,
    ],
    [
      "ledger",
      () => sql`
      select jsonb_build_object('line', s.version, 'position', e.position, 'what', e.type,
        'happenedAt', e.happened_at, 'recordedAt', e.recorded_at,
        'availableChangeCents', ${changeOf(sql, account.available(uid))},
        'inTransitChangeCents', ${changeOf(sql, account.payouts(uid))})::text as row
      from log.event_streams s join log.events e on e.position = s.position
      where s.stream_id = ${consignorStreamId(uid)} order by s.version limit ${MAX_ROWS}`,
    ],
  ];
}

/** What an event's postings add to an account. */
function changeOf(sql: Sql, name: string) {
  return sql`(
    select coalesce(sum(case when p.to_account = ${name} then p.cents else 0 end
      - case when p.from_account = ${name} then p.cents else 0 end), 0)
    from log.postings p where p.position = e.position)`;
}

/** What happened to the person, each with the texts that were not erased. */
async function readChanges(
  sql: Sql,
  readEvent: ReadEvent,
  uid: string,
): Promise<readonly { readonly row: string }[]> {
  const rows = await sql<(StoredFact & { readonly happened_at: unknown })[]>`
    select e.type, e.schema_version, e.data, to_jsonb(e.happened_at) as happened_at
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${userStreamId(uid)} order by s.version limit ${MAX_ROWS}`;
  const facts = rows.map((row) => fieldsOf(readEvent(row)));
  const texts = await findChangeTexts(
    sql,
    facts.map(({ changeId }) => changeId),
  );
  return rows.map(({ type, happened_at: happenedAt }, index) => {
    const { changeId, before, after } = facts[index] ?? {};
    const kept = texts.get(String(changeId));
    const change = {
      what: type,
      before: kept?.before ?? before ?? null,
      after: kept?.after ?? after ?? null,
      happenedAt,
    };
    return { row: JSON.stringify(change) };
  });
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
