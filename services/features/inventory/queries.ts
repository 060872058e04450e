// The inventory's reads: items with their owners' names, and an item's history joined with the log.
import { sql } from "kysely";
import type { Cell } from "#http/csv.ts";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { nameOfTable, withTables } from "#http/reads.ts";
import { statement } from "#http/statement.ts";
import type { ValueOf } from "#http/statement.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { ReadEvent, ReadFact } from "#ledger/log/read-event.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import type {
  InventoryItem,
  SearchResponse,
  TimelineLine,
  TimelineResponse,
} from "#features/inventory/contract.ts";
import type { SearchQuery } from "#features/inventory/contract-queries.ts";
import type { EventExplanations } from "#features/histories.ts";
import { titleOnly } from "#features/histories.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";
import { toDollars } from "#ledger/money.ts";
import { inventoryItemsTable, itemTimelineTable } from "#features/inventory/projection.ts";
import { exportItems, searchItems } from "#features/inventory/search.ts";
import type { ItemQuery, ItemRow } from "#features/inventory/search-conditions.ts";
import { tradeOffersTable, tradesTable } from "#features/trades/projection.ts";
import { itemColumns } from "#features/inventory/search-conditions.ts";

const inInventory = withTables(inventoryItemsTable, itemTimelineTable);

type ListDeps = ReadDeps & { readonly profiles: Profiles };

/** One page of the matching items, and whether there are more. */
export async function findItems(
  { reads, searches, profiles }: ListDeps,
  query: ItemQuery,
  { page, limit, ...sorting }: Pick<SearchQuery, "page" | "limit" | "sort" | "order">,
): Promise<SearchResponse> {
  const part = { offset: (page - 1) * limit, limit: limit + 1 };
  const rows = await searchItems(
    searches,
    query,
    { sort: sorting.sort, order: sorting.order },
    part,
  );
  return {
    items: await itemsOf(reads, profiles, rows.slice(0, limit)),
    hasMore: rows.length > limit,
  };
}

export const itemCsvHead = [
  "ID",
  "Source",
  "Consignor",
  "Consignor ID",
  "Item name",
  "Listing title",
  "Barcode 1",
  "Barcode 2",
  "Location",
  "Quantity",
  "In trades",
  "Link",
  "Image",
  "ASIN",
  "Tag price",
  "Added",
] as const;

/** Other requests wait while one batch is made, so it takes a few milliseconds. */
const exportBatch = 200;

/** All matching items, newest first, as lines below `itemCsvHead`. */
export async function* exportInventory(
  { reads, searches, profiles }: ListDeps,
  query: ItemQuery,
): AsyncGenerator<Cell[][]> {
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined;) {
    const rows = await exportItems(searches, query, before, exportBatch);
    before = rows.length === exportBatch ? rows.at(-1)?.added_position : undefined;
    yield (await itemsOf(reads, profiles, rows)).map(csvOf);
  }
}

function csvOf(item: InventoryItem): Cell[] {
  return [
    item.id,
    item.source === "MasterInventory" ? "Master" : "Consignor",
    item.consignorDisplayName,
    item.consignorID,
    item.itemName,
    item.listingTitle,
    item.barcode1,
    item.barcode2,
    item.location,
    item.quantity,
    item.unitsInTrades,
    item.link,
    item.imageUrl,
    item.asin,
    item.tagPriceCents === null ? null : toDollars(item.tagPriceCents),
    item.addedAt,
  ];
}

/** An item, even an archived one; undefined if there is none. */
export async function findItemById(
  reads: Reads,
  profiles: Profiles,
  id: string,
): Promise<InventoryItem | undefined> {
  const rows = await inInventory(reads)
    .selectFrom("read.inventory_items")
    .select(itemColumns)
    .where("id", "=", id)
    .execute();
  const [item] = await itemsOf(reads, profiles, rows);
  return item;
}

// Few trades hold units at a time; those that do hold their price too.
const heldUnits = statement(
  (_reads, value: ValueOf<{ readonly ids: string }>) =>
    sql<{ readonly id: string; readonly units: number }>`
    select r.row ->> 'itemId' as id, sum((r.row ->> 'units')::bigint)::bigint as units
    from ${nameOfTable(tradesTable)} t
    join ${nameOfTable(tradeOffersTable)} o on o.trade_id = t.trade_id and o.accepted_units > 0
    cross join lateral jsonb_array_elements(o.accepted_rows) r(row)
    where t.held_cents > 0 and r.row ->> 'itemId' = any (${value("ids")}::text[])
    group by 1`,
);

/** Units of these items that trades hold. */
async function heldInTrades(
  reads: Reads,
  rows: readonly ItemRow[],
): Promise<ReadonlyMap<string, number>> {
  const ids = rows.flatMap(({ id, owner_uid: uid }) => (uid === null ? [] : [id]));
  if (ids.length === 0) {
    return new Map();
  }
  const found = await heldUnits(reads, { ids: `{${ids.join(",")}}` });
  return new Map(found.map(({ id, units }) => [id, units]));
}

/** The rows with their owners' names and what trades hold of them. */
async function itemsOf(
  reads: Reads,
  profiles: Profiles,
  rows: readonly ItemRow[],
): Promise<InventoryItem[]> {
  const owners = rows.flatMap(({ owner_uid: uid }) => (uid === null ? [] : [uid]));
  const [names, held] = await Promise.all([
    profiles.displayNames(new Set(owners)),
    heldInTrades(reads, rows),
  ]);
  return rows.map((row) => ({
    id: row.id,
    source: row.owner_uid === null ? "MasterInventory" : "ConsignorInventory",
    consignorID: row.owner_uid,
    consignorDisplayName: row.owner_uid === null ? null : (names.get(row.owner_uid) ?? null),
    itemName: row.item_name,
    listingTitle: row.listing_title,
    barcode1: row.barcode1,
    barcode2: row.barcode2,
    location: row.location,
    quantity: row.quantity,
    unitsInTrades: held.get(row.id) ?? 0,
    link: row.link,
    imageUrl: row.image_url,
    asin: row.asin,
    tagPriceCents: row.tag_price_cents,
    version: row.version,
    archived: row.archived,
    addedAt: row.added_at.toISOString(),
    unsoldSince: row.unsold_since.toISOString(),
  }));
}

/** People's names, the given reasons, and explanations of events. */
type TimelineDeps = {
  readonly profiles: Profiles;
  readonly notes: Notes;
  readonly readEvent: ReadEvent;
  readonly explanations: EventExplanations;
};

/** Lines are numbered from 1 without gaps, so a page is a range of numbers and costs the same however far it is. */
function selectTimeline(reads: Reads, itemId: string, skipped: number, limit: number) {
  return inInventory(reads)
    .with("newest", (items) =>
      items
        .selectFrom("read.item_timeline")
        .select("line")
        .where("item_id", "=", itemId)
        .orderBy("line", "desc")
        .limit(1),
    )
    .selectFrom("newest as n")
    .innerJoin("read.item_timeline as t", (join) =>
      join
        .on("t.item_id", "=", itemId)
        .on("t.line", "<=", sql<number>`n.line - ${skipped}::bigint`)
        .on("t.line", ">", sql<number>`n.line - ${skipped}::bigint - ${limit}::bigint`),
    )
    .innerJoin("log.events as e", "e.position", "t.position")
    .select(["t.line", "t.position", "t.units_delta", "t.units_after"])
    .select(["e.type", "e.schema_version", "e.happened_at", "e.recorded_at", "e.actor", "e.data"])
    .orderBy("t.line", "desc");
}

type LineRow = Awaited<ReturnType<ReturnType<typeof selectTimeline>["execute"]>>[number];

/** A page of an item's history, newest first. Without admin rights it shows what happened, but not why or who did it. */
export async function readTimeline(
  reads: Reads,
  { profiles, notes, readEvent, explanations }: TimelineDeps,
  itemId: string,
  paging: { readonly page: number; readonly limit: number; readonly isAdmin: boolean },
): Promise<TimelineResponse> {
  const { page, limit, isAdmin } = paging;
  const rows = await selectTimeline(reads, itemId, (page - 1) * limit, limit).execute();
  const people = rows.map(({ actor }) => actor).filter((actor) => !actor.startsWith("system:"));
  const names = isAdmin ? await profiles.displayNames(new Set(people)) : new Map<string, string>();
  const said = rows.map((row) => ({ row, words: wordsOf(explanations, row, isAdmin) }));
  const reasons = await notes.findMany(said.flatMap(({ words }) => words.noteId ?? []));
  const lines = said.map(({ row, words: { noteId, ...words } }): TimelineLine => ({
    line: row.line,
    position: row.position,
    type: row.type,
    happenedAt: row.happened_at.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
    unitsDelta: row.units_delta,
    unitsAfter: row.units_after,
    ...words,
    reason: noteId === null ? null : (reasons.get(noteId) ?? null),
    actor: isAdmin ? row.actor : null,
    actorDisplayName: names.get(row.actor) ?? null,
    data: isAdmin ? dataOf(readEvent(row)) : null,
  }));
  return { lines, hasMore: (lines.at(-1)?.line ?? 1) > 1 };
}

type LineWords = Pick<
  TimelineLine,
  "kind" | "title" | "notes" | "consignorID" | "price" | "saleID"
> & { readonly noteId: string | null };

/** A line's text. An event that this program cannot explain is shown by its type, never hidden. */
function wordsOf(explanations: EventExplanations, row: LineRow, isAdmin: boolean): LineWords {
  const { type, schema_version: schemaVersion, data, units_delta: unitsDelta } = row;
  const read = readIn(explanations, "item", { type, schemaVersion, data }, { unitsDelta });
  const words = read?.words ?? { ...titleOnly, title: spelledOut(type) };
  const { notes, consignorUid, priceCents, saleId, noteId } = isAdmin ? words : titleOnly;
  return {
    kind: read?.kind ?? (unitsDelta > 0 ? "in" : unitsDelta < 0 ? "out" : "edited"),
    title: words.title,
    notes: [...notes],
    consignorID: consignorUid,
    price: priceCents === null ? null : toDollars(priceCents),
    saleID: saleId,
    noteId,
  };
}

/** Null for an event that cannot be read: the line only shows its type. */
function dataOf(event: ReadFact): TimelineLine["data"] {
  return event.kind === "read" ? { ...fieldsOf(event) } : null;
}
