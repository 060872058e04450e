// How the states of trades and offers read on every screen.
import type { LabelCarrier, TradeStatus } from "#features/trades/contract.ts";
import type { SellerOffer, Trade, TradeOffer } from "#features/trades/contract-reads.ts";
import { formatCount, formatMoney, formatQuantity } from "#web/lib/formats.ts";
import type { ChipKind } from "#web/ui/chip.tsx";

type Words = { readonly label: string; readonly kind: ChipKind };

export const tradeStatusWords: Readonly<Record<TradeStatus, Words>> = {
  pending: { label: "Waiting for sellers", kind: "pending" },
  awaiting_shipping: { label: "Waiting for label", kind: "pending" },
  shipping_uploaded: { label: "Label uploaded", kind: "accent" },
  fulfilled: { label: "Fulfilled", kind: "done" },
  completed: { label: "Completed", kind: "done" },
  cancelled: { label: "Cancelled", kind: "neutral" },
  expired: { label: "Expired", kind: "neutral" },
};

const closedWords = {
  expired: { label: "Expired", kind: "neutral" },
  withdrawn: { label: "Withdrawn", kind: "neutral" },
  no_stock: { label: "No stock left", kind: "neutral" },
  cancelled: { label: "Cancelled", kind: "correction" },
  accepted: { label: "Accepted", kind: "done" },
} as const satisfies Record<string, Words>;

type OfferState = Pick<TradeOffer, "status" | "declinedBecause" | "turn">;

/** An offer's state, as one of its two parties sees it. */
export function offerWords(
  { status, declinedBecause, turn }: OfferState,
  reader: "buyer" | "seller",
): Words {
  if (status === "declined") {
    return {
      label: declinedBecause === "filled" ? "Filled by others" : "Declined",
      kind: "neutral",
    };
  }
  if (status === "pending" || status === "countered") {
    return turn === reader
      ? {
          label: status === "countered" ? "A counter waits for you" : "Needs reply",
          kind: "accent",
        }
      : { label: reader === "buyer" ? "Waiting on seller" : "Waiting on buyer", kind: "pending" };
  }
  return closedWords[status];
}

export function isOpenOffer({ status }: Pick<TradeOffer | SellerOffer, "status">): boolean {
  return status === "pending" || status === "countered";
}

/** "1 unit at $9.00", "2 units at $9.00 each" */
export function unitsAt(quantity: number, cents: number): string {
  return `${formatQuantity(quantity, "unit")} at ${formatMoney(cents)}${quantity === 1 ? "" : " each"}`;
}

/** "2 units at $7.00 each" as asked for; once something is accepted, at its prices: "1 of 2 units accepted at $8.50". */
export function boughtWords(
  trade: Pick<Trade, "quantity" | "pricePerItem" | "acceptedQuantity"> & {
    readonly offers: readonly Pick<TradeOffer, "acceptedQuantity" | "acceptedPrice">[];
  },
): string {
  const { quantity, pricePerItem, acceptedQuantity } = trade;
  const prices = trade.offers.flatMap((offer) =>
    offer.acceptedQuantity > 0 && offer.acceptedPrice !== null ? [offer.acceptedPrice] : [],
  );
  if (prices.length === 0) {
    return unitsAt(quantity, pricePerItem);
  }
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const units = formatQuantity(quantity, "unit");
  const accepted =
    acceptedQuantity === quantity ? units : `${formatCount(acceptedQuantity)} of ${units}`;
  const each = acceptedQuantity === 1 ? "" : " each";
  return lowest === highest
    ? `${accepted} accepted at ${formatMoney(lowest)}${each}`
    : `${accepted} accepted at ${formatMoney(lowest)} to ${formatMoney(highest)}`;
}

/** The price on the table for one unit. */
export function priceNow({
  pricePerItem,
  counterPrice,
}: Pick<TradeOffer, "pricePerItem" | "counterPrice">): number {
  return counterPrice ?? pricePerItem;
}

/** The offers whose counter the buyer has to answer. */
export function countersFor(trade: Trade): readonly TradeOffer[] {
  return trade.offers.filter(({ status, turn }) => status === "countered" && turn === "buyer");
}

/** The carrier's tracking page. */
export function trackingLink(carrier: LabelCarrier, trackingNumber: string): string {
  const number = encodeURIComponent(trackingNumber);
  const links: Readonly<Record<LabelCarrier, string>> = {
    USPS: `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`,
    UPS: `https://www.ups.com/track?tracknum=${number}`,
    FedEx: `https://www.fedex.com/fedextrack/?trknbr=${number}`,
  };
  return links[carrier];
}
