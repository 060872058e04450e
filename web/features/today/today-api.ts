// The read behind Today.
import { todayResponse, type TodayResponse } from "#features/today/contract.ts";
import { useByTheClock } from "#web/lib/by-the-clock.ts";
import { useRead, type Read } from "#web/lib/read.ts";

const pollMs = 30_000;
const MINUTE_MS = 60_000;

/** Read again every minute: the day ends, and last week's sales by this time grow, without any event of the ledger. */
export function useToday(): Read<TodayResponse> {
  return useByTheClock(useRead("/today", todayResponse, { pollMs }), MINUTE_MS);
}
