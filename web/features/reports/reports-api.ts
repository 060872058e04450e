// The reads of the reports, with the period in the address.
import {
  reportConsignorsResponse,
  reportMonthsResponse,
  reportZerosResponse,
  type ReportConsignor,
  type ReportConsignorsResponse,
  type ReportMonthsResponse,
  type ReportZerosResponse,
} from "#features/reports/contract.ts";
import { pathOf, type Query } from "#web/lib/http.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const pageSize = 50;

export function useReportMonths(query: Query): Read<ReportMonthsResponse> {
  return useRead(pathOf("/reports/months", query), reportMonthsResponse);
}

/** Changes of what is owed that happened and sum to zero. */
export function useReportZeros(query: Query): Read<ReportZerosResponse> {
  return useRead(pathOf("/reports/zero-changes", query), reportZerosResponse);
}

const consignorsOf = (page: ReportConsignorsResponse): readonly ReportConsignor[] =>
  page.consignors;
const hasMoreConsignors = (page: ReportConsignorsResponse): boolean => page.nextCursor !== null;

export function useReportConsignors(
  query: Query,
): PagedRead<ReportConsignor, ReportConsignorsResponse> {
  return usePagedRead({
    pathOf: (_page, previous: ReportConsignorsResponse | undefined) =>
      pathOf("/reports/consignors", {
        ...query,
        cursor: previous?.nextCursor ?? undefined,
        limit: pageSize,
      }),
    schema: reportConsignorsResponse,
    rowsOf: consignorsOf,
    hasMoreAfter: hasMoreConsignors,
  });
}
