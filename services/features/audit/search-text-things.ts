// Looks up things for the audit log's free text: ids, receipts, items, sales, tracking numbers, barcodes.
import { sql } from "kysely";
import { containing, wordsOf } from "#db/like.ts";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement } from "#http/statement.ts";
import { plainNumber, plainNumberOf } from "#db/plain-number.ts";
import type { ThingKind } from "#features/audit/contract.ts";
import { shortIdOf, thingOf } from "#features/audit/places.ts";
import type { Sought } from "#features/audit/search-check.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { barcodeStreamId, itemStreamId } from "#features/inventory/streams.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import { salesTable } from "#features/sales/projection.ts";
import { saleStreamId } from "#features/sales/streams.ts";
import { shipmentsTable } from "#features/shipments/projection.ts";
import { shipmentStreamId } from "#features/shipments/streams.ts";
import { tradesTable } from "#features/trades/projection.ts";
import { tradeStreamId } from "#features/trades/streams.ts";
import { spelledOut } from "#ledger/explain.ts";
import { textArray } from "#ledger/log/encode.ts";

/** Without words, nobody is told. */
export type Found = { readonly words: string | null } & Partial<Sought>;

/** More items than this are not meant by one text. */
const MOST_ITEMS = 25;

/** Where texts are looked up: `searches` plans for the words. */
export type TextReads = Pick<ReadDeps, "reads" | "searches">;

export const streamOfThing: Readonly<Record<ThingKind, (id: string) => string>> = {
  item: itemStreamId,
  sale: saleStreamId,
  payout: payoutStreamId,
  trade: tradeStreamId,
  shipment: shipmentStreamId,
};

const readStreamsFrom = statement(
  (_reads, value: ValueOf<{ readonly names: string }>) => sql<{ readonly stream: string }>`
    select s.id as stream from unnest(${value("names")}::text[]) as k (name)
    cross join lateral (
      select s.id from log.streams s where s.id >= k.name and s.id < k.name || 'g' order by s.id limit 10) s`,
);

const readEventOfId = statement(
  (_reads, value: ValueOf<{ readonly id: string }>) =>
    sql<{
      readonly position: number;
    }>`select position from log.events where id = ${value("id")}::uuid`,
);

const ID_START = /^[0-9a-f]{8}(?:-[0-9a-f-]{0,27})?$/u;
const WHOLE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** Streams of things whose id is or begins with this text: people know the first eight characters. */
export async function byId({ reads }: TextReads, text: string, isOwn: boolean): Promise<Found[]> {
  const id = text.toLowerCase();
  if (!ID_START.test(id)) {
    return [];
  }
  // A consignor does not learn what other people's ids there are.
  const said = (words: string) => (isOwn ? null : words);
  const names = Object.values(streamOfThing).map((nameOfStream) => nameOfStream(id));
  const [rows, events] = await Promise.all([
    readStreamsFrom(reads, { names: textArray(names) }),
    WHOLE_ID.test(id) ? readEventOfId(reads, { id }) : [],
  ]);
  return [
    ...rows.map(({ stream }) => {
      const { kind } = thingOf(stream);
      return { words: said(`${spelledOut(kind)} ${shortIdOf({ kind, id })}`), streams: [stream] };
    }),
    ...events.map(({ position }) => ({ words: said(`Event ${position}`), positions: [position] })),
  ];
}

const readReceipt = statement(
  (_reads, value: ValueOf<{ readonly from: string }>) => sql<{ readonly position: number }>`
    select e.position from log.command_keys k
    join log.events e on e.position = k.position and e.command_key = k.key and e.key_scope = k.scope
    where k.scope = 'store' and k.key >= ${value("from")} and k.key < ${value("from")} || 'g'
    order by k.key limit 200`,
);

/** The lines of a receipt: the till's keys begin with the sale's id, and a receipt shows its first eight characters. */
export async function byReceipt({ reads }: TextReads, text: string): Promise<Found[]> {
  const number = text.toLowerCase().replace(/^r-/u, "");
  if (!ID_START.test(number)) {
    return [];
  }
  const rows = await readReceipt(reads, { from: `posSale:${number}` });
  const positions = rows.map(({ position }) => position);
  return rows.length === 0
    ? []
    : [{ words: `Receipt R-${shortIdOf({ kind: "sale", id: number })}`, positions }];
}

const readItemsOfCode = statement(
  (
    _reads,
    value: ValueOf<{ readonly code: string; readonly owner: string | null }>,
  ) => sql<ItemRow>`
    select i.id, i.item_name from ${nameOfTable(inventoryItemsTable)} i
    where (i.barcode1 = ${value("code")} or i.barcode2 = ${value("code")}) and not i.archived
      and (${value("owner")}::text is null or i.owner_uid = ${value("owner")})
    order by i.added_position desc limit 25`,
);

type ItemRow = { readonly id: string; readonly item_name: string };

/** Items with these words in name, title or barcode. Planned for its words: some are rare, some are not. */
async function itemsNamed(
  searches: Reads,
  text: string,
  ownerUid: string | null,
): Promise<readonly ItemRow[]> {
  const words = wordsOf(text.toLowerCase());
  // Trigrams: shorter words would compare every item.
  if (!words.some((word) => word.length > 2)) {
    return [];
  }
  const hasAll = words.map((word) => sql`i.search_text like ${containing(word)}`);
  const isTheirs = ownerUid === null ? sql`true` : sql`i.owner_uid = ${ownerUid}`;
  const { rows } = await sql<ItemRow>`
    select i.id, i.item_name from ${nameOfTable(inventoryItemsTable)} i
    where not i.archived and ${isTheirs} and ${sql.join(hasAll, sql` and `)}
    order by i.added_position desc limit ${MOST_ITEMS}`.execute(searches);
  return rows;
}

/** Items by barcode, else by name; of one owner only, if one is given. */
export async function byItem(
  { reads, searches }: TextReads,
  text: string,
  ownerUid: string | null,
): Promise<Found[]> {
  const exact = await readItemsOfCode(reads, { code: text, owner: ownerUid });
  const found = exact.length > 0 ? exact : await itemsNamed(searches, text, ownerUid);
  const [first] = found;
  if (first === undefined) {
    return [];
  }
  const count = `${found.length}${found.length === MOST_ITEMS ? "+" : ""} items`;
  return [
    {
      words: found.length === 1 ? `Item ${first.item_name}` : count,
      streams: found.map(({ id }) => itemStreamId(id)),
    },
  ];
}

/** Custom sales with these words in their name; other sales are found through their item. */
export async function bySale(
  { searches }: TextReads,
  text: string,
  ownerUid: string | null,
): Promise<Found[]> {
  const words = wordsOf(text.toLowerCase());
  if (!words.some((word) => word.length > 2)) {
    return [];
  }
  const hasAll = words.map((word) => sql`s.search_text like ${containing(word)}`);
  const isTheirs = ownerUid === null ? sql`true` : sql`s.consignor_id = ${ownerUid}`;
  const { rows } = await sql<{ readonly sale_id: string; readonly item_name: string }>`
    select s.sale_id, s.item_name from ${nameOfTable(salesTable)} s
    where s.kind = 'custom' and ${isTheirs} and ${sql.join(hasAll, sql` and `)}
    order by s.sold_at desc, s.position desc limit ${MOST_ITEMS}`.execute(searches);
  const [first] = rows;
  if (first === undefined) {
    return [];
  }
  const count = `${rows.length}${rows.length === MOST_ITEMS ? "+" : ""} custom sales`;
  return [
    {
      words: rows.length === 1 ? `Custom sale ${first.item_name}` : count,
      streams: rows.map(({ sale_id: saleId }) => saleStreamId(saleId)),
    },
  ];
}

const readFormerItems = statement(
  (_reads, value: ValueOf<{ readonly streams: string }>) => sql<{ readonly stream: string }>`
    select distinct o.stream_id as stream
    from unnest(${value("streams")}::text[]) as k (name)
    cross join lateral (
      select s.position from log.event_streams s where s.stream_id = k.name order by s.version desc limit 50) s
    cross join lateral (
      select i.stream_id from log.event_streams i
      where i.position = s.position and log.is_item_stream(i.stream_id) order by i.stream_id limit 5) o
    order by stream limit 25`,
);

/** A barcode that an item had once: its reservation knows, also after the item was deleted. */
export async function byFormerBarcode(
  { reads }: TextReads,
  code: string,
  owners: readonly (string | null)[],
): Promise<Found[]> {
  const streams = textArray(owners.map((owner) => barcodeStreamId(owner, code)));
  const rows = await readFormerItems(reads, { streams });
  return rows.length === 0
    ? []
    : [{ words: `Barcode ${code}`, streams: rows.map(({ stream }) => stream) }];
}

const readParcels = statement(
  (_reads, value: ValueOf<{ readonly number: string; readonly owner: string | null }>) => sql<{
    readonly kind: "shipment" | "trade";
    readonly id: string;
  }>`
    select 'shipment' as kind, s.shipment_id::text as id, s.position
    from identity.shipment_texts t join ${nameOfTable(shipmentsTable)} s on s.text_id = t.id
    where ${sql.raw(plainNumber("t.tracking_number"))} = ${value("number")}
      and not s.deleted and (${value("owner")}::text is null or s.consignor_uid = ${value("owner")})
    union all
    select 'trade', t.trade_id::text, t.position
    from identity.trade_labels l join ${nameOfTable(tradesTable)} t on t.label_id = l.id
    where ${sql.raw(plainNumber("l.tracking_number"))} = ${value("number")}
      and (${value("owner")}::text is null or t.buyer_uid = ${value("owner")})
    order by position desc limit 50`,
);

/** Parcels with this tracking number, typed with or without spaces. */
export async function byTracking(
  { reads }: TextReads,
  text: string,
  owner: string | null,
): Promise<Found[]> {
  const number = plainNumberOf(text);
  const rows = number.length < 6 ? [] : await readParcels(reads, { number, owner });
  return rows.length === 0
    ? []
    : [
        {
          words: `Tracking number ${text}`,
          streams: rows.map(({ kind, id }) => streamOfThing[kind](id)),
        },
      ];
}

/** Beyond these, a barcode that an item had once is found only by another word. */
const MOST_OWNERS = 20_000;

/** Whose barcodes may be meant: each owner has reservations of their own. The newest people, and the store. */
export async function ownersOf(
  reads: Reads,
  ownUid: string | null,
): Promise<readonly (string | null)[]> {
  if (ownUid !== null) {
    return [ownUid];
  }
  const rows = await reads
    .selectFrom("identity.profiles")
    .select("uid")
    .orderBy("created_at", "desc")
    .orderBy("uid")
    .limit(MOST_OWNERS)
    .execute();
  return [null, ...rows.map(({ uid }) => uid)];
}
