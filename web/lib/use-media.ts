// Whether a media query holds now; screens that differ in structure (table or cards) ask here, all else is CSS.
import { useCallback, useSyncExternalStore } from "react";

/** One for each query: every row of a list may ask. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
  const known = lists.get(query) ?? matchMedia(query);
  lists.set(query, known);
  return known;
}

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listOf(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => listOf(query).matches);
}

/** Narrower than the first breakpoint: cards instead of tables, sheets instead of dialogs. */
export function useIsPhone(): boolean {
  return useMedia("(max-width: 39.99rem)");
}

/** Narrower than the breakpoint lg: no room for a sidebar, nor for a consignor's places in one row. */
export function useIsNarrow(): boolean {
  return useMedia("(max-width: 63.99rem)");
}
