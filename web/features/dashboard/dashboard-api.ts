// The reads of the dashboard: the tiles, the balance over time, and the person's own items.
import {
  balanceSeriesResponse,
  summaryResponse,
  type BalanceSeriesResponse,
  type SummaryResponse,
} from "#features/accounts/contract-summary.ts";
import {
  searchCountResponse,
  searchResponse,
  type InventoryItem,
  type ItemSort,
  type SearchCountResponse,
  type SearchResponse,
} from "#features/inventory/contract.ts";
import { pathOf } from "#web/lib/http.ts";
import { sortParams, type ListSort } from "#web/lib/list-sort.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const pageSize = 50;

export function useSummary(uid: string): Read<SummaryResponse> {
  return useRead(`/accounts/${uid}/summary`, summaryResponse);
}

/** The time spans that the chart offers, in days. */
export const chartDays = [30, 90, 365] as const;
export type ChartDays = (typeof chartDays)[number];

export function chartDaysIn(params: URLSearchParams): ChartDays {
  return chartDays.find((days) => String(days) === params.get("days")) ?? 90;
}

export function useBalanceSeries(uid: string, days: ChartDays): Read<BalanceSeriesResponse> {
  const path = pathOf(`/accounts/${uid}/balance-series`, { days });
  return useRead(path, balanceSeriesResponse, { keepPrevious: true });
}

export type OwnItemFilters = {
  readonly searchTerm: string | undefined;
  readonly location: string | undefined;
};

export function ownItemFiltersIn(params: URLSearchParams): OwnItemFilters {
  return {
    searchTerm: params.get("q") ?? undefined,
    location: params.get("location") ?? undefined,
  };
}

const itemsOf = (page: SearchResponse): readonly InventoryItem[] => page.items;
const hasMoreItems = (page: SearchResponse): boolean => page.hasMore;

export function useOwnItems(
  uid: string,
  filters: OwnItemFilters,
  sort: ListSort<ItemSort> | undefined,
): PagedRead<InventoryItem> {
  return usePagedRead({
    pathOf: (page) =>
      pathOf("/inventory/search", {
        ...filters,
        ...sortParams(sort),
        consignor: uid,
        page,
        limit: pageSize,
      }),
    schema: searchResponse,
    rowsOf: itemsOf,
    hasMoreAfter: hasMoreItems,
  });
}

export function useOwnItemCount(uid: string, filters: OwnItemFilters): Read<SearchCountResponse> {
  const path = pathOf("/inventory/search/count", { ...filters, consignor: uid });
  return useRead(path, searchCountResponse, { keepPrevious: true });
}
