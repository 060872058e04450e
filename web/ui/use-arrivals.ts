// Finds the rows that arrived at the top of a list while it was on screen.
import { useState } from "react";

const none: ReadonlySet<string> = new Set();

/** The ids that are new at the top since `ids` last changed. A list that starts over has no arrivals. */
export function arrivalsIn(before: readonly string[], now: readonly string[]): ReadonlySet<string> {
  // Most long lists grow only at their end.
  if (before[0] === now[0]) {
    return none;
  }
  const known = new Set(before);
  const firstKnown = now.findIndex((id) => known.has(id));
  return firstKnown > 0 ? new Set(now.slice(0, firstKnown)) : none;
}

export function useArrivals(ids: readonly string[]): ReadonlySet<string> {
  const [seen, setSeen] = useState({ ids, arrived: none });
  const isSame = seen.ids.length === ids.length && ids.every((id, index) => seen.ids[index] === id);
  if (!isSame) {
    setSeen({ ids, arrived: arrivalsIn(seen.ids, ids) });
  }
  return seen.arrived;
}
