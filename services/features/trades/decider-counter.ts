// Decides what changes the terms before anybody accepts: a counter, taking it back, and the buyer's raise.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import type { Cents } from "#ledger/money.ts";
import { formatCents } from "#ledger/money.ts";
import { consignorStream, consignorStreamId } from "#features/accounts/streams.ts";
import { MAX_COUNTERS } from "#features/trades/contract.ts";
import {
  answerOffer,
  findTurn,
  moreThanOffered,
  refuseClosed,
  refuseUnseen,
} from "#features/trades/decider-answer.ts";
import { notEnoughBalance } from "#features/trades/decider-request.ts";
import type { Offer } from "#features/trades/events.ts";
import { CounterRetracted, OfferCountered, TradeRaised } from "#features/trades/events.ts";
import type { OfferAnswer, TradeAnswer } from "#features/trades/found-trade.ts";
import {
  alreadyAccepted,
  buyerStreams,
  findOffer,
  findOwnTrade,
  notPending,
  tradeEvent,
} from "#features/trades/found-trade.ts";
import { acceptedUnits, hasCountersLeft, offerEnd, tableOf } from "#features/trades/offer-terms.ts";
import { tradeIdOfOffer, tradeStreamId } from "#features/trades/streams.ts";

export type CounterOffer = {
  readonly offerId: string;
  readonly actorUid: string;
  readonly pricePerItem: Cents;
  /** Null for the units on the table. */
  readonly quantity: number | null;
  /** The price that was shown; null counters whatever is on the table. */
  readonly shownPricePerItem: Cents | null;
  readonly happenedAt: string;
};

export type TakeCounterBack = {
  readonly offerId: string;
  readonly actorUid: string;
  readonly happenedAt: string;
};

export type RaiseTrade = {
  readonly tradeId: string;
  readonly actorUid: string;
  readonly pricePerItem: Cents;
  readonly happenedAt: string;
};

/**
 * Rejects 404 `offer_not_found`; 409 `offer_expired`, `offer_closed`, `not_your_turn`, `too_many_counters`,
 * `price_changed`, `more_than_offered`, and `same_terms` for the terms that are on the table already.
 */
export const counterOffer: Decider<CounterOffer, OfferAnswer> = {
  type: "CounterOffer",
  streams: ({ offerId }) => [tradeStreamId(tradeIdOfOffer(offerId))],
  more: ({ offerId }, states) => buyerStreams(states, tradeIdOfOffer(offerId)),
  decide: (command, states) => {
    const { offerId, actorUid, pricePerItem, happenedAt } = command;
    const asked = findTurn(states, offerId, actorUid, happenedAt);
    if (asked.kind === "rejected") {
      return asked;
    }
    const { found, offer, party } = asked;
    if (!hasCountersLeft(offer)) {
      const message = `After ${MAX_COUNTERS} counters an offer can only be accepted or declined`;
      return reject(409, "too_many_counters", message);
    }
    const unseen = refuseUnseen(offer, command.shownPricePerItem);
    if (unseen !== null) {
      return unseen;
    }
    const table = tableOf(offer);
    const quantity = command.quantity ?? table.quantity;
    if (quantity > offer.quantityOffered) {
      return moreThanOffered(offer.quantityOffered);
    }
    if (quantity === table.quantity && pricePerItem === table.pricePerItem) {
      return reject(409, "same_terms", "These are the terms on the table: accept them instead");
    }
    const counter = { by: party, pricePerItem, quantity };
    const changed: Offer[] = [
      {
        ...offer,
        status: "countered",
        counters: [...offer.counters, counter],
        rounds: offer.rounds + 1,
        expiresAt: offerEnd(found.trade.requestedAt, happenedAt),
        isReminded: false,
      },
    ];
    const own = { offerId, sellerUid: offer.sellerUid, ...counter };
    const event = tradeEvent(OfferCountered, found, changed, own);
    return accept([...found.expired, event], answerOffer(asked, changed));
  },
};

/** Rejects 404 `offer_not_found`; 409 `offer_expired`, `offer_closed`, and `no_counter` if the last one is the other party's. */
export const takeCounterBack: Decider<TakeCounterBack, OfferAnswer> = {
  type: "TakeCounterBack",
  streams: ({ offerId }) => [tradeStreamId(tradeIdOfOffer(offerId))],
  more: ({ offerId }, states) => buyerStreams(states, tradeIdOfOffer(offerId)),
  decide: ({ offerId, actorUid, happenedAt }, states) => {
    const asked = findOffer(states, offerId, actorUid, happenedAt);
    if (asked.kind === "rejected") {
      return asked;
    }
    const { found, offer, party } = asked;
    const refusal = refuseClosed(offer);
    if (refusal !== null) {
      return refusal;
    }
    if (offer.counters.at(-1)?.by !== party) {
      return reject(409, "no_counter", "You have no counter to take back");
    }
    const counters = offer.counters.slice(0, -1);
    const isFirst = counters.length === 0;
    const changed: Offer[] = [
      {
        ...offer,
        counters,
        status: isFirst ? "pending" : "countered",
        // The buyer may have raised the price in the meantime.
        pricePerItem: isFirst ? found.trade.pricePerItem : offer.pricePerItem,
      },
    ];
    const own = { offerId, sellerUid: offer.sellerUid, by: party };
    const event = tradeEvent(CounterRetracted, found, changed, own);
    return accept([...found.expired, event], answerOffer(asked, changed));
  },
};

/**
 * Rejects 404 `trade_not_found`; 409 `trade_not_pending`, `already_accepted`, `not_higher`, `nothing_to_raise` if
 * every open offer has a counter, and `insufficient_balance`.
 */
export const raiseTrade: Decider<RaiseTrade, TradeAnswer> = {
  type: "RaiseTrade",
  streams: ({ tradeId, actorUid }) => [tradeStreamId(tradeId), consignorStreamId(actorUid)],
  more: ({ tradeId }, states) => buyerStreams(states, tradeId),
  decide: ({ tradeId, actorUid, pricePerItem, happenedAt }, states) => {
    const found = findOwnTrade(states, tradeId, actorUid, happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const { trade, heldCents } = found;
    if (trade.status !== "pending") {
      return notPending(trade.status);
    }
    if (acceptedUnits(trade.offers) > 0) {
      return alreadyAccepted;
    }
    if (pricePerItem <= trade.pricePerItem) {
      const message = `The price must be higher than ${formatCents(trade.pricePerItem)}`;
      return reject(409, "not_higher", message, { pricePerItem: trade.pricePerItem });
    }
    const pending = trade.offers.filter(({ status }) => status === "pending");
    if (pending.length === 0) {
      const message = "Every open offer has a counter: answer it instead";
      return reject(409, "nothing_to_raise", message);
    }
    const totalCents = trade.quantity * pricePerItem + trade.rates.shippingFeeCents;
    const { availableCents } = states.get(consignorStream, consignorStreamId(actorUid)).state;
    if (availableCents < totalCents) {
      return notEnoughBalance(totalCents, availableCents);
    }
    const expiresAt = offerEnd(trade.requestedAt, happenedAt);
    const changed = pending.map((offer): Offer => ({
      ...offer,
      pricePerItem,
      expiresAt,
      isReminded: false,
    }));
    const own = { before: trade.pricePerItem, after: pricePerItem };
    const event = tradeEvent(TradeRaised, found, changed, own);
    return accept([...found.expired, event], { tradeId, status: "pending", heldCents });
  },
};
