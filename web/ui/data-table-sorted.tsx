// Puts a list's loaded rows in order; loaded when somebody sorts. It knows rows by their index alone.
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { runAtOnce, runInSlices, sortSteps } from "./sort-rows.ts";

/** Up to here sorting is over before anybody could notice. */
const mostAtOnce = 2000;

type DataTableSortedProps = {
  /** What each row sorts by, in the rows' given order. Stable between renders. */
  readonly values: readonly (string | number)[];
  readonly isDescending: boolean;
  /** Gets the rows' indexes in their new order. */
  readonly children: (order: readonly number[]) => ReactNode;
};

type Wanted = Pick<DataTableSortedProps, "values" | "isDescending">;

function inGivenOrder(values: readonly unknown[]): readonly number[] {
  return values.map((_, index) => index);
}

/** A long list stays as it is until its new order is there. */
function useOrder({ values, isDescending }: Wanted): readonly number[] {
  const isShort = values.length <= mostAtOnce;
  const atOnce = useMemo(
    () => (isShort ? runAtOnce(sortSteps(values, isDescending)) : undefined),
    [values, isDescending, isShort],
  );
  const [sorted, setSorted] = useState<readonly number[]>();
  useEffect(() => {
    const control = new AbortController();
    if (!isShort) {
      void runInSlices(sortSteps(values, isDescending), control.signal).then((order) =>
        order === undefined || control.signal.aborted ? undefined : setSorted(order),
      );
    }
    return () => control.abort();
  }, [values, isDescending, isShort]);
  const given = useMemo(() => inGivenOrder(values), [values]);
  return atOnce ?? (sorted?.length === values.length ? sorted : given);
}

export function DataTableSorted({ children, ...wanted }: DataTableSortedProps) {
  return children(useOrder(wanted));
}
