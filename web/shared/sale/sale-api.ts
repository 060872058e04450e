// The sales calls as hooks and commands: what the sale forms and the list of sales read and send.
import * as z from "zod/mini";
import { ownSaleResponse, saleListResponse, saleResponse } from "#features/sales/contract.ts";
import {
  correctRefundTenderResponse,
  correctTenderResponse,
  eraseCertificateResponse,
  recordSaleResponse,
  saleChangedResponse,
} from "#features/sales/contract-commands.ts";
import type {
  OwnSaleResponse,
  SaleListResponse,
  SaleResponse,
  SaleSort,
  SaleView,
} from "#features/sales/contract.ts";
import type {
  CorrectRefundTenderResponse,
  CorrectSaleRequest,
  CorrectTenderRequest,
  CorrectTenderResponse,
  EraseCertificateRequest,
  EraseCertificateResponse,
  RecordCustomSaleRequest,
  RecordMasterSaleRequest,
  RecordSaleRequest,
  RecordSaleResponse,
  RefundSaleRequest,
  SaleChangedResponse,
} from "#features/sales/contract-commands.ts";
import {
  saleStoryResponse,
  type SaleStoryResponse,
  type StoryEntry,
} from "#features/sales/contract-story.ts";
import { saleTotalsResponse, type SaleTotalsResponse } from "#features/sales/contract-totals.ts";
import { balanceResponse } from "#features/accounts/contract.ts";
import { pathOf, send, type Query } from "#web/lib/http.ts";
import { sortParams, type ListSort } from "#web/lib/list-sort.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";
import { knownBalance } from "./known-balance.ts";

const pageLimit = 50;

const salesOf = (page: SaleListResponse): readonly SaleView[] => page.sales;
const hasMoreSales = (page: SaleListResponse): boolean => page.nextCursor !== null;

/** `query` is the query of `GET /sales`, without sort and paging. */
export function useSales(
  query: Query,
  sort: ListSort<SaleSort> | undefined,
): PagedRead<SaleView, SaleListResponse> {
  return usePagedRead({
    pathOf: (_page, previous: SaleListResponse | undefined) =>
      pathOf("/sales", {
        ...query,
        ...sortParams(sort),
        limit: pageLimit,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: saleListResponse,
    rowsOf: salesOf,
    hasMoreAfter: hasMoreSales,
  });
}

/** What all sales of the query sum to. */
export function useSaleTotals(query: Query): Read<SaleTotalsResponse> {
  return useRead(pathOf("/sales/totals", query), saleTotalsResponse);
}

const entriesOf = (page: SaleStoryResponse): readonly StoryEntry[] => page.entries;
const hasMoreEntries = (page: SaleStoryResponse): boolean => page.nextCursor !== null;

/** A sale's versions and refunds, newest first. */
export function useSaleStory(id: string): PagedRead<StoryEntry, SaleStoryResponse> {
  return usePagedRead({
    pathOf: (_page, previous: SaleStoryResponse | undefined) =>
      pathOf(`/sales/${id}/story`, { cursor: previous?.nextCursor ?? undefined }),
    schema: saleStoryResponse,
    rowsOf: entriesOf,
    hasMoreAfter: hasMoreEntries,
  });
}

export function useSale(id: string): Read<SaleResponse> {
  return useRead(`/sales/${id}`, saleResponse);
}

/** An admin gets more than the consignor, which stays in the cache for `useSale`: the path is the same. */
const anySaleResponse = z.union([saleResponse, ownSaleResponse]);

/** A sale in its consignor's history. */
export function useHistorySale(id: string): Read<SaleResponse | OwnSaleResponse> {
  return useRead(`/sales/${id}`, anySaleResponse);
}

/** A consignor's available balance; undefined while it is not known. An undefined uid reads nothing. */
export function useBalance(uid: string | undefined): number | undefined {
  return knownBalance(
    useRead(
      uid === undefined ? undefined : `/sales/balance/${encodeURIComponent(uid)}`,
      balanceResponse,
    ),
  );
}

export function recordSale(body: RecordSaleRequest, key: string): Promise<RecordSaleResponse> {
  return send({ method: "POST", path: "/sales/record", body, answer: recordSaleResponse, key });
}

export function recordMasterSale(
  body: RecordMasterSaleRequest,
  key: string,
): Promise<RecordSaleResponse> {
  const path = "/inventory/master/sale";
  return send({ method: "POST", path, body, answer: recordSaleResponse, key });
}

export function recordCustomSale(
  body: RecordCustomSaleRequest,
  key: string,
): Promise<RecordSaleResponse> {
  return send({ method: "POST", path: "/sales/custom", body, answer: recordSaleResponse, key });
}

/** The call that corrects a sale. */
export function correctSaleCall(saleId: string, body: CorrectSaleRequest) {
  return { method: "PUT", path: `/sales/${saleId}`, body } as const;
}

export function correctSale(
  saleId: string,
  body: CorrectSaleRequest,
  key: string,
): Promise<SaleChangedResponse> {
  return send({ ...correctSaleCall(saleId, body), answer: saleChangedResponse, key });
}

/** The call that refunds a sale. */
export function refundSaleCall(saleId: string, body: RefundSaleRequest) {
  return { method: "POST", path: `/sales/${saleId}/refund`, body } as const;
}

export function refundSale(
  saleId: string,
  body: RefundSaleRequest,
  key: string,
): Promise<SaleChangedResponse> {
  return send({ ...refundSaleCall(saleId, body), answer: saleChangedResponse, key });
}

export function correctTender(
  saleId: string,
  body: CorrectTenderRequest,
  key: string,
): Promise<CorrectTenderResponse> {
  const path = `/sales/${saleId}/tender`;
  return send({ method: "PUT", path, body, answer: correctTenderResponse, key });
}

/** Of one refund of the sale: 1 is its first. */
export function correctRefundTender(
  saleId: string,
  refund: number,
  body: CorrectTenderRequest,
  key: string,
): Promise<CorrectRefundTenderResponse> {
  const path = `/sales/${saleId}/refunds/${refund}/tender`;
  return send({ method: "PUT", path, body, answer: correctRefundTenderResponse, key });
}

export function eraseCertificate(
  saleId: string,
  body: EraseCertificateRequest,
  key: string,
): Promise<EraseCertificateResponse> {
  const path = `/sales/${saleId}/erase-certificate`;
  return send({ method: "POST", path, body, answer: eraseCertificateResponse, key });
}
