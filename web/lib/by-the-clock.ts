// Reads again by the clock: what changes without any event of the ledger, of which no live event tells.
import { useEffect, useEffectEvent } from "react";

type Refreshable = { readonly refresh: () => void };

/** Refreshes `read` at this interval while the page is visible, and returns it. Undefined: not now. */
export function useByTheClock<R extends Refreshable>(read: R, everyMs: number | undefined): R {
  const again = useEffectEvent(() => {
    if (document.visibilityState === "visible") {
      read.refresh();
    }
  });
  useEffect(() => {
    const timer = everyMs === undefined ? undefined : setInterval(() => again(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return read;
}
