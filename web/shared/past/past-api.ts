// The reads of the past of an account: its history as of a moment, and what is known differently now.
import {
  compareResponse,
  historyAsOfResponse,
  type CompareResponse,
  type HistoryAsOfResponse,
  type ViewBy,
} from "#features/accounts/contract-as-of.ts";
import { pathOf } from "#web/lib/http.ts";
import { usePagedRead, type PagedRead } from "#web/lib/read.ts";

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
