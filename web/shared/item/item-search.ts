// Reads the items that match a filter, page by page, for the inventory and for a consignor's drawer.
import { useMemo } from "react";
import {
  searchResponse,
  type InventoryItem,
  type ItemSort,
  type SearchResponse,
} from "#features/inventory/contract.ts";
import {
  defaultSearchLimit,
  maxSearchLimit,
  type SearchCountQuery,
} from "#features/inventory/contract-queries.ts";
import { pathOf } from "#web/lib/http.ts";
import { sortParams, type ListSort } from "#web/lib/list-sort.ts";
import { usePagedRead, type PagedRead } from "#web/lib/read.ts";

/** The list's filters; an absent one is undefined. */
export type InventoryFilters = SearchCountQuery;

const itemsOf = (page: SearchResponse): readonly InventoryItem[] => page.items;
const hasMoreItems = (page: SearchResponse): boolean => page.hasMore;

/** The pages after the first are larger and start at the top again, so they repeat the first page's rows. */
const moreLimit = maxSearchLimit;

function searchPath(
  filters: InventoryFilters,
  sort: ListSort<ItemSort> | undefined,
  page: number,
): string {
  const part =
    page === 1 ? { limit: defaultSearchLimit, page } : { limit: moreLimit, page: page - 1 };
  return pathOf("/inventory/search", { ...filters, ...sortParams(sort), ...part });
}

export function useItemSearch(
  filters: InventoryFilters,
  sort?: ListSort<ItemSort>,
): PagedRead<InventoryItem> {
  const read = usePagedRead({
    pathOf: (page) => searchPath(filters, sort, page),
    schema: searchResponse,
    rowsOf: itemsOf,
    hasMoreAfter: hasMoreItems,
  });
  const rows = useMemo(
    () => (read.rows === undefined ? undefined : eachOnce(read.rows)),
    [read.rows],
  );
  return { ...read, rows };
}

/** Pages overlap, and a new item moves the others down by one. The first of each id is kept. */
function eachOnce(items: readonly InventoryItem[]): readonly InventoryItem[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}
