// Determines with TanStack Virtual which entries of a long list are visible. Loaded with the first long list.
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import type { EntryWindow } from "./data-table-entries.ts";

/** How many entries beyond the edges are drawn too. */
const overscan = 8;

export type DataTableWindowProps = {
  readonly count: number;
  /** The assumed height of an entry that was never drawn, in pixels. */
  readonly usualHeight: number;
  readonly draw: (window: EntryWindow | undefined) => ReactNode;
};

/** While the page is printed, all rows are drawn. The browser does not wait, so they have to be there at once. */
function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => flushSync(() => setPrinting(true));
    const end = (): void => setPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

export function DataTableWindow({ count, usualHeight, draw }: DataTableWindowProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // Whatever is above the list may grow or shrink, and with it the page.
  useLayoutEffect(() => {
    const measure = (): void =>
      setTop((frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => usualHeight,
    overscan,
    scrollMargin: top,
  });
  const isPrinting = useIsPrinting();
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  return (
    <div ref={frame}>
      {draw(
        isPrinting
          ? undefined
          : {
              first: first?.index ?? 0,
              end: last === undefined ? 0 : last.index + 1,
              above: first === undefined ? 0 : first.start - top,
              below: virtualizer.getTotalSize() - (last === undefined ? 0 : last.end - top),
              measure: virtualizer.measureElement,
            },
      )}
    </div>
  );
}
