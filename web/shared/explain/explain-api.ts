// The reads behind an explanation: a number's lines, the sales that funded a payout, and what a sale paid for.
import { explainResponse } from "#features/accounts/contract-explain.ts";
import type {
  ExplainedLine,
  ExplainedNumber,
  ExplainResponse,
} from "#features/accounts/contract-explain.ts";
import { fundingResponse, paidByResponse } from "#features/accounts/contract-funding.ts";
import type {
  FundingResponse,
  FundingSource,
  PaidByResponse,
} from "#features/accounts/contract-funding.ts";
import { pathOf } from "#web/lib/http.ts";
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
