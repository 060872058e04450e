// What the inventory's reads answer: items with their owners' names, and an item's history joined with the log.
import type { Sql } from "#db/connect.ts";
import type { Cell } from "#http/csv.ts";
import type { Profiles } from "#identity/profiles.ts";
import type {
  InventoryItem,
  SearchResponse,
  TimelineLine,
  TimelineResponse,
} from "#features/inventory/contract.ts";
import type { EventExplanations } from "#features/histories.ts";
import { titleOnly } from "#features/histories.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";
import { toDollars } from "#ledger/money.ts";
import {
  exportItems,
  itemColumns,
  type ItemRow,
  searchItems,
  type SearchWish,
} from "#features/inventory/search.ts";

/** One page of the items that match, and whether there are more. */
export async function findItems(
  sql: Sql,
  profiles: Profiles,
  wish: SearchWish,
  paging: { readonly page: number; readonly limit: number },
): Promise<SearchResponse> {
  const { page, limit } = paging;
  const rows = await searchItems(sql, wish, (page - 1) * limit, limit + 1);
  return {
    items: await withOwners(profiles, rows.slice(0, limit)),
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
  "Link",
  "Image",
  "ASIN",
  "Added",
] as const;

const exportBatch = 1000;

/** All items that match, newest first, as lines below `itemCsvHead`. */
export async function* exportInventory(
  sql: Sql,
  profiles: Profiles,
  wish: SearchWish,
): AsyncGenerator<Cell[][]> {
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined;) {
    const rows = await exportItems(sql, wish, before, exportBatch);
    before = rows.length === exportBatch ? rows.at(-1)?.added_position : undefined;
    yield (await withOwners(profiles, rows)).map(csvOf);
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
    item.link,
    item.imageUrl,
    item.asin,
    item.addedAt,
  ];
}

/** An item, also an archived one; undefined when there is none. */
export async function findItemById(
  sql: Sql,
  profiles: Profiles,
  id: string,
): Promise<InventoryItem | undefined> {
  const rows = await sql.unsafe<ItemRow[]>(
    `select ${itemColumns} from read.inventory_items where id = $1`,
    [id],
    { prepare: true },
  );
  const [item] = await withOwners(profiles, rows);
  return item;
}

async function withOwners(profiles: Profiles, rows: readonly ItemRow[]): Promise<InventoryItem[]> {
  const owners = rows.flatMap(({ owner_uid: uid }) => (uid === null ? [] : [uid]));
  const names = await profiles.displayNames(new Set(owners));
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
    link: row.link,
    imageUrl: row.image_url,
    asin: row.asin,
    version: row.version,
    archived: row.archived,
    addedAt: row.added_at.toISOString(),
  }));
}

/** Who people are, and how events read. */
type TimelineDeps = { readonly profiles: Profiles; readonly explanations: EventExplanations };

type LineRow = {
  readonly line: number;
  readonly position: number;
  readonly type: string;
  readonly schema_version: number;
  readonly happened_at: Date;
  readonly recorded_at: Date;
  readonly units_delta: number;
  readonly units_after: number;
  readonly actor: string;
  readonly data: Record<string, unknown>;
};

/** Lines count from 1 without gaps, so a page is a range of numbers and costs the same however deep it is. */
const timelinePage = `
  with newest as (
    select line from read.item_timeline where item_id = $1 order by line desc limit 1)
  select t.line, t.position, e.type, e.happened_at, e.recorded_at, t.units_delta, t.units_after, e.actor,
    e.schema_version, e.data
  from newest n
  join read.item_timeline t on t.item_id = $1 and t.line <= n.line - $2::bigint
    and t.line > n.line - $2::bigint - $3::bigint
  join log.events e on e.position = t.position
  order by t.line desc`;

/** A page of an item's history, newest first. Who is no admin sees what happened, and neither why nor who did it. */
export async function readTimeline(
  sql: Sql,
  { profiles, explanations }: TimelineDeps,
  itemId: string,
  paging: { readonly page: number; readonly limit: number; readonly isAdmin: boolean },
): Promise<TimelineResponse> {
  const { page, limit, isAdmin } = paging;
  const rows = await sql.unsafe<LineRow[]>(timelinePage, [itemId, (page - 1) * limit, limit], {
    prepare: true,
  });
  const people = rows.map(({ actor }) => actor).filter((actor) => !actor.startsWith("system:"));
  const names = isAdmin ? await profiles.displayNames(new Set(people)) : new Map<string, string>();
  const lines = rows.map((row): TimelineLine => ({
    line: row.line,
    position: row.position,
    type: row.type,
    happenedAt: row.happened_at.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
    unitsDelta: row.units_delta,
    unitsAfter: row.units_after,
    ...wordsOf(explanations, row, isAdmin),
    actor: isAdmin ? row.actor : null,
    actorDisplayName: names.get(row.actor) ?? null,
    data: isAdmin ? row.data : null,
  }));
  return { lines, hasMore: (lines.at(-1)?.line ?? 1) > 1 };
}

type LineWords = Pick<
  TimelineLine,
  "kind" | "title" | "notes" | "consignorID" | "price" | "saleID"
>;

/** What a line says. An event that this program cannot explain is named as it is, never hidden. */
function wordsOf(explanations: EventExplanations, row: LineRow, isAdmin: boolean): LineWords {
  const { type, schema_version: schemaVersion, data, units_delta: unitsDelta } = row;
  const read = readIn(explanations, "item", { type, schemaVersion, data }, { unitsDelta });
  const words = read?.words ?? { ...titleOnly, title: spelledOut(type) };
  const { notes, consignorUid, priceCents, saleId } = isAdmin ? words : titleOnly;
  return {
    kind: read?.kind ?? (unitsDelta > 0 ? "in" : unitsDelta < 0 ? "out" : "edited"),
    title: words.title,
    notes: [...notes],
    consignorID: consignorUid,
    price: priceCents === null ? null : toDollars(priceCents),
    saleID: saleId,
  };
}
