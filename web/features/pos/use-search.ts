// Searches for the text in the till's field a moment after the last key.
import { useEffect, useState } from "react";
import type { CatalogueItem } from "#features/inventory/contract-catalogue.ts";
import { parseDollars } from "#web/lib/amount.ts";
import { useDebounced } from "#web/lib/debounced.ts";
import { findByWords } from "./catalogue.ts";
import type { Mode } from "./till-state.ts";

const debounceMs = 300;

export type Found = { readonly term: string; readonly items: readonly CatalogueItem[] };

/** Searches while the field asks for a scan, and while it asks for a price if the text is not a price. */
function isSearched(mode: Mode, term: string): boolean {
  return (
    term !== "" &&
    (mode.kind === "scan" || (mode.kind === "price" && parseDollars(term) === undefined))
  );
}

/** Undefined while there is nothing to search for, or no result yet. */
export function useSearch(mode: Mode, typed: string): Found | undefined {
  const [found, setFound] = useState<Found>();
  const term = typed.trim();
  const wanted = useDebounced(isSearched(mode, term) ? term : "", debounceMs);
  useEffect(() => {
    if (wanted === "") {
      return undefined;
    }
    let isCurrent = true;
    void (async () => {
      const items = await findByWords(wanted);
      if (isCurrent) {
        setFound({ term: wanted, items: items.filter(({ archived }) => !archived) });
      }
    })();
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  return found !== undefined && found.term === term ? found : undefined;
}
