// What corrections and refunds have in common: the sale they name, the streams it touches, and its item's stock.
import type { Rejection, States } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import type { Cents } from "#ledger/money.ts";
import { consignorStreamId } from "#features/accounts/streams.ts";
import { itemStreamId, itemStream } from "#features/inventory/streams.ts";
import type { RecordedSale } from "#features/sales/streams.ts";
import { saleStream, saleStreamId } from "#features/sales/streams.ts";
import { recipientStreams } from "#features/users/streams.ts";

export type FoundSale = {
  readonly kind: "found";
  readonly sale: RecordedSale;
  readonly version: number;
};

/** The answer to a correction or a refund: the sale's version, its payout, and this refund's amounts. */
export type SaleChangedAnswer = {
  readonly saleId: string;
  readonly version: number;
  readonly payoutCents: Cents;
  readonly refundedCents: Cents;
  readonly refundedTaxCents: Cents;
  readonly refundedPayoutCents: Cents;
};

/** Rejects 404 `sale_not_found`, 409 `sale_changed` with the sale's current terms. */
export function findSale(
  states: States,
  saleId: string,
  expectedVersion: number | null,
): FoundSale | Rejection {
  const { version, state } = states.get(saleStream, saleStreamId(saleId));
  if (state.status === "none") {
    return reject(404, "sale_not_found", "There is no such sale");
  }
  if (expectedVersion !== null && expectedVersion !== version) {
    return reject(409, "sale_changed", "This sale changed since you opened it", {
      version,
      ...state.terms,
      refundedUnits: state.refunded.units,
    });
  }
  return { kind: "found", sale: state, version };
}

/** The streams of a sale's item and consignor, once the sale is loaded. */
export function streamsOfSale(states: States, saleId: string): readonly string[] {
  const { state } = states.get(saleStream, saleStreamId(saleId));
  if (state.status === "none") {
    return [];
  }
  return [
    ...(state.itemId === null ? [] : [itemStreamId(state.itemId)]),
    ...(state.consignorId === null ? [] : [consignorStreamId(state.consignorId)]),
  ];
}

/** The stream that says whether the sale's consignor was deleted, once the sale is loaded. */
export function recipientOfSale(states: States, saleId: string): readonly string[] {
  const { state } = states.get(saleStream, saleStreamId(saleId));
  return state.status === "none" ? [] : recipientStreams(state.consignorId);
}

/** The sale's item, and whether it was deleted; null for a custom sale. */
export function stockOf(
  states: States,
  sale: RecordedSale,
): { readonly itemId: string; readonly archived: boolean } | null {
  if (sale.itemId === null) {
    return null;
  }
  const { archived } = states.get(itemStream, itemStreamId(sale.itemId)).state;
  return { itemId: sale.itemId, archived };
}
