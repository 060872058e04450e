// What an event may make of the offers of its trade, by what they were before: part of `npm run verify`.
import type { AnyEvent } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import { saysOther } from "#ledger/verify/stream-rules.ts";
import type { Acceptance, Offer, TradeStatus } from "#features/trades/events.ts";
import {
  AcceptanceCancelled,
  CounterRetracted,
  OfferAccepted,
  OfferClosed,
  OfferCountered,
  OfferDeclined,
  OffersExpired,
  TradeAddressChanged,
  TradeCancelled,
  TradeCompleted,
  TradeFulfilled,
  TradeLabelUploaded,
  TradeRaised,
  TradeRefunded,
  TradeRestClosed,
} from "#features/trades/events.ts";
import { acceptedUnits, isOpen, replaced, statusWith } from "#features/trades/offer-terms.ts";
import type { Trade } from "#features/trades/streams.ts";

type Accepted = Pick<Acceptance, "units" | "pricePerItem" | "refundedUnits" | "refundedCents">;

/** What is accepted of an offer; the rows are those of the units that the event moves. */
function acceptedOf({ acceptance }: Offer): Accepted | null {
  return acceptance === null
    ? null
    : {
        units: acceptance.units,
        pricePerItem: acceptance.pricePerItem,
        refundedUnits: acceptance.refundedUnits,
        refundedCents: acceptance.refundedCents,
      };
}

/** What is accepted of an offer after an event, by what was before. */
function acceptedAfter(event: AnyEvent, offer: Offer): Accepted | null {
  const before = acceptedOf(offer);
  if (is(OfferAccepted, event) && event.data.offerId === offer.offerId) {
    const { units, pricePerItem } = event.data;
    return { units, pricePerItem, refundedUnits: 0, refundedCents: 0 };
  }
  if (before === null) {
    return null;
  }
  if (is(TradeCancelled, event)) {
    return { ...before, units: 0 };
  }
  if (is(AcceptanceCancelled, event) && event.data.offerId === offer.offerId) {
    return { ...before, units: before.units - event.data.units };
  }
  if (is(TradeRefunded, event) && event.data.offerId === offer.offerId) {
    return {
      ...before,
      refundedUnits: before.refundedUnits + event.data.units,
      refundedCents: before.refundedCents + event.data.cents,
    };
  }
  return before;
}

type Terms = Pick<Offer, "pricePerItem" | "counters" | "rounds">;

/** The terms of an offer after an event, by what was before: only a counter, taking one back, and a raise change them. */
function termsAfter(event: AnyEvent, offer: Offer, trade: Trade): Terms {
  const { pricePerItem, counters, rounds } = offer;
  if (is(OfferCountered, event) && event.data.offerId === offer.offerId) {
    const { by, pricePerItem: named, quantity } = event.data;
    const counter = { by, pricePerItem: named, quantity };
    return { pricePerItem, counters: [...counters, counter], rounds: rounds + 1 };
  }
  if (is(CounterRetracted, event) && event.data.offerId === offer.offerId) {
    const left = counters.slice(0, -1);
    // The buyer may have raised the price in the meantime.
    const price = left.length === 0 ? trade.pricePerItem : pricePerItem;
    return { pricePerItem: price, counters: left, rounds };
  }
  if (is(TradeRaised, event) && offer.status === "pending") {
    return { pricePerItem: event.data.after, counters, rounds };
  }
  return { pricePerItem, counters, rounds };
}

/** The status of an offer after an event that is about this offer alone; undefined for other events. */
function ownStatusAfter(event: AnyEvent, { offerId, counters, acceptance }: Offer) {
  if (is(OfferAccepted, event) && event.data.offerId === offerId) {
    return "accepted";
  }
  if (is(OfferDeclined, event) && event.data.offerId === offerId) {
    return "declined";
  }
  if (is(OfferClosed, event) && event.data.offerId === offerId) {
    return "no_stock";
  }
  if (is(OfferCountered, event) && event.data.offerId === offerId) {
    return "countered";
  }
  if (is(CounterRetracted, event) && event.data.offerId === offerId) {
    return counters.length > 1 ? "countered" : "pending";
  }
  if (is(AcceptanceCancelled, event) && event.data.offerId === offerId) {
    return acceptance?.units === event.data.units ? "cancelled" : "accepted";
  }
  return undefined;
}

/** The status of an offer after an event, by what was before. */
function statusAfter(event: AnyEvent, offer: Offer): Offer["status"] {
  const own = ownStatusAfter(event, offer);
  if (own !== undefined) {
    return own;
  }
  if (isOpen(offer)) {
    return is(OfferAccepted, event)
      ? "declined"
      : is(OffersExpired, event)
        ? "expired"
        : is(TradeRestClosed, event) || is(TradeCancelled, event)
          ? "withdrawn"
          : offer.status;
  }
  return is(TradeCancelled, event) && offer.acceptance !== null ? "cancelled" : offer.status;
}

/** Only these begin an offer's 48 hours again. */
function movesDeadline(event: AnyEvent): boolean {
  return is(OfferCountered, event) || is(TradeRaised, event);
}

/** What is wrong with the offers that an event says it changed: each type of event changes only what it is about. */
export function wrongOffers(
  event: AnyEvent,
  changed: readonly Offer[],
  trade: Trade,
): string | null {
  for (const said of changed) {
    const offer = trade.offers.find(({ offerId }) => offerId === said.offerId);
    if (offer === undefined) {
      return `there is no offer ${said.offerId}`;
    }
    const { sellerUid, itemIds, quantityOffered } = offer;
    const wrong = saysOther(
      {
        sellerUid: said.sellerUid,
        itemIds: said.itemIds,
        quantityOffered: said.quantityOffered,
        pricePerItem: said.pricePerItem,
        counters: said.counters,
        rounds: said.rounds,
        status: said.status,
        expiresAt: said.expiresAt,
        acceptance: acceptedOf(said),
      },
      {
        sellerUid,
        itemIds,
        quantityOffered,
        ...termsAfter(event, offer, trade),
        status: statusAfter(event, offer),
        expiresAt: movesDeadline(event) ? said.expiresAt : offer.expiresAt,
        acceptance: acceptedAfter(event, offer),
      },
    );
    if (wrong !== null) {
      return `of offer ${said.offerId}, ${wrong}`;
    }
  }
  return null;
}

/** The trade's status after an event, by the offers that it changed. */
export function tradeStatusAfter(
  event: AnyEvent,
  changed: readonly Offer[],
  trade: Trade,
): TradeStatus {
  const offers = replaced(trade.offers, changed);
  if (is(TradeCancelled, event)) {
    return "cancelled";
  }
  if (is(TradeLabelUploaded, event)) {
    return "shipping_uploaded";
  }
  if (is(TradeAddressChanged, event)) {
    return event.data.voidedLabelId === null ? trade.status : "awaiting_shipping";
  }
  if (is(TradeFulfilled, event)) {
    return "fulfilled";
  }
  if (is(TradeCompleted, event)) {
    return "completed";
  }
  if (is(AcceptanceCancelled, event)) {
    const isEmpty = acceptedUnits(offers) === 0 && !offers.some(isOpen);
    return isEmpty ? "cancelled" : trade.status;
  }
  return statusWith(trade.status, offers);
}
