// The till's days as the server has them: one day's payments, all counts of the drawer, and closing a day.
import {
  closeTillDayResponse,
  tillDayResponse,
  tillDaysResponse,
  type CloseTillDayRequest,
  type CloseTillDayResponse,
  type TillClosing,
  type TillDayResponse,
  type TillDaysResponse,
} from "#features/till/contract.ts";
import { pathOf, send } from "#web/lib/http.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

/** Undefined is the store's today. */
export function useTillDay(day: string | undefined): Read<TillDayResponse> {
  return useRead(pathOf("/till/day", { day }), tillDayResponse);
}

const closingsOf = (page: TillDaysResponse): readonly TillClosing[] => page.closings;
const hasMoreDays = (page: TillDaysResponse): boolean => page.nextBefore !== null;

export function useTillDays(): PagedRead<TillClosing> {
  return usePagedRead({
    pathOf: (_, previous) => pathOf("/till/days", { before: previous?.nextBefore ?? undefined }),
    schema: tillDaysResponse,
    rowsOf: closingsOf,
    hasMoreAfter: hasMoreDays,
  });
}

export function closeDay(body: CloseTillDayRequest, key: string): Promise<CloseTillDayResponse> {
  return send({ method: "POST", path: "/till/days", body, answer: closeTillDayResponse, key });
}
