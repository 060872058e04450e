// The till's days as the server has them: one day's payments, all counts of the drawer, and closing a day.
import {
  closeTillDayResponse,
  tillChangesResponse,
  tillDayResponse,
  tillDaysResponse,
  tillRefundsResponse,
  type CloseTillDayRequest,
  type CloseTillDayResponse,
  type TillChangesResponse,
  type TillClosing,
  type TillDayResponse,
  type RefundsBy,
  type TillDaysResponse,
  type TillRefund,
  type TillRefundsResponse,
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

const refundsOf = (page: TillRefundsResponse): readonly TillRefund[] => page.refunds;
const hasMoreRefunds = (page: TillRefundsResponse): boolean => page.nextCursor !== null;

export function useDayRefunds(
  day: string,
  by: RefundsBy | undefined,
): PagedRead<TillRefund, TillRefundsResponse> {
  return usePagedRead({
    pathOf: (_, previous: TillRefundsResponse | undefined) =>
      pathOf("/till/refunds", { day, by, cursor: previous?.nextCursor ?? undefined }),
    schema: tillRefundsResponse,
    rowsOf: refundsOf,
    hasMoreAfter: hasMoreRefunds,
  });
}

/** What was recorded about a counted day after its count. */
export function useDayChanges(day: string): Read<TillChangesResponse> {
  return useRead(pathOf("/till/changes", { day }), tillChangesResponse);
}

export function closeDay(body: CloseTillDayRequest, key: string): Promise<CloseTillDayResponse> {
  return send({ method: "POST", path: "/till/days", body, answer: closeTillDayResponse, key });
}
