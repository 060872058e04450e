// What follows from an offer and its trade: whose turn it is, the terms on the table, when it ends, and what is left to fill.
import { MAX_COUNTERS, OFFER_HOURS, OFFER_MAX_DAYS } from "#features/trades/contract.ts";
import type { Counter, Offer, Party, TradeStatus } from "#features/trades/events.ts";
import type { Trade } from "#features/trades/streams.ts";
import { DAY_MS } from "#ledger/day-text.ts";
import type { Cents } from "#ledger/money.ts";

export const HOUR_MS = 3_600_000;

/** The instant this much later, ISO 8601. */
export function later(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/** Whether a deadline has come. */
export function isDue(deadline: string, now: string): boolean {
  return Date.parse(deadline) <= Date.parse(now);
}

export function isOpen({ status }: Offer): boolean {
  return status === "pending" || status === "countered";
}

/** The counter on the table; undefined while the buyer's own price is. */
function lastCounter({ counters }: Offer): Counter | undefined {
  return counters.at(-1);
}

/** Who has to answer: the party that did not name the price. Null if the offer is closed. */
export function turnOf(offer: Offer): Party | null {
  if (!isOpen(offer)) {
    return null;
  }
  return lastCounter(offer)?.by === "seller" ? "buyer" : "seller";
}

/** Price and units on the table. */
export function tableOf(offer: Offer): { readonly pricePerItem: Cents; readonly quantity: number } {
  const { pricePerItem, quantityOffered } = offer;
  return lastCounter(offer) ?? { pricePerItem, quantity: quantityOffered };
}

export function hasCountersLeft({ rounds }: Offer): boolean {
  return rounds < MAX_COUNTERS;
}

/** When an offer ends if its 48 hours begin now: at most a week after the request. */
export function offerEnd(requestedAt: string, now: string): string {
  const restarted = later(now, OFFER_HOURS * HOUR_MS);
  const latest = later(requestedAt, OFFER_MAX_DAYS * DAY_MS);
  return Date.parse(restarted) < Date.parse(latest) ? restarted : latest;
}

/** Units that are accepted and not cancelled. */
export function acceptedUnits(offers: readonly Offer[]): number {
  return offers.reduce((sum, { acceptance }) => sum + (acceptance?.units ?? 0), 0);
}

/** What the accepted units cost, without shipping. */
export function acceptedCents(offers: readonly Offer[]): Cents {
  return offers.reduce((sum, offer) => sum + priceOf(offer), 0);
}

/** What the accepted units of one offer cost. */
export function priceOf({ acceptance }: Offer): Cents {
  return acceptance === null ? 0 : acceptance.units * acceptance.pricePerItem;
}

export function unitsNeeded({ quantity, offers }: Pick<Trade, "quantity" | "offers">): number {
  return quantity - acceptedUnits(offers);
}

/** The statuses in which a trade can still be cancelled or changed. */
export function isBeforeFulfillment(status: TradeStatus): boolean {
  return status === "pending" || status === "awaiting_shipping" || status === "shipping_uploaded";
}

/**
 * The status that follows from these offers. While one is open the trade is pending. After that it waits for its
 * label, or it is over: expired if an offer ran out of time or stock, cancelled if everybody declined.
 */
export function statusWith(status: TradeStatus, offers: readonly Offer[]): TradeStatus {
  if (status !== "pending" || offers.some(isOpen)) {
    return status;
  }
  if (acceptedUnits(offers) > 0) {
    return "awaiting_shipping";
  }
  const ranOut = offers.some((offer) => offer.status === "expired" || offer.status === "no_stock");
  return ranOut ? "expired" : "cancelled";
}

/** The offers with some of them replaced. */
export function replaced(offers: readonly Offer[], changed: readonly Offer[]): readonly Offer[] {
  const byId = new Map(changed.map((offer) => [offer.offerId, offer]));
  return offers.map((offer) => byId.get(offer.offerId) ?? offer);
}
