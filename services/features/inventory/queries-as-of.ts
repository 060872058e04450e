// Items as they were recorded at a position, and where an item's units came from.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { AsOf } from "#http/as-of.ts";
import { heldBack } from "#http/freshness.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { fieldsOf, type ReadEvent, type StoredFact } from "#ledger/log/read-event.ts";
import type {
  InventoryAsOfResponse,
  ItemAsOf,
  ItemOriginResponse,
} from "#features/inventory/contract-as-of.ts";
import type { ItemDetails } from "#features/inventory/events.ts";
import {
  ItemAdded,
  ItemArchived,
  ItemEdited,
  ItemPriced,
  ItemRestored,
  UnitsAllocated,
  UnitsReceived,
} from "#features/inventory/events.ts";
import { inventoryItemsTable, itemTimelineTable } from "#features/inventory/projection.ts";
import { SaleRecorded } from "#features/sales/events.ts";
import { shipmentsTable } from "#features/shipments/projection.ts";

const items = nameOfTable(inventoryItemsTable);
const timeline = nameOfTable(itemTimelineTable);

const listOf = (types: readonly { readonly type: string }[]): string =>
  types.map(({ type }) => type).join(",");

/** Each has the whole description of the item as it is after the event. */
const describing = listOf([ItemAdded, ItemEdited, ItemArchived, ItemRestored]);
/** The last of these has the tag price; none in it means no tag price. */
const pricing = listOf([ItemAdded, ItemPriced]);

type PastRow = StoredFact & {
  readonly id: string;
  readonly owner_uid: string | null;
  readonly added_at: Date;
  readonly added_position: number;
  readonly version: number;
  readonly quantity: number;
  readonly price_type: string;
  readonly price_version: number;
  readonly price_data: unknown;
};

/** An item whose lines are held back: it has its place in a list, but there is nothing to show. */
type UnknownRow = Pick<PastRow, "id" | "added_position"> & { readonly version: null };

const isKnownRow = (row: PastRow | UnknownRow): row is PastRow => row.version !== null;

/**
 * Items `i` with their last line up to a position, by binary search, and the last event until then that describes
 * them, and the last that priced them. The search begins at the last line that there is: the item's own row may be
 * ahead of its lines.
 */
function selectPast(
  which: RawBuilder<unknown>,
  position: number,
): RawBuilder<PastRow | UnknownRow> {
  const isKnown = sql`t.position <= ${position}::bigint`;
  return sql<PastRow | UnknownRow>`
    with page as materialized (
      select i.id, i.owner_uid, i.added_at, i.added_position,
        (select max(t.line) from ${timeline} t where t.item_id = i.id) as newest
      from ${items} i where i.added_position <= ${position}::bigint and ${which})
    select p.id, p.owner_uid, p.added_at, p.added_position, l.version, l.quantity, d.type, d.schema_version, d.data,
      c.type as price_type, c.schema_version as price_version, c.data as price_data
    from page p
    left join lateral (
      with recursive halving (low, high) as (
        select 1::bigint, p.newest
        union all
        select case when ${isKnown} then t.line else s.low end,
          case when ${isKnown} then s.high else t.line - 1 end
        from halving s
        join ${timeline} t on t.item_id = p.id and t.line = (s.low + s.high + 1) / 2
        where s.low < s.high)
      select s.low as version, t.units_after as quantity
      from halving s join ${timeline} t on t.item_id = p.id and t.line = s.low
      where s.low = s.high limit 1) l on true
    left join lateral (
      select e.type, e.schema_version, e.data
      from log.event_streams s join log.events e on e.position = s.position
      where s.stream_id = log.item_stream(p.id::text) and s.version <= l.version
        and e.type = any (string_to_array(${describing}, ','))
      order by s.version desc limit 1) d on true
    left join lateral (
      select e.type, e.schema_version, e.data
      from log.event_streams s join log.events e on e.position = s.position
      where s.stream_id = log.item_stream(p.id::text) and s.version <= l.version
        and e.type = any (string_to_array(${pricing}, ','))
      order by s.version desc limit 1) c on true
    order by p.added_position desc`;
}

/** The tag price after an event that adds or prices an item. */
function priceIn({ afterCents, tagPriceCents }: Record<string, unknown>): number | null {
  const cents = afterCents ?? tagPriceCents;
  return typeof cents === "number" ? cents : null;
}

/** Throws HttpError 503 where the item's description cannot be read. */
function pastItem(readEvent: ReadEvent, row: PastRow): ItemAsOf {
  const fact = readEvent(row);
  const { price_type: type, price_version, price_data: data } = row;
  const price = readEvent({ type, schema_version: price_version, data });
  if (fact.kind === "unreadable" || price.kind === "unreadable") {
    throw heldBack("What this item was like then is on record, but it cannot be shown right now.");
  }
  // Every event of these types has it.
  const details = fieldsOf(fact)["after"] as ItemDetails;
  return {
    id: row.id,
    consignorID: row.owner_uid,
    ...details,
    tagPriceCents: priceIn(fieldsOf(price)),
    quantity: row.quantity,
    archived: row.type === ItemArchived.type,
    version: row.version,
    addedAt: row.added_at.toISOString(),
  };
}

function placeOf({ position, at }: AsOf) {
  return { position, at: at?.toISOString() ?? null };
}

/** A person's items at a position, newest first, without those that were deleted by then. */
export async function readInventoryAsOf(
  reads: Reads,
  readEvent: ReadEvent,
  uid: string,
  asOf: AsOf,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<InventoryAsOfResponse> {
  const before = cursor === undefined ? sql`true` : sql`i.added_position < ${cursor}::bigint`;
  // Two lists with an index each: items that are there now, and items that were deleted.
  const part = (archived: RawBuilder<unknown>) => sql`
    (select i.id, i.added_position from ${items} i
    where i.owner_uid = ${uid} and ${archived} and i.added_position <= ${asOf.position}::bigint and ${before}
    order by i.added_position desc limit ${limit + 1})`;
  const { rows } = await selectPast(
    sql`i.id in (
      select a.id from (${part(sql`not i.archived`)} union all ${part(sql`i.archived`)}) a
      order by a.added_position desc limit ${limit + 1})`,
    asOf.position,
  ).execute(reads);
  const shown = rows.slice(0, limit);
  return {
    consignorID: uid,
    ...placeOf(asOf),
    items: shown
      .filter(isKnownRow)
      .map((row) => pastItem(readEvent, row))
      .filter(({ archived }) => !archived),
    nextCursor: rows.length > limit ? String(shown.at(-1)?.added_position ?? "") : null,
  };
}

/** One item at a position; undefined if it was not there yet. */
export async function readItemAsOf(
  reads: Reads,
  readEvent: ReadEvent,
  id: string,
  asOf: AsOf,
): Promise<
  { readonly position: number; readonly at: string | null; readonly item: ItemAsOf } | undefined
> {
  const { rows } = await selectPast(sql`i.id = ${id}::uuid`, asOf.position).execute(reads);
  const [row] = rows;
  return row === undefined || !isKnownRow(row)
    ? undefined
    : { ...placeOf(asOf), item: pastItem(readEvent, row) };
}

const arriving = [ItemAdded, UnitsReceived, UnitsAllocated];
const told = listOf([...arriving, SaleRecorded]);

type OriginRow = StoredFact & {
  readonly line: number;
  readonly position: number;
  readonly units_delta: number;
  readonly happened_at: Date;
  readonly recorded_at: Date;
};

async function readOriginLines(
  reads: Reads,
  itemId: string,
  after: number,
  limit: number,
): Promise<readonly OriginRow[]> {
  const { rows } = await sql<OriginRow>`
    select t.line, t.position, t.units_delta, e.type, e.schema_version, e.data, e.happened_at, e.recorded_at
    from ${timeline} t join log.events e on e.position = t.position
    where t.item_id = ${itemId}::uuid and t.line > ${after}::bigint
      and e.type = any (string_to_array(${told}, ','))
    order by t.line limit ${limit}`.execute(reads);
  return rows;
}

type ShipmentRow = {
  readonly id: string;
  readonly uid: string | null;
  readonly submitted_at: Date;
  readonly delivered_at: Date | null;
  readonly processed_at: Date | null;
};

async function readShipments(
  reads: Reads,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShipmentRow>> {
  const { rows } = await sql<ShipmentRow>`
    select s.shipment_id as id, s.consignor_uid as uid, s.submitted_at, s.delivered_at, s.processed_at
    from ${nameOfTable(shipmentsTable)} s
    where s.shipment_id = any (${`{${ids.join(",")}}`}::text::uuid[])`.execute(reads);
  return new Map(rows.map((row) => [row.id, row]));
}

type Intake = ItemOriginResponse["intakes"][number];

function shipmentOf(row: ShipmentRow | undefined, viewer: OriginViewer): Intake["shipment"] {
  return row === undefined || (!viewer.isAdmin && row.uid !== viewer.uid)
    ? null
    : {
        shipmentID: row.id,
        consignorID: row.uid,
        submittedAt: row.submitted_at.toISOString(),
        deliveredAt: row.delivered_at?.toISOString() ?? null,
        processedAt: row.processed_at?.toISOString() ?? null,
      };
}

export type OriginViewer = { readonly uid: string; readonly isAdmin: boolean };

/** How units came into an item, and which sales took them: a page of its history. */
export async function readItemOrigin(
  reads: Reads,
  readEvent: ReadEvent,
  item: { readonly id: string; readonly itemName: string; readonly consignorID: string | null },
  viewer: OriginViewer,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<ItemOriginResponse> {
  const rows = await readOriginLines(reads, item.id, Number(cursor ?? 0), limit + 1);
  const shown = rows.slice(0, limit).map((row) => ({ row, fields: fieldsOf(readEvent(row)) }));
  const textOf = (value: unknown) => (typeof value === "string" ? value : null);
  const ids = shown.flatMap(({ fields }) => textOf(fields["shipmentId"]) ?? []);
  const shipments = await readShipments(reads, [...new Set(ids)]);
  const isSale = ({ type }: OriginRow) => type === SaleRecorded.type;
  // An allocation is a line of the store's item too, which loses the units.
  const intakes = shown.filter(({ row }) => !isSale(row) && row.units_delta >= 0);
  return {
    itemID: item.id,
    itemName: item.itemName,
    consignorID: item.consignorID,
    intakes: intakes.map(({ row, fields }) => ({
      line: row.line,
      position: row.position,
      type: row.type,
      units: row.units_delta,
      source: (textOf(fields["source"]) as Intake["source"]) ?? null,
      fromItemID: viewer.isAdmin
        ? (textOf(fields["fromItemId"]) ?? textOf(fields["masterItemId"]))
        : null,
      shipment: shipmentOf(shipments.get(textOf(fields["shipmentId"]) ?? ""), viewer),
      happenedAt: row.happened_at.toISOString(),
      recordedAt: row.recorded_at.toISOString(),
    })),
    sales: shown
      .filter(({ row }) => isSale(row))
      .map(({ row, fields }) => ({
        line: row.line,
        position: row.position,
        saleID: textOf(fields["saleId"]) ?? "",
        units: -row.units_delta,
        happenedAt: row.happened_at.toISOString(),
      })),
    nextCursor: rows.length > limit ? String(shown.at(-1)?.row.line ?? "") : null,
  };
}
