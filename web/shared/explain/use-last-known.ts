// Keeps the sums of an explanation on screen while the entries of another kind are loading: they are the same for all kinds.
import { useState } from "react";

/** The page, or the last one while there is none. */
export function useLastKnown<Page>(page: Page | undefined): Page | undefined {
  const [known, setKnown] = useState(page);
  if (page !== undefined && page !== known) {
    setKnown(page);
  }
  return page ?? known;
}
