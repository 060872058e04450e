// What an answer to an offer leads to: the money of its seller or buyer, the terms after a refusal, and what was accepted.
import { termsChangedCurrent, type OfferChangedResponse } from "#features/trades/contract.ts";
import { shareOf } from "#ledger/money.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { formatCount, formatMoney, formatQuantity } from "#web/lib/formats.ts";

/** What the dialogs need to know about an offer. */
export type AnswerableOffer = {
  readonly offerId: string;
  readonly tradeId: string;
  readonly itemName: string;
  /** Units on the table. */
  readonly quantity: number;
  /** The price on the table for one unit. */
  readonly priceCents: number;
  /** How many counters are left. */
  readonly countersLeft: number;
  /** Undefined for the buyer. */
  readonly commissionPercentage: number | undefined;
  /** What is charged with the first acceptance; undefined for sellers. */
  readonly shippingFeeCents: number | undefined;
};

export type PartyOfOffer = Pick<AnswerableOffer, "commissionPercentage" | "shippingFeeCents">;

/** The offer on its present terms, if these are why an answer was refused. */
export function offerAfter(offer: AnswerableOffer, error: unknown): AnswerableOffer {
  const isChanged =
    error instanceof ApiError &&
    (error.code === "price_changed" || error.code === "more_than_offered");
  const current = termsChangedCurrent.safeParse(isChanged ? error.current : undefined);
  return current.success
    ? {
        ...offer,
        priceCents: current.data.pricePerItem ?? offer.priceCents,
        quantity: current.data.quantity ?? offer.quantity,
      }
    : offer;
}

/** The message after an acceptance. Fewer units than asked for are said, with the money that they are. */
export function acceptedText(
  offer: PartyOfOffer,
  asked: number | undefined,
  { acceptedQuantity, totalValue }: Pick<OfferChangedResponse, "acceptedQuantity" | "totalValue">,
): string {
  if (asked === undefined || acceptedQuantity >= asked) {
    return "Offer accepted successfully!";
  }
  const { commissionPercentage, shippingFeeCents = 0 } = offer;
  const money =
    commissionPercentage === undefined
      ? `you pay ${formatMoney(totalValue + shippingFeeCents)}`
      : `you receive ${formatMoney(totalValue - shareOf(totalValue, commissionPercentage, 100))}`;
  return `Only ${formatCount(acceptedQuantity)} of ${formatQuantity(asked, "unit")} could still be accepted: ${money}`;
}
