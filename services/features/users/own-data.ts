// Everything the store knows about one person, as a download for that person.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Sql } from "#db/connect.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ReadableEvent } from "#ledger/explain.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import type { EventExplanations } from "#features/histories.ts";
import type { OwnDataResponse } from "#features/users/contract-own.ts";
import { withTexts } from "#features/users/change-texts.ts";
import { ownLabelsJson } from "#features/users/own-labels.ts";
import { readOwnNotes } from "#features/users/own-security.ts";
import { userStreamId } from "#features/users/streams.ts";
import { consignorStreamId, availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { salesTable } from "#features/sales/projection.ts";
import { shipmentsTable } from "#features/shipments/projection.ts";
import type { ChosenHandles } from "#identity/chosen-handles.ts";
import type { Labels } from "#identity/labels.ts";

type OwnDataDeps = {
  /** The primary: sign-in and sessions are identity's. */
  readonly sql: Sql;
  readonly reads: Reads;
  readonly readEvent: ReadEvent;
  readonly explanations: EventExplanations;
  readonly labels: Labels;
  readonly identity: { readonly parts: { readonly chosenHandles: ChosenHandles } };
};

type Record_ = Record<string, unknown>;

/** More than anybody has; `cutOff` names the lists that are longer, of which one more row is read. */
const MAX_ROWS = 100_000;

/** An element as JSON text from PostgreSQL, or the fields of one that is put into words here. */
type Element = { readonly row: string } | { readonly fields: () => Record_ };

/** A list of the response: its name, and the query for its elements. */
type List = readonly [name: keyof OwnDataResponse, read: () => Promise<readonly Element[]>];

/**
 * An `OwnDataResponse` as JSON, piece by piece, because writing long lists at once would delay other requests.
 * Amounts are cents, times are ISO 8601, and names are those of the store's tables.
 */
export async function* ownDataJson(
  deps: OwnDataDeps,
  uid: string,
  now: Date,
  mostRows = MAX_ROWS,
): AsyncGenerator<string> {
  const person = await readPerson(deps.sql, uid);
  const head = JSON.stringify({ exportedAt: now.toISOString(), ...person });
  yield head.slice(0, -1);
  // One after another: several long query results at once would delay others too.
  const notes: List = ["security", () => readOwnNotes(deps.reads, uid, MAX_ROWS + 1)];
  const cutOff: string[] = [];
  for (const [name, read] of [...listsOf(deps, uid), notes]) {
    const found = await read();
    const rows = found.slice(0, mostRows);
    if (found.length > mostRows) {
      cutOff.push(name);
    }
    yield `,${JSON.stringify(name)}:[`;
    for (let start = 0; start < rows.length; start += ROWS_A_TURN) {
      const some = rows.slice(start, start + ROWS_A_TURN).map(textOf);
      yield `${start === 0 ? "" : ","}${some.join(",")}`;
    }
    yield "]";
  }
  yield `,"cutOff":${JSON.stringify(cutOff)}`;
  yield ',"labels":[';
  yield* ownLabelsJson(deps.labels, uid);
  yield "]}";
}

/** About 100 kB. */
const ROWS_A_TURN = 500;

function textOf(element: Element): string {
  return "row" in element ? element.row : JSON.stringify(element.fields());
}

async function rowsOf(
  reads: Reads,
  query: RawBuilder<{ readonly row: string }>,
): Promise<readonly Element[]> {
  const { rows } = await query.execute(reads);
  return rows;
}

function handleLists({ reads, identity }: OwnDataDeps, uid: string): readonly List[] {
  return [
    [
      "payoutHandles",
      () =>
        rowsOf(
          reads,
          sql`
      select jsonb_build_object('method', method, 'handle', handle, 'lastUsedAt', last_used_at)::text as row
      from identity.payout_handles where uid = ${uid} order by last_used_at, id limit ${MAX_ROWS + 1}`,
        ),
    ],
    [
      "chosenPayoutHandles",
      async () => {
        const chosen = await identity.parts.chosenHandles.find(uid);
        return chosen.map((handle) => ({ fields: () => ({ ...handle }) }));
      },
    ],
  ];
}

function listsOf(deps: OwnDataDeps, uid: string): readonly List[] {
  const { reads } = deps;
  return [
    ...handleLists(deps, uid),
    ...tradePaperLists(reads, uid),
    [
      "notes",
      () =>
        rowsOf(
          reads,
          sql`
      select to_jsonb(text)::text as row
      from identity.notes where about_uid = ${uid} order by id limit ${MAX_ROWS + 1}`,
        ),
    ],
    ["changes", () => readOwnChanges(deps, uid)],
    [
      "items",
      () =>
        rowsOf(
          reads,
          sql`
      select jsonb_build_object('itemName', item_name, 'listingTitle', listing_title,
        'barcode1', barcode1, 'barcode2', barcode2, 'location', location, 'link', link,
        'quantity', quantity, 'archived', archived, 'addedAt', added_at)::text as row
      from ${nameOfTable(inventoryItemsTable)} where owner_uid = ${uid} order by added_position limit ${MAX_ROWS + 1}`,
        ),
    ],
    [
      "sales",
      () =>
        rowsOf(
          reads,
          sql`
      select jsonb_build_object('saleId', sale_id, 'itemName', item_name, 'units', units,
        'priceCents', price_cents, 'shippingCents', shipping_cents, 'payoutCents', payout_cents,
        'consignorPercentage', consignor_percentage, 'refundedUnits', refunded_units,
        'refundedPayoutCents', refunded_payout_cents, 'soldAt', sold_at)::text as row
      from ${nameOfTable(salesTable)} where consignor_id = ${uid} order by position limit ${MAX_ROWS + 1}`,
        ),
    ],
    [
      "payouts",
      () =>
        rowsOf(
          reads,
          sql`
      select jsonb_build_object('payoutId', p.payout_id, 'amountCents', p.amount_cents,
        'method', p.method, 'handle', h.handle, 'status', p.status, 'requestedAt', p.requested_at,
        'settledAt', p.settled_at, 'returnedAt', p.returned_at, 'returnReason', n.text)::text as row
      from ${nameOfTable(payoutsTable)} p left join identity.payout_handles h on h.id = p.handle_id
        left join identity.notes n on n.id = p.return_note_id
      where p.consignor_uid = ${uid} order by p.position limit ${MAX_ROWS + 1}`,
        ),
    ],
    [
      "shipments",
      () =>
        rowsOf(
          reads,
          sql`
      select jsonb_build_object('shipmentId', s.shipment_id, 'carrier', coalesce(t.carrier_name, s.carrier),
        'trackingNumber', t.tracking_number, 'contents', t.contents, 'declaredUnits', s.declared_units,
        'submittedAt', s.submitted_at, 'deliveredAt', s.delivered_at, 'processedAt', s.processed_at,
        'receivedUnits', s.received_units, 'refusedUnits', s.refused_units, 'deleted', s.deleted)::text as row
      from ${nameOfTable(shipmentsTable)} s left join identity.shipment_texts t on t.id = s.text_id
      where s.consignor_uid = ${uid} order by s.position limit ${MAX_ROWS + 1}`,
        ),
    ],
    ["ledger", () => readOwnLedger(deps, uid)],
  ];
}

function tradePaperLists(reads: Reads, uid: string): readonly List[] {
  return [
    [
      "tradeAddresses",
      () =>
        rowsOf(
          reads,
          sql`
      select jsonb_build_object('name', name, 'street', street, 'city', city, 'state', state, 'zip', zip,
        'country', country, 'keptAt', kept_at)::text as row
      from identity.trade_addresses where uid = ${uid} order by kept_at, id limit ${MAX_ROWS + 1}`,
        ),
    ],
    [
      "tradeLabels",
      () =>
        rowsOf(
          reads,
          sql`
      select jsonb_build_object('labelId', id, 'trackingNumber', tracking_number)::text as row
      from identity.trade_labels where uid = ${uid} order by id limit ${MAX_ROWS + 1}`,
        ),
    ],
  ];
}

type EventRow = {
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly happened_at: Date;
};

const readable = ({ type, schema_version: schemaVersion, data }: EventRow): ReadableEvent => ({
  type,
  schemaVersion,
  data,
});

/** The changes of the person, oldest first. */
async function readOwnChanges(
  { reads, readEvent, explanations }: OwnDataDeps,
  uid: string,
): Promise<Element[]> {
  const { rows } = await sql<EventRow>`
    select e.type, e.schema_version, e.data, e.happened_at
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${userStreamId(uid)} order by s.version limit ${MAX_ROWS + 1}`.execute(
    reads,
  );
  const changes = await withTexts(reads, readEvent, rows);
  return changes.map((row) => ({
    fields: () => {
      const before = row.text?.before ?? null;
      const after = row.text?.after ?? null;
      const text = { isKept: row.text !== undefined, before, after };
      const words = readIn(explanations, "user", readable(row), text)?.words;
      return {
        what: row.type,
        description: words?.description ?? spelledOut(row.type),
        before: words?.before ?? before,
        after: words?.after ?? after,
        happenedAt: row.happened_at.toISOString(),
      };
    },
  }));
}

type LineRow = EventRow & {
  readonly line: number;
  readonly position: number;
  readonly recorded_at: Date;
  readonly available: number;
  readonly in_transit: number;
};

/** The person's ledger, oldest first. */
async function readOwnLedger(
  { reads, explanations }: OwnDataDeps,
  uid: string,
): Promise<Element[]> {
  const { rows } = await sql<LineRow>`
    select s.version as line, e.position, e.type, e.schema_version, e.data, e.happened_at, e.recorded_at,
      ${changeOf(availableAccount.of(uid))}::bigint as available,
      ${changeOf(payoutsAccount.of(uid))}::bigint as in_transit
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${consignorStreamId(uid)} order by s.version limit ${MAX_ROWS + 1}`.execute(
    reads,
  );
  return rows.map((row) => ({
    fields: () => ({
      line: row.line,
      position: row.position,
      what: row.type,
      description:
        readIn(explanations, "consignor", readable(row), { uid })?.words.description ??
        spelledOut(row.type),
      happenedAt: row.happened_at.toISOString(),
      recordedAt: row.recorded_at.toISOString(),
      availableChangeCents: row.available,
      inTransitChangeCents: row.in_transit,
    }),
  }));
}

/** The sum of an event's postings to an account. */
function changeOf(name: string) {
  return sql`(
    select coalesce(sum(case when p.to_account = ${name} then p.cents else 0 end
      - case when p.from_account = ${name} then p.cents else 0 end), 0)
    from log.postings p where p.position = e.position)`;
}

async function readPerson(
  primary: Sql,
  uid: string,
): Promise<Pick<OwnDataResponse, "profile" | "signIn">> {
  const [row] = await primary<{ profile: Record_; sign_in: Record_ }[]>`
    select
      to_jsonb(p) - '{session_epoch,handle_secret}'::text[] || jsonb_build_object(
        'notificationChoices', (
          select coalesce(jsonb_agg(jsonb_build_object('kind', n.kind, 'channel', n.channel, 'on', n.is_on)
            order by n.kind, n.channel), '[]')
          from identity.notification_choices n where n.uid = p.uid)) as profile,
      jsonb_build_object(
        'passwordEmail', (select c.email from identity.credentials c where c.uid = p.uid),
        'providers', (
          select coalesce(jsonb_agg(jsonb_build_object('issuer', s.issuer, 'subject', s.subject,
            'linkedAt', s.linked_at) order by s.linked_at, s.issuer), '[]')
          from identity.issuer_subjects s where s.uid = p.uid),
        'unlinkedProviders', (
          select coalesce(jsonb_agg(jsonb_build_object('issuer', u.issuer, 'unlinkedAt', u.unlinked_at)
            order by u.unlinked_at, u.issuer), '[]')
          from identity.unlinked_providers u where u.uid = p.uid),
        'secondFactors', (
          select coalesce(jsonb_agg(jsonb_build_object('kind', s.kind, 'name', s.name,
            'addedAt', s.added_at, 'lastUsedAt', s.last_used_at) order by s.added_at, s.id), '[]')
          from identity.factors s where s.uid = p.uid),
        'recoveryCodes', (
          select coalesce(jsonb_agg(jsonb_build_object('madeAt', r.made_at, 'usedAt', r.used_at)
            order by r.made_at, r.used_at nulls last), '[]')
          from identity.recovery_codes r where r.uid = p.uid),
        'sessions', (
          select coalesce(jsonb_agg(jsonb_build_object('signedInAt', f.authenticated_at,
            'lastUsedAt', f.rotated_at, 'endedAt', f.ended_at, 'browser', f.user_agent, 'address', f.address)
            order by f.authenticated_at, f.id), '[]')
          from identity.refresh_families f where f.uid = p.uid)) as sign_in
    from identity.profiles p where p.uid = ${uid}`;
  return { profile: row?.profile ?? {}, signIn: row?.sign_in ?? {} };
}
