// The calls about trades: the reads of buyers, sellers and admins, and every action on a trade or an offer.
import {
  offerChangedResponse,
  requestTradeResponse,
  tradeChangedResponse,
  type AcceptOfferRequest,
  type CancelAcceptanceRequest,
  type CounterOfferRequest,
  type DeclineOfferRequest,
  type LabelCarrier,
  type OfferChangedResponse,
  type ReportTradeRequest,
  type RequestTradeRequest,
  type RequestTradeResponse,
  type ShippingAddress,
  type TradeChangedResponse,
} from "#features/trades/contract.ts";
import {
  fulfillmentCountResponse,
  fulfillmentsResponse,
  type FulfillmentCountResponse,
  type FulfillmentsResponse,
} from "#features/trades/contract-orders.ts";
import {
  myOffersCountResponse,
  myOffersResponse,
  myTradesResponse,
  openedTrade,
  tradeHistoryResponse,
  tradeShippingResponse,
  tradeTermsResponse,
  type MyOffersCountResponse,
  type MyOffersResponse,
  type OfferTab,
  type MyTradesResponse,
  type OpenedTrade,
  type SellerOffer,
  type Trade,
  type TradeHistoryResponse,
  type TradeShippingResponse,
  type TradeTermsResponse,
} from "#features/trades/contract-reads.ts";
import { pathOf, send, type Method, type Query } from "#web/lib/http.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

/** Without live events, offers and trades are read this often. */
const pollMs = 5000;
const fulfillmentsPollMs = 30_000;

const tradesOf = (page: MyTradesResponse): readonly Trade[] => page.trades;
const hasMoreTrades = (page: MyTradesResponse): boolean => page.nextCursor !== null;

function useTradesAt(path: string, query: Query): PagedRead<Trade, MyTradesResponse> {
  return usePagedRead({
    pathOf: (_page, previous: MyTradesResponse | undefined) =>
      pathOf(path, { ...query, cursor: previous?.nextCursor ?? undefined }),
    schema: myTradesResponse,
    rowsOf: tradesOf,
    hasMoreAfter: hasMoreTrades,
    pollMs,
  });
}

export function useMyTrades(query: Query = {}): PagedRead<Trade, MyTradesResponse> {
  return useTradesAt("/trades/my-trades", query);
}

/** One person's trades as buyer; for admins. */
export function useTradesOf(uid: string): PagedRead<Trade, MyTradesResponse> {
  return useTradesAt(`/trades/users/${uid}/requests`, { limit: 20 });
}

const offersOf = (page: MyOffersResponse): readonly SellerOffer[] => page.offers;
const hasMoreOffers = (page: MyOffersResponse): boolean => page.nextCursor !== null;

function useOffersAt(path: string, query: Query): PagedRead<SellerOffer, MyOffersResponse> {
  return usePagedRead({
    pathOf: (_page, previous: MyOffersResponse | undefined) =>
      pathOf(path, { ...query, cursor: previous?.nextCursor ?? undefined }),
    schema: myOffersResponse,
    rowsOf: offersOf,
    hasMoreAfter: hasMoreOffers,
    pollMs,
  });
}

export function useMyOffers(tab: OfferTab, query: Query): PagedRead<SellerOffer, MyOffersResponse> {
  return useOffersAt("/trades/offers/my-offers", { ...query, tab });
}

/** How many open offers match. The numbers stay while those of other filters are loading. */
export function useMyOffersCount(query: Query): Read<MyOffersCountResponse> {
  const path = pathOf("/trades/offers/my-offers/count", query);
  return useRead(path, myOffersCountResponse, { keepPrevious: true, pollMs });
}

/** One person's offers as seller, also the closed ones; for admins. */
export function useOffersOf(uid: string): PagedRead<SellerOffer, MyOffersResponse> {
  return useOffersAt(`/trades/users/${uid}/offers`, { status: "all", limit: 20 });
}

export function useFulfillments(): Read<FulfillmentsResponse> {
  return useRead("/trades/fulfillments/pending", fulfillmentsResponse, {
    pollMs: fulfillmentsPollMs,
  });
}

/** How many orders wait, without the orders themselves. */
export function useWaitingOrders(): Read<FulfillmentCountResponse> {
  return useRead("/trades/fulfillments/count", fulfillmentCountResponse, {
    pollMs: fulfillmentsPollMs,
  });
}

/** One trade: whole for its buyer and admins, the own offer for a seller. */
/** With `at`, a position, an instant or a day of the store, as it was recorded by then. */
export function useTrade(tradeId: string, at?: string): Read<OpenedTrade> {
  return useRead(pathOf(`/trades/${tradeId}`, { at }), openedTrade, { pollMs });
}

export function useTradeHistory(tradeId: string, at?: string): Read<TradeHistoryResponse> {
  return useRead(pathOf(`/trades/${tradeId}/history`, { at }), tradeHistoryResponse, { pollMs });
}

export function useTradeShipping(tradeId: string | undefined): Read<TradeShippingResponse> {
  return useRead(
    tradeId === undefined ? undefined : `/trades/${tradeId}/shipping`,
    tradeShippingResponse,
  );
}

/** The rates, balance and address for a request that the viewer makes now. */
export function useTerms(): Read<TradeTermsResponse> {
  return useRead("/trades/terms", tradeTermsResponse);
}

export function requestTrade(
  body: RequestTradeRequest,
  key: string,
): Promise<RequestTradeResponse> {
  return send({ method: "POST", path: "/trades/request", body, answer: requestTradeResponse, key });
}

function changeOffer(
  method: Method,
  path: string,
  body: unknown,
  key: string,
): Promise<OfferChangedResponse> {
  return send({
    method,
    path: `/trades/offers/${path}`,
    body,
    answer: offerChangedResponse,
    key,
  });
}

type OfId = { readonly offerId: string };

export function acceptOffer(
  { offerId, ...body }: OfId & AcceptOfferRequest,
  key: string,
): Promise<OfferChangedResponse> {
  return changeOffer("POST", `${offerId}/accept`, body, key);
}

export function declineOffer(
  { offerId, ...body }: OfId & DeclineOfferRequest,
  key: string,
): Promise<OfferChangedResponse> {
  return changeOffer("POST", `${offerId}/decline`, body, key);
}

export function counterOffer(
  { offerId, ...body }: OfId & CounterOfferRequest,
  key: string,
): Promise<OfferChangedResponse> {
  return changeOffer("POST", `${offerId}/counter`, body, key);
}

export function takeCounterBack(offerId: string, key: string): Promise<OfferChangedResponse> {
  return changeOffer("DELETE", `${offerId}/counter`, undefined, key);
}

/** An action on a trade. `path` starts with its id. */
export function changeTrade(
  method: Method,
  path: string,
  body: unknown,
  key: string,
): Promise<TradeChangedResponse> {
  return send({ method, path: `/trades/${path}`, body, answer: tradeChangedResponse, key });
}

type OfTrade = { readonly tradeId: string };

export function raiseTrade(
  { tradeId, pricePerItem }: OfTrade & { readonly pricePerItem: number },
  key: string,
): Promise<TradeChangedResponse> {
  return changeTrade("POST", `${tradeId}/raise`, { pricePerItem }, key);
}

export function closeRest(tradeId: string, key: string): Promise<TradeChangedResponse> {
  return changeTrade("POST", `${tradeId}/close`, {}, key);
}

export function cancelTrade(
  { tradeId, reason }: OfTrade & { readonly reason: string },
  key: string,
): Promise<TradeChangedResponse> {
  return changeTrade("POST", `${tradeId}/cancel`, reason.trim() === "" ? {} : { reason }, key);
}

/** Cancels units of one acceptance. */
export function cancelAcceptance(
  { tradeId, offerId, ...body }: OfTrade & { readonly offerId: string } & CancelAcceptanceRequest,
  key: string,
): Promise<TradeChangedResponse> {
  return changeTrade("POST", `${tradeId}/offers/${offerId}/cancel`, body, key);
}

export function changeAddress(
  { tradeId, shippingAddress }: OfTrade & { readonly shippingAddress: ShippingAddress },
  key: string,
): Promise<TradeChangedResponse> {
  return changeTrade("PUT", `${tradeId}/address`, { shippingAddress }, key);
}

export function confirmTrade(tradeId: string, key: string): Promise<TradeChangedResponse> {
  return changeTrade("POST", `${tradeId}/confirm`, {}, key);
}

export function reportTrade(
  { tradeId, ...body }: OfTrade & ReportTradeRequest,
  key: string,
): Promise<TradeChangedResponse> {
  return changeTrade("POST", `${tradeId}/report`, body, key);
}

export function closeReport(tradeId: string, key: string): Promise<TradeChangedResponse> {
  return changeTrade("DELETE", `${tradeId}/report`, {}, key);
}

export type LabelUpload = OfTrade & {
  readonly file: File;
  /** Distinguishes files when the same action is repeated, because a file has no JSON form. */
  readonly fileKey: string;
  readonly trackingNumber: string;
  readonly carrier: LabelCarrier;
};

export function uploadLabel(
  { tradeId, file, trackingNumber, carrier }: LabelUpload,
  key: string,
): Promise<TradeChangedResponse> {
  const form = new FormData();
  form.set("label", file);
  form.set("trackingNumber", trackingNumber);
  form.set("carrier", carrier);
  return send({
    method: "POST",
    path: `/trades/${tradeId}/shipping-label`,
    form,
    answer: tradeChangedResponse,
    key,
  });
}
