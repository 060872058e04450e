// How a list is sorted now, and what a click on a heading makes of it; sorting itself is in use-sorted-rows.ts.
import { useParams } from "#web/lib/search-param.ts";
import type { Column, Sort, Sorting } from "./data-table-column.ts";

export type ListSort = {
  readonly sort: Sort | undefined;
  /** Ascending, descending, none. Undefined where the list keeps its order. */
  readonly toggle: ((columnId: string) => void) | undefined;
};

export function nextSort(sort: Sort | undefined, by: string): Sort | undefined {
  if (sort?.by !== by) {
    return { by, descending: false };
  }
  return sort.descending ? undefined : { by, descending: true };
}

/** What an address says of a list with these columns; what is no column to sort by counts as absent. */
export function sortIn<Row>(
  params: URLSearchParams,
  columns: readonly Pick<Column<Row>, "id" | "sortBy">[],
): Sort | undefined {
  const by = params.get("sort");
  return by === null || !columns.some(({ id, sortBy }) => id === by && sortBy !== undefined)
    ? undefined
    : { by, descending: params.get("order") === "desc" };
}

/** Without `sorting` the address holds how the list is sorted: `sort` the column, `order=desc` the direction. */
export function useListSort<Row>(
  sorting: Sorting | undefined,
  columns: readonly Column<Row>[],
  keepsOrder: boolean,
): ListSort {
  const [params, setParams] = useParams();
  if (keepsOrder) {
    return { sort: undefined, toggle: undefined };
  }
  const sort = sorting === undefined ? sortIn(params, columns) : sorting.sort;
  function setSort(next: Sort | undefined): void {
    setParams({ sort: next?.by, order: next?.descending === true ? "desc" : undefined });
  }
  const onSort = sorting === undefined ? setSort : sorting.onSort;
  return { sort, toggle: (columnId) => onSort(nextSort(sort, columnId)) };
}
