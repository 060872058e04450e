// The reads of the past: an account as of a moment, what is known differently now, and items as of a moment.
import {
  compareResponse,
  historyAsOfResponse,
  type CompareResponse,
  type HistoryAsOfResponse,
  type ViewBy,
} from "#features/accounts/contract-as-of.ts";
import {
  inventoryAsOfResponse,
  itemAsOfResponse,
  type InventoryAsOfResponse,
  type ItemAsOf,
  type ItemAsOfResponse,
} from "#features/inventory/contract-as-of.ts";
import { pathOf } from "#web/lib/http.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const pageSize = 50;

export type PastLine = HistoryAsOfResponse["lines"][number];
export type DifferentLine = CompareResponse["lines"][number];

const linesOf = (page: HistoryAsOfResponse): readonly PastLine[] => page.lines;
const differencesOf = (page: CompareResponse): readonly DifferentLine[] => page.lines;
const hasMore = (page: { readonly nextCursor: string | null }): boolean => page.nextCursor !== null;

export function usePastHistory(
  uid: string,
  at: string,
  by: ViewBy,
): PagedRead<PastLine, HistoryAsOfResponse> {
  return usePagedRead({
    pathOf: (_page, previous: HistoryAsOfResponse | undefined) =>
      pathOf(`/audit/history/${encodeURIComponent(uid)}`, {
        at,
        by,
        limit: pageSize,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: historyAsOfResponse,
    rowsOf: linesOf,
    hasMoreAfter: hasMore,
  });
}

export function useComparison(uid: string, at: string): PagedRead<DifferentLine, CompareResponse> {
  return usePagedRead({
    pathOf: (_page, previous: CompareResponse | undefined) =>
      pathOf(`/audit/compare/${encodeURIComponent(uid)}`, {
        at,
        limit: pageSize,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: compareResponse,
    rowsOf: differencesOf,
    hasMoreAfter: hasMore,
  });
}

const itemsOf = (page: InventoryAsOfResponse): readonly ItemAsOf[] => page.items;

export function usePastItems(uid: string, at: string): PagedRead<ItemAsOf, InventoryAsOfResponse> {
  return usePagedRead({
    pathOf: (_page, previous: InventoryAsOfResponse | undefined) =>
      pathOf(`/audit/inventory/${encodeURIComponent(uid)}`, {
        at,
        limit: pageSize,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: inventoryAsOfResponse,
    rowsOf: itemsOf,
    hasMoreAfter: hasMore,
  });
}

export function usePastItem(itemId: string, at: string): Read<ItemAsOfResponse> {
  return useRead(pathOf(`/audit/items/${encodeURIComponent(itemId)}`, { at }), itemAsOfResponse);
}
