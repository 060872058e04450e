// Says which rows of a long list are in sight, so that only they are drawn; loaded when a list is long enough to need it.
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";

const rowHeight = 37;
const overscan = 12;

/** Rows `first` up to but not including `end` are drawn; `above` and `below` are the heights of the others. */
export type RowWindow = {
  readonly first: number;
  readonly end: number;
  readonly above: number;
  readonly below: number;
};

type DataTableVirtualProps = {
  readonly count: number;
  readonly children: (window: RowWindow) => ReactNode;
};

export function DataTableVirtual({ count, children }: DataTableVirtualProps) {
  // The virtualizer's own functions change what they answer without changing themselves.
  "use no memo";
  const frame = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    setOffset((frame.current?.getBoundingClientRect().top ?? 0) + scrollY);
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: offset,
  });
  const shown = virtualizer.getVirtualItems();
  const [first, last] = [shown[0], shown.at(-1)];
  return (
    <div ref={frame}>
      {children({
        first: first?.index ?? 0,
        end: (last?.index ?? -1) + 1,
        above: (first?.start ?? offset) - offset,
        below: virtualizer.getTotalSize() - ((last?.end ?? offset) - offset),
      })}
    </div>
  );
}
