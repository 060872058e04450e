// The reads behind an explanation: a number's lines, the sales that funded a payout, and what a sale paid for.
import { explainResponse } from "#features/accounts/contract-explain.ts";
import type {
  ExplainedLine,
  ExplainedNumber,
  ExplainResponse,
} from "#features/accounts/contract-explain.ts";
import {
  explainAccountResponse,
  explainTotalResponse,
} from "#features/accounts/contract-explain-store.ts";
import type {
  ExplainAccountResponse,
  ExplainTotalResponse,
  StoreAccount,
  TotalNumber,
} from "#features/accounts/contract-explain-store.ts";
import { itemOriginResponse, type ItemOriginResponse } from "#features/inventory/contract-as-of.ts";
import { fundingResponse, paidByResponse } from "#features/accounts/contract-funding.ts";
import type {
  FundingResponse,
  FundingSource,
  PaidByResponse,
} from "#features/accounts/contract-funding.ts";
import {
  reportLinesResponse,
  type ReportLine,
  type ReportLinesResponse,
} from "#features/reports/contract.ts";
import { soldExplainResponse } from "#features/sales/contract-totals.ts";
import type { SoldExplainResponse, SoldNumber } from "#features/sales/contract-totals.ts";
import { pathOf, type Query } from "#web/lib/http.ts";
import type { ReportWhy } from "./report-why.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const pageSize = 50;

const linesOf = (page: ExplainResponse): readonly ExplainedLine[] => page.lines;
const hasMoreLines = (page: ExplainResponse): boolean => page.nextCursor !== null;

export type AskedNumber = {
  readonly uid: string;
  readonly number: ExplainedNumber;
  /** A time or a position of the past; undefined for now. */
  readonly at: string | undefined;
  readonly kind: ExplainedLine["kind"] | undefined;
};

export function useExplanation(asked: AskedNumber): PagedRead<ExplainedLine, ExplainResponse> {
  const { uid, ...query } = asked;
  return usePagedRead({
    pathOf: (_page, previous: ExplainResponse | undefined) =>
      pathOf(`/audit/explain/${encodeURIComponent(uid)}`, {
        ...query,
        limit: pageSize,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: explainResponse,
    rowsOf: linesOf,
    hasMoreAfter: hasMoreLines,
  });
}

const sourcesOf = (page: FundingResponse): readonly FundingSource[] => page.sources;
const hasMoreSources = (page: FundingResponse): boolean => page.nextCursor !== null;

/** A payout, or a line of somebody's ledger. */
export type Spent =
  | { readonly kind: "payout"; readonly id: string }
  | { readonly kind: "line"; readonly uid: string; readonly line: string };

export function useFunding(spent: Spent): PagedRead<FundingSource, FundingResponse> {
  const path =
    spent.kind === "payout"
      ? `/audit/payouts/${encodeURIComponent(spent.id)}/funding`
      : `/audit/funding/${encodeURIComponent(spent.uid)}/${encodeURIComponent(spent.line)}`;
  return usePagedRead({
    pathOf: (_page, previous: FundingResponse | undefined) =>
      pathOf(path, { limit: pageSize, cursor: previous?.nextCursor ?? undefined }),
    schema: fundingResponse,
    rowsOf: sourcesOf,
    hasMoreAfter: hasMoreSources,
  });
}

export function usePaidBy(saleId: string): Read<PaidByResponse> {
  return useRead(`/audit/sales/${encodeURIComponent(saleId)}/paid-by`, paidByResponse);
}

export type TotalLine = ExplainTotalResponse["lines"][number];

const peopleOf = (page: ExplainTotalResponse): readonly TotalLine[] => page.lines;
const hasMorePeople = (page: ExplainTotalResponse): boolean => page.nextCursor !== null;

export function useTotal(number: TotalNumber): PagedRead<TotalLine, ExplainTotalResponse> {
  return usePagedRead({
    pathOf: (_page, previous: ExplainTotalResponse | undefined) =>
      pathOf("/audit/explain-total", {
        number,
        limit: pageSize,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: explainTotalResponse,
    rowsOf: peopleOf,
    hasMoreAfter: hasMorePeople,
  });
}

/** `query` is the query of `GET /sales`, without sort and paging. Days are the store's. */
export function useSold(query: Query, number: SoldNumber): Read<SoldExplainResponse> {
  return useRead(pathOf("/sales/totals/explain", { ...query, number }), soldExplainResponse);
}

/** `filters` are those of the person's own list of sales. */
export function useOwnSold(
  uid: string,
  filters: Query,
  number: SoldNumber,
): Read<SoldExplainResponse> {
  const path = `/sales/history/${encodeURIComponent(uid)}/totals/explain`;
  return useRead(pathOf(path, { ...filters, number }), soldExplainResponse);
}

const reportLinesOf = (page: ReportLinesResponse): readonly ReportLine[] => page.lines;
const hasMoreReportLines = (page: ReportLinesResponse): boolean => page.nextCursor !== null;

export function useReportLines(asked: ReportWhy): PagedRead<ReportLine, ReportLinesResponse> {
  return usePagedRead({
    pathOf: (_page, previous: ReportLinesResponse | undefined) =>
      pathOf("/reports/lines", {
        ...asked,
        limit: pageSize,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: reportLinesResponse,
    rowsOf: reportLinesOf,
    hasMoreAfter: hasMoreReportLines,
  });
}

export type Intake = ItemOriginResponse["intakes"][number];

const intakesOf = (page: ItemOriginResponse): readonly Intake[] => page.intakes;
const hasMoreOrigin = (page: ItemOriginResponse): boolean => page.nextCursor !== null;

export function useOrigin(itemId: string): PagedRead<Intake, ItemOriginResponse> {
  return usePagedRead({
    pathOf: (_page, previous: ItemOriginResponse | undefined) =>
      pathOf(`/audit/items/${encodeURIComponent(itemId)}/origin`, {
        limit: pageSize,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: itemOriginResponse,
    rowsOf: intakesOf,
    hasMoreAfter: hasMoreOrigin,
  });
}

/** Empty days are the usual ones: the last 31. */
export function useAccountDays(
  account: StoreAccount,
  { from, to }: { readonly from: string; readonly to: string },
): Read<ExplainAccountResponse> {
  const days = { from: from === "" ? undefined : from, to: to === "" ? undefined : to };
  return useRead(pathOf("/audit/explain-account", { account, ...days }), explainAccountResponse);
}
