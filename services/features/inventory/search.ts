// Finds items among a million: how a query becomes SQL, and which of two ways through the table is taken.
import type { Expression, SqlBool } from "kysely";
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
 * How many of the newest items are looked through before an index is asked. Most queries fill a page sooner;
 * those that do not are rare enough for the index to hand over all of them at once.
 */
const newestFirst = 10_000;

/** Of so many newest items at least one has any term that is not rare; where none has, the index is asked at once. */
const firstLook = 1000;

/** Items at a place that are few enough to be fetched and sorted. */
const fewAtPlace = 3000;

/** From this length on, a term that is somebody's barcode is taken for a scanned one, which few others contain. */
const scannedLength = 8;

const countCap = 10_000;

type Order = "asc" | "desc";

/**
 * Rows of the list from `offset` on, at most `limit`. Unless they are sorted, items whose barcode is the term come
 * first, then the newest. Archived items are left out.
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
    return searchRest(searches, conditions, sort === undefined ? "desc" : order, { offset, limit });
  }
  const { ordered, place, term } = conditions;
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
  return [...first, ...(await search(searches, rest, "desc", part))];
}

/** The matching items in the order of their adding, by whichever way is short. */
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
    // A page that was nearly full is full after a longer walk; an index would have too much to hand over.
    const isRare = count === firstLook ? found.length === 0 : found.length * 4 < part.limit;
    if (isRare) {
      break;
    }
  }
  return searchAll(searches, conditions, order, part);
}

/** Whether more than so many items meet conditions that an index answers alone. */
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

/** Walks the items in the order of the list, `count` of them at most, and no further than a page needs. */
function searchFirst(
  searches: Reads,
  { ordered, place, term }: Conditions,
  order: Order,
  { offset, limit }: Part,
  count: number | null,
): Promise<readonly ItemRow[]> {
  const items = inInventory(searches);
  const walk = items
    .selectFrom("read.inventory_items")
    .where(all(...ordered))
    .orderBy("added_position", order);
  if (count === null) {
    return walk.select(itemColumns).offset(sql.lit(offset)).limit(sql.lit(limit)).execute();
  }
  return items
    .selectFrom(walk.selectAll().limit(sql.lit(count)).as("first"))
    .select(itemColumns)
    .where(all(...place, ...term))
    .orderBy("added_position", order)
    .offset(sql.lit(offset))
    .limit(sql.lit(limit))
    .execute();
}

/** Lets the indexes find all that matches, and sorts it. */
function searchAll(
  searches: Reads,
  { ordered, place, term }: Conditions,
  order: Order,
  { offset, limit }: Part,
): Promise<readonly ItemRow[]> {
  // Materialized, so that the order of the page does not tempt the planner to walk the whole table.
  return inInventory(searches)
    .with(
      (cte) => cte("matching").materialized(),
      (items) =>
        items
          .selectFrom("read.inventory_items")
          .select(["id", "added_position"])
          .where(all(...ordered, ...place, ...term)),
    )
    .with("page", (items) =>
      items
        .selectFrom("matching")
        .select("matching.id")
        .orderBy("added_position", order)
        .offset(sql.lit(offset))
        .limit(sql.lit(limit)),
    )
    .selectFrom("page")
    .innerJoin("read.inventory_items as i", "i.id", "page.id")
    .select(itemColumns.map((name) => `i.${name}` as const))
    .orderBy("i.added_position", order)
    .execute();
}

/** How many items match, up to a limit; `capped` says that there are more. */
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

/** An item on its way into a file, with its place in the order. */
type ExportedRow = ItemRow & { readonly added_position: number };

/** The next items that match, newest first, added before a position; at most `limit`. */
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
