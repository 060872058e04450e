// The calls about payouts that several screens send: reading pending ones, marking one as paid or returned, deleting one.
import {
  payoutSettledResponse,
  pendingResponse,
  type MarkPaidRequest,
  type PayoutSettledResponse,
  type PayoutView,
  type PendingPayout,
  type PendingResponse,
  type ReturnPayoutRequest,
} from "#features/payouts/contract.ts";
import { pathOf, send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

const MOST = 5;

/** The oldest pending requests of one person. */
export function usePendingPayoutsOf(consignor: string): Read<PendingResponse> {
  return useRead(pathOf("/payouts/pending", { consignor, limit: MOST }), pendingResponse);
}

const ALL = 1000;

/** All of one person's pending requests, as the list has them before somebody pays one. */
export function useAllPendingOf(consignor: string): Read<PendingResponse> {
  return useRead(pathOf("/payouts/pending", { consignor, limit: ALL }), pendingResponse);
}

/** The store's pending requests, whatever the list behind a dialog shows. Undefined if there are more than one page has. */
export function useAllPending(isWanted: boolean): PendingResponse["payouts"] | undefined {
  const path = isWanted ? pathOf("/payouts/pending", { limit: ALL }) : undefined;
  const { data } = useRead(path, pendingResponse);
  return data?.nextCursor === null ? data.payouts : undefined;
}

export type NamedPayout = Pick<PendingPayout, "id" | "consignorID">;

/** With the handle that is on the screen: the consignor may correct it before the answer. */
type ShownPayout = NamedPayout & Pick<PendingPayout, "handleId">;

export type PaidPayout = Pick<
  PayoutView,
  "id" | "consignorID" | "displayName" | "isConsignorDeleted" | "amount" | "method"
>;

export function payoutPath({ id, consignorID }: NamedPayout): string {
  return `/payouts/${encodeURIComponent(consignorID)}/${id}`;
}

type Payment = { readonly payout: ShownPayout; readonly body: MarkPaidRequest };

export function markPaidWith(
  { payout, body }: Payment,
  key: string,
): Promise<PayoutSettledResponse> {
  const path = `${payoutPath(payout)}/paid`;
  const sent = { ...body, handleId: payout.handleId };
  return send({ method: "PATCH", path, body: sent, answer: payoutSettledResponse, key });
}

export function markPaid(payout: ShownPayout, key: string): Promise<PayoutSettledResponse> {
  return markPaidWith({ payout, body: {} }, key);
}

/** The money is available again. A consignor withdraws their own request so. */
export function deleteRequest(payout: NamedPayout, key: string): Promise<PayoutSettledResponse> {
  return send({ method: "DELETE", path: payoutPath(payout), answer: payoutSettledResponse, key });
}

export function returnCall(payout: NamedPayout, body: ReturnPayoutRequest) {
  return { method: "POST", path: `${payoutPath(payout)}/return`, body } as const;
}

export type Return = { readonly payout: NamedPayout; readonly body: ReturnPayoutRequest };

export function markReturned(
  { payout, body }: Return,
  key: string,
): Promise<PayoutSettledResponse> {
  return send({ ...returnCall(payout, body), answer: payoutSettledResponse, key });
}
