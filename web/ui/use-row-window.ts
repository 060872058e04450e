// Says which rows of a long table are in sight, so that only they are drawn however many there are.
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from "react";

/** A row and its hairline, until one was measured; rows are higher where they are touched. */
const usualHeight = 37;
/** Rows beyond the edges that are drawn too. */
const overscan = 8;
/** The first and the last drawn row move in steps, so that most scrolling draws nothing. */
const step = 4;

/** Rows `first` up to but not including `end` are drawn; `above` and `below` are the heights of the others. */
export type RowWindow = {
  readonly first: number;
  readonly end: number;
  readonly above: number;
  readonly below: number;
};

type Sight = {
  /** Pixels of the list above the screen's top edge; negative where it begins further down. */
  readonly above: number;
  readonly screenHeight: number;
  readonly rowHeight: number;
};

/** The drawn rows for what is in sight. Never empty, so that a height can be measured. */
export function rowsInSight(count: number, sight: Sight): { first: number; end: number } {
  const { above, screenHeight, rowHeight } = sight;
  const wanted = Math.floor(Math.max(0, above) / rowHeight) - overscan;
  const first = Math.max(0, Math.min(Math.floor(wanted / step) * step, count - step));
  const last = Math.ceil((Math.max(0, above) + screenHeight) / rowHeight) + overscan;
  return { first, end: Math.min(count, Math.max(Math.ceil(last / step) * step, first + step)) };
}

type Drawn = {
  readonly first: number;
  readonly end: number;
  /** Undefined until a row was there to be measured. */
  readonly measuredHeight: number | undefined;
};

function heightIn(frame: HTMLElement): number | undefined {
  return frame.querySelector<HTMLElement>("tr[aria-rowindex]")?.offsetHeight || undefined;
}

/** The window of a table inside the element that `frame` is given to; undefined where all rows are drawn. */
export function useRowWindow(
  count: number,
  isLong: boolean,
): { readonly frame: RefObject<HTMLDivElement | null>; readonly window: RowWindow | undefined } {
  const frame = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<Drawn>(() => ({
    ...rowsInSight(count, { above: 0, screenHeight: innerHeight, rowHeight: usualHeight }),
    measuredHeight: undefined,
  }));

  function update(isMeasured: boolean): void {
    if (frame.current !== null) {
      const measuredHeight = isMeasured ? drawn.measuredHeight : heightIn(frame.current);
      const next = rowsInSight(count, {
        above: -frame.current.getBoundingClientRect().top,
        screenHeight: innerHeight,
        rowHeight: measuredHeight ?? usualHeight,
      });
      setDrawn((before) =>
        before.first === next.first &&
        before.end === next.end &&
        before.measuredHeight === measuredHeight
          ? before
          : { ...next, measuredHeight },
      );
    }
  }
  // Before anything is painted: the list may have begun or grown while somebody was far down in it.
  useLayoutEffect(() => (isLong ? update(drawn.measuredHeight !== undefined) : undefined));
  const onScroll = useEffectEvent(() => update(true));
  const onResize = useEffectEvent(() => update(false));
  useEffect(() => {
    if (!isLong) {
      return undefined;
    }
    const ended = new AbortController();
    const { signal } = ended;
    addEventListener("scroll", () => onScroll(), { passive: true, signal });
    addEventListener("resize", () => onResize(), { passive: true, signal });
    return () => ended.abort();
  }, [isLong]);

  const { first, end, measuredHeight } = drawn;
  const rowHeight = measuredHeight ?? usualHeight;
  const last = Math.min(end, count);
  return {
    frame,
    window: isLong
      ? { first, end: last, above: first * rowHeight, below: (count - last) * rowHeight }
      : undefined,
  };
}
