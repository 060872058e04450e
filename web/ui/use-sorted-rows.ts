// The loaded rows of a list in the order that a heading asks for; a long list keeps its old order until the new one is there.
import { useEffect, useMemo, useState } from "react";
import { runAtOnce, runInSlices, sortSteps } from "./sort-rows.ts";

/** Up to here sorting is over before anybody could notice. */
const mostAtOnce = 2000;

export type SortBy<Row> = (row: Row) => string | number;

type Sorted<Row> = {
  readonly sortBy: SortBy<Row>;
  readonly isDescending: boolean;
  readonly rows: readonly Row[];
};

function pick<Row>(rows: readonly Row[], order: readonly number[]): readonly Row[] {
  return order.flatMap((index) => rows[index] ?? []);
}

/** `sortBy` is stable between renders; undefined leaves the rows as they came. */
export function useSortedRows<Row>(
  rows: readonly Row[],
  sortBy: SortBy<Row> | undefined,
  isDescending: boolean,
): readonly Row[] {
  const isShort = rows.length <= mostAtOnce;
  const atOnce = useMemo(
    () =>
      sortBy === undefined
        ? rows
        : isShort
          ? pick(rows, runAtOnce(sortSteps(rows.map(sortBy), isDescending)))
          : undefined,
    [rows, sortBy, isDescending, isShort],
  );
  const [sorted, setSorted] = useState<Sorted<Row>>();
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    if (sortBy !== undefined && !isShort) {
      void runInSlices(sortSteps(rows.map(sortBy), isDescending), signal).then((order) =>
        order === undefined || signal.aborted
          ? undefined
          : setSorted({ sortBy, isDescending, rows: pick(rows, order) }),
      );
    }
    return () => control.abort();
  }, [rows, sortBy, isDescending, isShort]);
  const isOfThisHeading = sorted?.sortBy === sortBy;
  return atOnce ?? (isOfThisHeading && sorted !== undefined ? sorted.rows : rows);
}
