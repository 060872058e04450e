// A trade request as it is typed, as it is sent, and what it would cost.
import type { MarketplaceItem } from "#features/marketplace/contract.ts";
import {
  requestTradeRequest,
  type RequestTradeRequest,
  type ShippingAddress,
} from "#features/trades/contract.ts";
import { parseDollars, parseWhole, wholeToSend } from "#web/lib/amount.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { emptyAddress } from "#web/shared/trade/address-draft.ts";

export type RequestDraft = {
  readonly quantity: string;
  /** Dollars, for one unit. */
  readonly price: string;
  readonly hasOwnLabel: boolean;
  /** Undefined until the buyer types or picks one. Until then the first saved address is used. */
  readonly address: ShippingAddress | undefined;
};

export const emptyRequest: RequestDraft = {
  quantity: "1",
  price: "",
  hasOwnLabel: false,
  address: undefined,
};

/** The typed or picked address, or the one of the last trade. */
export function addressOf(
  { address }: RequestDraft,
  saved: readonly ShippingAddress[],
): ShippingAddress {
  return address ?? saved[0] ?? emptyAddress;
}

export function requestOf(
  item: MarketplaceItem,
  draft: RequestDraft,
  address: ShippingAddress,
): RequestTradeRequest {
  return {
    itemName: item.itemName,
    itemBarcode: item.barcode1,
    quantity: wholeToSend(draft.quantity),
    pricePerItem: parseDollars(draft.price) ?? 0,
    shippingAddress: address,
    providesOwnShipping: draft.hasOwnLabel,
    ...(item.link === "" ? {} : { itemLink: item.link }),
    ...(item.imageUrl === "" ? {} : { imageUrl: item.imageUrl }),
  };
}

/** Errors by field. Asking for more units than there are is one too, and so is `tooDear`. */
export function requestErrors(
  item: MarketplaceItem,
  request: RequestTradeRequest,
  tooDear: string | undefined,
): FieldErrors {
  return {
    ...(tooDear === undefined ? {} : { pricePerItem: tooDear }),
    ...(request.quantity > item.totalQuantity
      ? { quantity: `Only ${item.totalQuantity} available` }
      : {}),
    ...errorsIn(requestTradeRequest, request),
  };
}

export type Cost = {
  readonly quantity: number;
  readonly priceCents: number;
  readonly itemsCents: number;
  readonly feeCents: number;
  readonly totalCents: number;
};

export function feeOf({ hasOwnLabel }: RequestDraft, shippingFeeCents: number): number {
  return hasOwnLabel ? 0 : shippingFeeCents;
}

/** Undefined while quantity or price is not a number. */
export function costOf(draft: RequestDraft, shippingFeeCents: number): Cost | undefined {
  const quantity = parseWhole(draft.quantity);
  const priceCents = parseDollars(draft.price);
  if (quantity === undefined || priceCents === undefined) {
    return undefined;
  }
  const itemsCents = quantity * priceCents;
  const feeCents = feeOf(draft, shippingFeeCents);
  return { quantity, priceCents, itemsCents, feeCents, totalCents: itemsCents + feeCents };
}

/** What is wrong with the price where the balance is too small; undefined while either is not known. */
export function tooDearFor(
  availableCents: number | undefined,
  cost: Cost | undefined,
): string | undefined {
  return cost !== undefined && availableCents !== undefined && cost.totalCents > availableCents
    ? `This needs ${formatMoney(cost.totalCents)}, and you have ${formatMoney(availableCents)} available`
    : undefined;
}
