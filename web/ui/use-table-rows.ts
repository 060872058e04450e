// Sorts a list's rows with TanStack Table, or leaves them as the server sorted them.
import {
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
  type ColumnDef,
} from "@tanstack/react-table";
import { useMemo, useState } from "react";
import type { Column, Sort, Sorting } from "./data-table-column.ts";

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});

const noRows: readonly never[] = [];

export type TableRows<Row> = {
  readonly rows: readonly Row[];
  readonly sort: Sort | undefined;
  /** Ascending, descending, none. Undefined where the list keeps its order. */
  readonly toggle: ((columnId: string) => void) | undefined;
};

function nextSort(sort: Sort | undefined, by: string): Sort | undefined {
  if (sort?.by !== by) {
    return { by, descending: false };
  }
  return sort.descending ? undefined : { by, descending: true };
}

export function useTableRows<Row extends object>(
  given: readonly Row[] | undefined,
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
  keepsOrder: boolean,
): TableRows<Row> {
  const [ownSort, setOwnSort] = useState<Sort>();
  const sort = keepsOrder ? undefined : sorting === undefined ? ownSort : sorting.sort;
  const setSort = sorting === undefined ? setOwnSort : sorting.onSort;
  const definitions = useMemo(
    () =>
      columns.map((column): ColumnDef<typeof features, Row> => {
        const { id, sortBy } = column;
        return sortBy === undefined
          ? { id, enableSorting: false }
          : { id, accessorFn: sortBy, sortFn: "auto" };
      }),
    [columns],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: given ?? noRows,
    manualSorting: sorting !== undefined,
    enableSortingRemoval: true,
    state: { sorting: sort === undefined ? [] : [{ id: sort.by, desc: sort.descending }] },
  });
  return {
    rows: table.getRowModel().rows.map((row) => row.original),
    sort,
    toggle: keepsOrder ? undefined : (columnId) => setSort(nextSort(sort, columnId)),
  };
}
