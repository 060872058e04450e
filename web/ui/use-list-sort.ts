// How a list is sorted now, and what a click on a heading makes of it; sorting itself is in use-sorted-rows.ts.
import { useState } from "react";
import type { Sort, Sorting } from "./data-table-column.ts";

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

export function useListSort(sorting: Sorting | undefined, keepsOrder: boolean): ListSort {
  const [ownSort, setOwnSort] = useState<Sort>();
  if (keepsOrder) {
    return { sort: undefined, toggle: undefined };
  }
  const sort = sorting === undefined ? ownSort : sorting.sort;
  const setSort = sorting === undefined ? setOwnSort : sorting.onSort;
  return { sort, toggle: (columnId) => setSort(nextSort(sort, columnId)) };
}
