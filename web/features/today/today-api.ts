// The read behind Today.
import { todayResponse, type TodayResponse } from "#features/today/contract.ts";
import { useRead, type Read } from "#web/lib/read.ts";

const pollMs = 30_000;

export function useToday(): Read<TodayResponse> {
  return useRead("/today", todayResponse, { pollMs });
}
