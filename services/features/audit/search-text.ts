// What free text may mean to an auditor: an amount, a position, an id, a code, or a name of a person or an item.
import { sql } from "kysely";
import { containing, wordsOf } from "#db/like.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable, withTables } from "#http/reads.ts";
import type { Sought } from "#features/audit/search.ts";
import type { ThingKind } from "#features/audit/contract.ts";
import { consignorStreamId } from "#features/accounts/streams.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { barcodeStreamId, itemStreamId } from "#features/inventory/streams.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import { saleStreamId } from "#features/sales/streams.ts";
import { shipmentsTable } from "#features/shipments/projection.ts";
import { shipmentStreamId } from "#features/shipments/streams.ts";
import { tradesTable } from "#features/trades/projection.ts";
import { tradeStreamId } from "#features/trades/streams.ts";
import { nameOf } from "#identity/profiles.ts";
import { textArray } from "#ledger/log/encode.ts";
import { formatCents } from "#ledger/money.ts";

const inItems = withTables(inventoryItemsTable);

/** What was found, and in words what the text was understood as. */
export type Understood = { readonly sought: Sought; readonly words: readonly string[] };

/** Without words, nobody is told. */
type Found = { readonly words: string | null } & Partial<Sought>;

/** More people or items than this are not meant by one text. */
const MOST_PEOPLE = 10;
const MOST_ITEMS = 25;

export const streamOfThing: Readonly<Record<ThingKind, (id: string) => string>> = {
  item: itemStreamId,
  sale: saleStreamId,
  payout: payoutStreamId,
  trade: tradeStreamId,
  shipment: shipmentStreamId,
};

const kindWords: Readonly<Record<ThingKind, string>> = {
  item: "Item",
  sale: "Sale",
  payout: "Payout",
  trade: "Trade",
  shipment: "Shipment",
};

/** "12.34", "$1,234" and "$12.34"; a whole number without a dollar sign is not an amount. */
export function amountIn(text: string): number | null {
  const match = /^(\$?)\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/u.exec(text);
  if (match === null) {
    return null;
  }
  const [, sign = "", whole = "", part] = match;
  return sign === "" && part === undefined
    ? null
    : Number(whole.replaceAll(",", "")) * 100 + Number((part ?? "").padEnd(2, "0"));
}

/** Streams of things whose id is or begins with this text: people know the first eight characters. */
async function byId(reads: Reads, text: string, isOwn: boolean): Promise<Found[]> {
  const id = text.toLowerCase();
  if (!/^[0-9a-f]{8}(?:-[0-9a-f-]{0,27})?$/u.test(id)) {
    return [];
  }
  // A consignor does not learn what other people's ids there are.
  const said = (words: string) => (isOwn ? null : words);
  const kinds = Object.keys(streamOfThing) as ThingKind[];
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const name = streamOfThing[kind](id);
      const { rows } = await sql<{ readonly id: string }>`
        select id from log.streams where id >= ${name} and id < ${`${name}g`} order by id limit ${MOST_ITEMS}`.execute(
        reads,
      );
      return { kind, streams: rows.map((row) => row.id) };
    }),
  );
  const events = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id)
    ? await sql<{ readonly position: number }>`
        select position from log.events where id = ${id}::uuid`.execute(reads)
    : { rows: [] };
  return [
    ...found
      .filter(({ streams }) => streams.length > 0)
      .map(({ kind, streams }) => ({
        words: said(`${kindWords[kind]} ${id.slice(0, 8).toUpperCase()}`),
        streams,
      })),
    ...events.rows.map(({ position }) => ({
      words: said(`Event ${position}`),
      positions: [position],
    })),
  ];
}

/** The lines of a receipt: the till's keys begin with the sale's id, and a receipt shows its first eight characters. */
async function byReceipt(reads: Reads, text: string): Promise<Found[]> {
  const number = text.toLowerCase().replace(/^r-/u, "");
  if (!/^[0-9a-f]{8}(?:-[0-9a-f-]{0,27})?$/u.test(number)) {
    return [];
  }
  const from = `posSale:${number}`;
  const { rows } = await sql<{ readonly position: number }>`
    select e.position from log.command_keys k
    join log.events e on e.position = k.position and e.command_key = k.key and e.key_scope = k.scope
    where k.scope = 'store' and k.key >= ${from} and k.key < ${`${from}g`} limit 200`.execute(
    reads,
  );
  return rows.length === 0
    ? []
    : [
        {
          words: `Receipt ${number.slice(0, 8).toUpperCase()}`,
          positions: rows.map(({ position }) => position),
        },
      ];
}

/** Items with this text in name, title or barcode, the exact barcode first; of one owner only, if one is given. */
async function byItem(reads: Reads, text: string, ownerUid: string | null): Promise<Found[]> {
  const words = wordsOf(text);
  const items = inItems(reads)
    .selectFrom("read.inventory_items")
    .select(["id", "item_name"])
    .where(sql<boolean>`not archived`);
  const owned = ownerUid === null ? items : items.where("owner_uid", "=", ownerUid);
  const exact = await owned
    .where((eb) => eb.or([eb("barcode1", "=", text), eb("barcode2", "=", text)]))
    .limit(MOST_ITEMS)
    .execute();
  // Trigrams: a shorter word would compare every item.
  const named =
    exact.length > 0 || !words.some((word) => word.length > 2)
      ? []
      : await owned
          .where((eb) =>
            eb.and(
              words.map((word) => sql<boolean>`search_text like ${containing(word.toLowerCase())}`),
            ),
          )
          .limit(MOST_ITEMS)
          .execute();
  const found = exact.length > 0 ? exact : named;
  return found.length === 0
    ? []
    : [
        {
          words:
            found.length === 1
              ? `Item ${found[0]?.item_name ?? ""}`
              : `${found.length}${found.length === MOST_ITEMS ? "+" : ""} items`,
          streams: found.map(({ id }) => itemStreamId(id)),
        },
      ];
}

/** A barcode that an item had once: its reservation knows, also after the item was deleted. */
async function byFormerBarcode(
  reads: Reads,
  code: string,
  owners: readonly (string | null)[],
): Promise<Found[]> {
  const streams = owners.map((owner) => barcodeStreamId(owner, code));
  const { rows } = await sql<{ readonly stream: string }>`
    select distinct other.stream_id as stream
    from log.event_streams s
    join log.event_streams other on other.position = s.position and log.is_item_stream(other.stream_id)
    where s.stream_id = any (${textArray(streams)}::text[]) limit ${MOST_ITEMS}`.execute(reads);
  return rows.length === 0
    ? []
    : [{ words: `Barcode ${code}`, streams: rows.map(({ stream }) => stream) }];
}

/** Parcels with this tracking number, typed with or without spaces. */
async function byTracking(reads: Reads, text: string, ownerUid: string | null): Promise<Found[]> {
  const plain = text.replaceAll(/[^A-Za-z0-9]/gu, "").toUpperCase();
  if (plain.length < 6) {
    return [];
  }
  const { rows } = await sql<{ readonly kind: "shipment" | "trade"; readonly id: string }>`
    select 'shipment' as kind, s.shipment_id::text as id
    from identity.shipment_texts t join ${nameOfTable(shipmentsTable)} s on s.text_id = t.id
    where upper(regexp_replace(t.tracking_number, '[^A-Za-z0-9]', '', 'g')) = ${plain}
      and not s.deleted and (${ownerUid}::text is null or s.consignor_uid = ${ownerUid})
    union all
    select 'trade', t.trade_id::text
    from identity.trade_labels l join ${nameOfTable(tradesTable)} t on t.label_id = l.id
    where upper(regexp_replace(l.tracking_number, '[^A-Za-z0-9]', '', 'g')) = ${plain}
      and (${ownerUid}::text is null or t.buyer_uid = ${ownerUid})
    limit 50`.execute(reads);
  return rows.length === 0
    ? []
    : [
        {
          words: `Tracking number ${text}`,
          streams: rows.map(({ kind, id }) => streamOfThing[kind](id)),
        },
      ];
}

/** People with this text in name, username or address, and the person with this uid or with its last eight characters. */
async function byPerson(reads: Reads, text: string): Promise<Found[]> {
  const lower = text.toLowerCase();
  const { rows } = await sql<{
    readonly uid: string;
    readonly display_name: string | null;
    readonly username: string | null;
    readonly email: string | null;
  }>`
    select p.uid, p.display_name, p.username, p.email from identity.profiles p
    where p.deactivated_at is null
      and (p.uid = ${text} or upper(right(p.uid, 8)) = ${text.toUpperCase()}
        or lower(coalesce(p.display_name, '') || ' ' || coalesce(p.username, '') || ' ' || coalesce(p.email, ''))
          like ${containing(lower)})
    order by (lower(p.display_name) = ${lower} or lower(p.username) = ${lower} or lower(p.email) = ${lower}) desc nulls last, p.uid
    limit ${MOST_PEOPLE}`.execute(reads);
  const known = await sql<{ readonly id: string }>`
    select id from log.streams where id = ${consignorStreamId(text)}`.execute(reads);
  // A deleted person has no name, but still a uid.
  const deleted = rows.length === 0 && known.rows.length > 0;
  return [
    ...rows.map((row) => ({
      words: `Person ${nameOf(row.uid, { ...row, displayName: row.display_name, role: "user", deactivatedAt: null })}`,
      uids: [row.uid],
    })),
    ...(deleted ? [{ words: "Deleted user", uids: [text] }] : []),
  ];
}

function byNumber(text: string, head: number): Found[] {
  const cents = amountIn(text);
  const position = /^[1-9]\d{0,14}$/u.test(text) ? Number(text) : null;
  return [
    ...(cents === null ? [] : [{ words: `Amount ${formatCents(cents)}`, cents: [cents] }]),
    ...(position === null || position > head
      ? []
      : [{ words: `Event ${position}`, positions: [position] }]),
  ];
}

/**
 * Everything the text may mean. For a consignor (`ownUid`) only what is theirs: no people, no receipts, and items,
 * parcels and former barcodes of their own.
 */
export async function understand(
  reads: Reads,
  text: string,
  ownUid: string | null,
  head: number,
): Promise<Understood> {
  const found = (
    await Promise.all([
      Promise.resolve(byNumber(text, head)),
      byId(reads, text, ownUid !== null),
      ownUid === null ? byReceipt(reads, text) : [],
      byItem(reads, text, ownUid),
      byTracking(reads, text, ownUid),
      ownUid === null && text.length > 1 ? byPerson(reads, text) : [],
    ])
  ).flat();
  const all =
    found.length > 0 ? found : await byFormerBarcode(reads, text, await ownersOf(reads, ownUid));
  const unique = <Value>(values: readonly Value[]) => [...new Set(values)];
  return {
    sought: {
      streams: unique(all.flatMap(({ streams = [] }) => streams)),
      uids: unique(all.flatMap(({ uids = [] }) => uids)),
      cents: unique(all.flatMap(({ cents = [] }) => cents)),
      positions: unique(all.flatMap(({ positions = [] }) => positions)),
    },
    words: unique(all.flatMap(({ words }) => words ?? [])),
  };
}

/** Whose barcodes may be meant: each owner has reservations of their own. */
async function ownersOf(reads: Reads, ownUid: string | null): Promise<readonly (string | null)[]> {
  if (ownUid !== null) {
    return [ownUid];
  }
  const rows = await reads.selectFrom("identity.profiles").select("uid").limit(20_000).execute();
  return [null, ...rows.map(({ uid }) => uid)];
}
