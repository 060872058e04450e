// Puts a list's loaded rows in order with TanStack Table; loaded when somebody sorts. It knows rows by their index alone.
import {
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
  type ColumnDef,
} from "@tanstack/react-table";
import { useMemo, type ReactNode } from "react";

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});

type DataTableSortedProps = {
  /** What each row sorts by, in the rows' given order. Stable between renders. */
  readonly values: readonly (string | number)[];
  readonly isDescending: boolean;
  /** Gets the rows' indexes in their new order. */
  readonly children: (order: readonly number[]) => ReactNode;
};

type Indexed = { readonly index: number; readonly value: string | number };

const columns: ColumnDef<typeof features, Indexed>[] = [
  { id: "value", accessorFn: ({ value }) => value, sortFn: "auto" },
];

export function DataTableSorted({ values, isDescending, children }: DataTableSortedProps) {
  const data = useMemo(() => values.map((value, index) => ({ index, value })), [values]);
  const table = useTable({
    features,
    columns,
    data,
    state: { sorting: [{ id: "value", desc: isDescending }] },
  });
  return children(table.getRowModel().rows.map((row) => row.original.index));
}
