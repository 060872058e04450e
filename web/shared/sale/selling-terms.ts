// The store's rates and agreed shares, as the sale forms and the till read them.
import {
  defaultRates,
  sellingResponse,
  type SellingResponse,
} from "#features/settings/contract.ts";
import { toDollars } from "#ledger/money.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export type SellingTerms = SellingResponse;

export const sellingPath = "/settings/selling";
export const sellingTerms = sellingResponse;

const { tradeShippingFeeCents, ...usualRates } = defaultRates;

/** What counts until the server has answered for the first time: the rates of a store that set none. */
export const usualTerms: SellingTerms = {
  ...usualRates,
  tradeShippingFee: toDollars(tradeShippingFeeCents),
  agreedShares: [],
  receipt: { storeName: null, addressLines: [], returnPolicy: null },
};

export function useSellingTerms(): Read<SellingTerms> {
  return useRead(sellingPath, sellingTerms);
}

/** Undefined where no share was agreed with this consignor. */
export function agreedShareOf({ agreedShares }: SellingTerms, uid: string): number | undefined {
  return agreedShares.find((agreed) => agreed.uid === uid)?.percentage;
}
