// Whether a media query holds now; screens that differ in structure (table or cards) ask here, all else is CSS.
import { useCallback, useSyncExternalStore } from "react";

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Narrower than the first breakpoint: cards instead of tables, sheets instead of dialogs. */
export function useIsPhone(): boolean {
  return useMedia("(max-width: 39.99rem)");
}
