// Finds items among a million: turns a query into SQL, and chooses between two ways to search the table.
import type { Expression, RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { ItemSort } from "#features/inventory/contract.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import type {
  Conditions,
  ItemQuery,
  ItemRow,
  Part,
} from "#features/inventory/search-conditions.ts";
import {
  all,
  conditionsOf,
  itemColumns,
  notArchived,
} from "#features/inventory/search-conditions.ts";
import { searchSorted } from "#features/inventory/search-sorted.ts";

const inInventory = withTables(inventoryItemsTable);

/**
 * How many of the newest items are scanned before the other indexes are used. Most queries fill a page sooner; if
 * one does not, its matches are rare enough to fetch all of them from an index.
 */
const newestFirst = 10_000;

/** At least one of this many newest items contains any common term; if none does, the index is used at once. */
const firstLook = 1000;

/** This many items at a location can be fetched and sorted. */
const fewAtPlace = 3000;

/** A term of at least this length that is a barcode was probably scanned, and few other items contain it. */
const scannedLength = 8;

const countCap = 10_000;

type Order = "asc" | "desc";

/**
 * Rows of the list from `offset` on, at most `limit`. Without a sort, items whose barcode is the term come first,
 * then the newest. Archived items are left out.
 */
export async function searchItems(
  searches: Reads,
  query: ItemQuery,
  sorting: { readonly sort: ItemSort | undefined; readonly order: Order },
  { offset, limit }: Part,
): Promise<readonly ItemRow[]> {
  const conditions = conditionsOf(query);
  const { sort, order } = sorting;
  if (sort !== undefined && sort !== "added") {
    return searchSorted(searches, conditions, { sort, order }, { offset, limit });
  }
  if (sort !== undefined || query.searchTerm === "") {
    const usual = conditions.isUnsold ? "asc" : "desc";
    return searchRest(searches, conditions, sort === undefined ? usual : order, { offset, limit });
  }
  const { ordered, place, term, isUnsold } = conditions;
  const isExact = sql<SqlBool>`${query.searchTerm}::text in (barcode1, barcode2)`;
  const exact = await inInventory(searches)
    .selectFrom("read.inventory_items")
    .select(itemColumns)
    .where(all(...ordered, ...place, ...term, isExact))
    .orderBy("added_position", "desc")
    .limit(sql.lit(offset + limit))
    .execute();
  const first = exact.slice(offset);
  if (first.length === limit) {
    return first;
  }
  const rest = { ...conditions, term: [...term, sql<SqlBool>`not ${isExact}`] };
  const part = { offset: Math.max(0, offset - exact.length), limit: limit - first.length };
  const isScanned = exact.length > 0 && query.searchTerm.length >= scannedLength;
  const search = isScanned ? searchAll : searchRest;
  return [...first, ...(await search(searches, rest, isUnsold ? "asc" : "desc", part))];
}

/** The matching items, newest first, by the shorter way. */
async function searchRest(
  searches: Reads,
  conditions: Conditions,
  order: Order,
  part: Part,
): Promise<readonly ItemRow[]> {
  const { ordered, place, term } = conditions;
  if (place.length === 0 && term.length === 0) {
    return searchFirst(searches, conditions, order, part, null);
  }
  if (place.length > 0) {
    const atPlace = [notArchived, ...place];
    if (part.offset > 0 && !(await hasMore(searches, atPlace, part.offset))) {
      return [];
    }
    if (part.offset > fewAtPlace || !(await hasMore(searches, atPlace, fewAtPlace))) {
      return searchAll(searches, conditions, order, part);
    }
  }
  const isNarrow = ordered.length > 1;
  const far = Math.max(newestFirst, 4 * (part.offset + part.limit));
  const looks = [far, 4 * far];
  if (conditions.hasIndexedTerm && part.offset === 0) {
    looks.unshift(firstLook);
  }
  for (const count of looks) {
    const found = await searchFirst(searches, conditions, order, part, count);
    if (found.length === part.limit || (isNarrow && !(await hasMore(searches, ordered, count)))) {
      return found;
    }
    // A nearly full page will be full after a longer scan; an index would return too many items.
    const isRare = count === firstLook ? found.length === 0 : found.length * 4 < part.limit;
    if (isRare) {
      break;
    }
  }
  return searchAll(searches, conditions, order, part);
}

/** Whether more than this many items meet conditions that an index alone can check. */
async function hasMore(
  searches: Reads,
  indexed: readonly Expression<SqlBool>[],
  count: number,
): Promise<boolean> {
  const rows = await inInventory(searches)
    .selectFrom("read.inventory_items")
    .select(sql.lit(1).as("one"))
    .where(all(...indexed))
    .offset(sql.lit(count))
    .limit(sql.lit(1))
    .execute();
  return rows.length > 0;
}

/** The order of intake. What lies unsold is in the order of its dates, which has an index. */
function inOrder(rows: string, isUnsold: boolean, order: Order): RawBuilder<unknown> {
  const direction = sql.raw(order);
  const added = sql`${sql.ref(`${rows}.added_position`)} ${direction}`;
  return isUnsold ? sql`${sql.ref(`${rows}.added_at`)} ${direction}, ${added}` : added;
}

/** Scans at most `count` items in the list's order, and no further than a page needs. */
function searchFirst(
  searches: Reads,
  { ordered, place, term, isUnsold }: Conditions,
  order: Order,
  { offset, limit }: Part,
  count: number | null,
): Promise<readonly ItemRow[]> {
  const items = inInventory(searches);
  const walk = items
    .selectFrom("read.inventory_items")
    .where(all(...ordered))
    .orderBy(inOrder("inventory_items", isUnsold, order));
  if (count === null) {
    return walk.select(itemColumns).offset(sql.lit(offset)).limit(sql.lit(limit)).execute();
  }
  return items
    .selectFrom(walk.selectAll().limit(sql.lit(count)).as("first"))
    .select(itemColumns)
    .where(all(...place, ...term))
    .orderBy(inOrder("first", isUnsold, order))
    .offset(sql.lit(offset))
    .limit(sql.lit(limit))
    .execute();
}

/** Finds all matching items with the indexes, and sorts them. */
function searchAll(
  searches: Reads,
  { ordered, place, term, isUnsold }: Conditions,
  order: Order,
  { offset, limit }: Part,
): Promise<readonly ItemRow[]> {
  // Materialized, so that the page's order does not lead the planner to scan the whole table.
  return inInventory(searches)
    .with(
      (cte) => cte("matching").materialized(),
      (items) =>
        items
          .selectFrom("read.inventory_items")
          // Without the time, all that an index by location lacks is what the page shows.
          .select(["id", "added_position"])
          .$if(isUnsold, (matching) => matching.select("added_at"))
          .where(all(...ordered, ...place, ...term)),
    )
    .with("page", (items) =>
      items
        .selectFrom("matching")
        .select("matching.id")
        .orderBy(inOrder("matching", isUnsold, order))
        .offset(sql.lit(offset))
        .limit(sql.lit(limit)),
    )
    .selectFrom("page")
    .innerJoin("read.inventory_items as i", "i.id", "page.id")
    .select(itemColumns.map((name) => `i.${name}` as const))
    .orderBy(inOrder("i", isUnsold, order))
    .execute();
}

/** How many items match, up to a limit; `capped` if there are more. */
export async function countItems(
  searches: Reads,
  query: ItemQuery,
): Promise<{ readonly count: number; readonly capped: boolean }> {
  const { ordered, place, term } = conditionsOf(query);
  const items = inInventory(searches);
  const matching = items
    .selectFrom("read.inventory_items")
    .select(sql.lit(1).as("one"))
    .where(all(...ordered, ...place, ...term))
    .limit(sql.lit(countCap + 1));
  const counted = await items
    .selectFrom(matching.as("matching"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  const count = counted?.count ?? 0;
  return { count: Math.min(count, countCap), capped: count > countCap };
}

/** An item for a file, with its position in the order. */
type ExportedRow = ItemRow & { readonly added_position: number };

/** The next matching items, newest first, added before a position; at most `limit`. */
export function exportItems(
  searches: Reads,
  query: ItemQuery,
  before: number,
  limit: number,
): Promise<readonly ExportedRow[]> {
  const { ordered, place, term } = conditionsOf(query);
  return inInventory(searches)
    .selectFrom("read.inventory_items")
    .select(itemColumns)
    .select("added_position")
    .where(all(...ordered, ...place, ...term))
    .where("added_position", "<", before)
    .orderBy("added_position", "desc")
    .limit(sql.lit(limit))
    .execute();
}
