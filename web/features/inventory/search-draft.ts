// The search bar's fields while they are edited. They become filters in the address after a second without a change, or at once.
import { useEffect, useEffectEvent, useState } from "react";
import type { ParamChanges } from "#web/lib/search-param.ts";
import type { InventoryFilters } from "#web/shared/item/item-search.ts";

const debounceMs = 1000;

export type OwnerChoice = "all" | "master" | "consignor";

/** The filters of an address without parameters. */
export const noFilters = {
  q: undefined,
  location: undefined,
  consignor: undefined,
  filter: undefined,
  preset: undefined,
  unsoldDays: undefined,
};

/** The fields as typed; `chosen` is undefined while a consignor is only typed. */
export type SearchDraft = {
  readonly searchTerm: string;
  readonly location: string;
  readonly consignor: string | undefined;
  readonly filter: OwnerChoice;
};

function draftOf(filters: InventoryFilters): SearchDraft {
  return {
    searchTerm: filters.searchTerm ?? "",
    location: filters.location ?? "",
    consignor: filters.consignor,
    filter: filters.filter ?? "all",
  };
}

/** Whether the filters are the same, ignoring surrounding spaces. */
function keyOf({ searchTerm, location, consignor, filter }: SearchDraft): string {
  return JSON.stringify([searchTerm.trim(), location.trim(), consignor ?? "", filter]);
}

/** The fields' current values, possibly ahead of the address. */
export function filtersOf(draft: SearchDraft, applied: InventoryFilters): InventoryFilters {
  const [searchTerm, location] = [draft.searchTerm.trim(), draft.location.trim()];
  return {
    ...(searchTerm === "" ? {} : { searchTerm }),
    ...(location === "" ? {} : { location }),
    ...(draft.consignor === undefined ? {} : { consignor: draft.consignor }),
    ...(draft.filter === "all" ? {} : { filter: draft.filter }),
    ...(applied.preset === undefined ? {} : { preset: applied.preset }),
    ...(applied.unsoldDays === undefined ? {} : { unsoldDays: applied.unsoldDays }),
  };
}

export type SearchFields = {
  readonly draft: SearchDraft;
  readonly set: (changes: Partial<SearchDraft>) => void;
  /** The text in the consignor field. */
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  /** True while the list does not yet match the fields. */
  readonly isChanged: boolean;
  /** Incremented when the fields are changed from outside: a preset, the back button, Clear. */
  readonly version: number;
  readonly searchNow: () => void;
  readonly clear: () => void;
};

export function useSearchFields(
  filters: InventoryFilters,
  onSearch: (params: ParamChanges) => void,
): SearchFields {
  const applied = draftOf(filters);
  const [draft, setDraft] = useState(applied);
  const [seenKey, setSeenKey] = useState(keyOf(applied));
  const [typed, setTyped] = useState("");
  const [version, setVersion] = useState(0);

  function follow(next: SearchDraft): void {
    setDraft(next);
    setTyped("");
    setVersion(version + 1);
  }
  if (keyOf(applied) !== seenKey) {
    setSeenKey(keyOf(applied));
    if (keyOf(applied) !== keyOf(draft)) {
      follow(applied);
    }
  }

  function search(wanted: SearchDraft): void {
    onSearch({
      q: wanted.searchTerm.trim(),
      location: wanted.location.trim(),
      consignor: wanted.consignor,
      filter: wanted.filter === "all" ? undefined : wanted.filter,
    });
  }
  const onSettled = useEffectEvent(search);
  const isChanged = keyOf(draft) !== keyOf(applied);
  useEffect(() => {
    const timer = isChanged ? setTimeout(() => onSettled(draft), debounceMs) : undefined;
    return () => clearTimeout(timer);
  }, [draft, isChanged]);

  return {
    draft,
    set: (changes) => setDraft((before) => ({ ...before, ...changes })),
    typed,
    setTyped,
    isChanged,
    version,
    searchNow: () => search(draft),
    clear() {
      onSearch(noFilters);
      follow(draftOf({}));
    },
  };
}
