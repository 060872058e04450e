// The read behind Today.
import { useEffect, useEffectEvent, useRef } from "react";
import { todayResponse, type TodayResponse } from "#features/today/contract.ts";
import { useRead, type Read } from "#web/lib/read.ts";
import { useNow } from "#web/lib/use-now.ts";

const pollMs = 30_000;

/** Read again every minute: the day ends, and last week's sales by this time grow, without any event of the ledger. */
export function useToday(): Read<TodayResponse> {
  const read = useRead("/today", todayResponse, { pollMs });
  const now = useNow();
  const shown = useRef(now);
  const again = useEffectEvent(() => {
    if (document.visibilityState === "visible") {
      read.refresh();
    }
  });
  useEffect(() => {
    if (shown.current !== now) {
      shown.current = now;
      again();
    }
  }, [now]);
  return read;
}
