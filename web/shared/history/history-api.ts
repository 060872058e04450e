// The reads of a consignor's history: the ledger with its running balance, sales and payouts, page by page, and their exports.
import {
  ledgerResponse,
  type LedgerLine,
  type LedgerResponse,
} from "#features/accounts/contract.ts";
import {
  payoutHistoryResponse,
  type PayoutHistoryResponse,
  type PayoutSort,
  type PayoutView,
} from "#features/payouts/contract.ts";
import {
  ownSaleListResponse,
  type OwnSaleListResponse,
  type SaleSort,
  type OwnSaleView,
} from "#features/sales/contract.ts";
import { pathOf, type Query } from "#web/lib/http.ts";
import { sortParams, type ListSort } from "#web/lib/list-sort.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const pageSize = 50;

/** The ledger's filters as the address names them, and the kind of entry that each selects. */
const ledgerTypes = {
  sales: "sale",
  refunds: "refund",
  corrections: "correction",
  payouts: "payout",
  trades: "trade",
  adjustments: "adjustment",
} as const satisfies Record<string, LedgerLine["kind"]>;
export type LedgerType = keyof typeof ledgerTypes;

export type LedgerFilters = { readonly type: LedgerType | undefined };

export function ledgerFiltersIn(params: URLSearchParams): LedgerFilters {
  const type = params.get("type");
  const known = (Object.keys(ledgerTypes) as LedgerType[]).find((name) => name === type);
  return { type: known };
}

function ledgerQuery({ type }: LedgerFilters): Query {
  return { kind: type === undefined ? undefined : ledgerTypes[type] };
}

export function useLedger(
  uid: string,
  filters: LedgerFilters,
): PagedRead<LedgerLine, LedgerResponse> {
  return usePagedRead({
    pathOf: (_page, previous: LedgerResponse | undefined) =>
      pathOf(`/sales/ledger/${uid}`, {
        ...ledgerQuery(filters),
        before: previous?.nextBefore ?? undefined,
        limit: pageSize,
      }),
    schema: ledgerResponse,
    rowsOf: linesOf,
    hasMoreAfter: hasMoreLines,
  });
}

const linesOf = (page: LedgerResponse): readonly LedgerLine[] => page.lines;
const hasMoreLines = (page: LedgerResponse): boolean => page.nextBefore !== null;

/** The call that answers with this one line, if the account has it; undefined for what is no line's number. */
export function ledgerLinePath(uid: string, line: string): string | undefined {
  return /^[1-9][0-9]{0,13}$/u.test(line)
    ? pathOf(`/sales/ledger/${uid}`, { before: Number(line) + 1, limit: 1 })
    : undefined;
}

type LineRead = Omit<Read<unknown>, "data"> & { readonly line: LedgerLine | undefined };

/** One line, also from before the loaded pages. Once it is loaded and undefined, there is no such line. */
export function useLedgerLine(uid: string, line: string): LineRead {
  const { data, ...read } = useRead(ledgerLinePath(uid, line), ledgerResponse);
  // With a number above the last one, the answer is the last line.
  return { ...read, line: data?.lines.find((found) => String(found.line) === line) };
}

export function ledgerExportPath(uid: string, filters: LedgerFilters): string {
  return pathOf(`/sales/ledger/${uid}/export`, ledgerQuery(filters));
}

export type SaleStatus = OwnSaleView["status"];
export type SaleFilters = {
  readonly searchTerm: string | undefined;
  readonly status: SaleStatus | undefined;
};

const saleStatuses: readonly SaleStatus[] = ["sold", "partly_refunded", "refunded"];

export function saleFiltersIn(params: URLSearchParams): SaleFilters {
  return {
    searchTerm: params.get("q") ?? undefined,
    status: saleStatuses.find((status) => status === params.get("status")),
  };
}

export function useSales(
  uid: string,
  filters: SaleFilters,
  sort?: ListSort<SaleSort>,
): PagedRead<OwnSaleView, OwnSaleListResponse> {
  return usePagedRead({
    pathOf: (_page, previous: OwnSaleListResponse | undefined) =>
      pathOf(`/sales/history/${uid}`, {
        ...filters,
        ...sortParams(sort),
        cursor: previous?.nextCursor ?? undefined,
        limit: pageSize,
      }),
    schema: ownSaleListResponse,
    rowsOf: salesOf,
    hasMoreAfter: hasMoreSales,
  });
}

const salesOf = (page: OwnSaleListResponse): readonly OwnSaleView[] => page.sales;
const hasMoreSales = (page: OwnSaleListResponse): boolean => page.nextCursor !== null;

/** The filtered sales as a file, in the list's order. */
export function saleExportPath(
  uid: string,
  filters: SaleFilters,
  sort?: ListSort<SaleSort>,
): string {
  return pathOf(`/sales/history/${uid}/export`, { ...filters, ...sortParams(sort) });
}

export type PayoutStatus = PayoutView["status"];

const payoutStatuses: readonly PayoutStatus[] = ["pending", "paid", "returned", "deleted"];

export function payoutStatusIn(params: URLSearchParams): PayoutStatus | undefined {
  return payoutStatuses.find((status) => status === params.get("status"));
}

/** The file of the payouts with this status. */
export function payoutExportPath(uid: string, status: PayoutStatus | undefined): string {
  return pathOf(`/sales/payouts/${uid}/export`, { status });
}

export function usePayouts(
  uid: string,
  status: PayoutStatus | undefined,
  sort?: ListSort<PayoutSort>,
): PagedRead<PayoutView, PayoutHistoryResponse> {
  return usePagedRead({
    pathOf: (_page, previous: PayoutHistoryResponse | undefined) =>
      pathOf(`/sales/payouts/${uid}`, {
        status,
        ...sortParams(sort),
        cursor: previous?.nextCursor ?? undefined,
        limit: pageSize,
      }),
    schema: payoutHistoryResponse,
    rowsOf: payoutsOf,
    hasMoreAfter: hasMorePayouts,
  });
}

const payoutsOf = (page: PayoutHistoryResponse): readonly PayoutView[] => page.payouts;
const hasMorePayouts = (page: PayoutHistoryResponse): boolean => page.nextCursor !== null;
