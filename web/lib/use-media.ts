// Whether a media query matches. For screens that differ in structure (table or cards); everything else is CSS.
import { useCallback, useSyncExternalStore } from "react";

/** One subscription per query, because every row of a list may ask. */
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
  const read = () => listOf(query).matches;
  return useSyncExternalStore(subscribe, read, read);
}

/** Narrower than the first breakpoint: cards instead of tables, sheets instead of dialogs. */
export function useIsPhone(): boolean {
  return useMedia("(max-width: 39.99rem)");
}

/** Narrower than the breakpoint lg: no room for a sidebar, or for a consignor's navigation in one row. */
export function useIsNarrow(): boolean {
  return useMedia("(max-width: 63.99rem)");
}
