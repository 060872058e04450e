// A seller's offer as the answer dialogs take it.
import type { SellerOffer } from "#features/trades/contract-reads.ts";
import type { AnswerableOffer } from "#web/shared/trade/offer-terms.ts";
import { priceNow } from "#web/shared/trade/trade-words.ts";

export function answerable(offer: SellerOffer): AnswerableOffer {
  return {
    offerId: offer.offerId,
    tradeId: offer.tradeId,
    itemName: offer.itemName,
    quantity: offer.quantity,
    priceCents: priceNow(offer),
    countersLeft: offer.countersLeft,
    commissionPercentage: offer.commissionPercentage,
    shippingFeeCents: undefined,
  };
}
