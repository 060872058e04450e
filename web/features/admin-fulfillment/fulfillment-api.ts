// The store's calls about its orders: fulfill, refund, and read the label.
import type { RefundTradeRequest, TradeChangedResponse } from "#features/trades/contract.ts";
import { open } from "#web/lib/http.ts";
import { changeTrade } from "#web/shared/trade/trade-api.ts";

type OfTrade = { readonly tradeId: string };

/** The call that fulfills a trade. */
export function fulfillCall(tradeId: string) {
  return { method: "POST", path: `/trades/${tradeId}/fulfill`, body: {} } as const;
}

export function fulfillTrade(tradeId: string, key: string): Promise<TradeChangedResponse> {
  return changeTrade("POST", `${tradeId}/fulfill`, {}, key);
}

/** The call that refunds a trade. */
export function refundCall({ tradeId, ...body }: OfTrade & RefundTradeRequest) {
  return { method: "POST", path: `/trades/${tradeId}/refund`, body } as const;
}

export function refundTrade(
  { tradeId, ...body }: OfTrade & RefundTradeRequest,
  key: string,
): Promise<TradeChangedResponse> {
  return changeTrade("POST", `${tradeId}/refund`, body, key);
}

/** The label's file. Throws ApiError. */
export async function readLabel(tradeId: string): Promise<Blob> {
  const signal = new AbortController().signal;
  const response = await open(`/trades/${tradeId}/label`, signal, "application/pdf");
  return new Blob([await response.arrayBuffer()], { type: "application/pdf" });
}
