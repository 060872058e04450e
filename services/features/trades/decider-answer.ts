// Decides the two answers that end an offer: accepting, which holds the buyer's money and the seller's units, and declining.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import type { Cents } from "#ledger/money.ts";
import { formatCents } from "#ledger/money.ts";
import { move } from "#ledger/posting.ts";
import {
  availableAccount,
  consignorStream,
  consignorStreamId,
} from "#features/accounts/streams.ts";
import { itemStreamId } from "#features/inventory/streams.ts";
import { notEnoughBalance } from "#features/trades/decider-request.ts";
import type { Offer } from "#features/trades/events.ts";
import { OfferAccepted, OfferClosed, OfferDeclined } from "#features/trades/events.ts";
import type { FoundOffer, OfferAnswer } from "#features/trades/found-trade.ts";
import { buyerStreams, findOffer, tradeEvent, tradeIn } from "#features/trades/found-trade.ts";
import {
  isOpen,
  priceOf,
  replaced,
  statusWith,
  tableOf,
  turnOf,
  unitsNeeded,
} from "#features/trades/offer-terms.ts";
import {
  escrowAccount,
  tradeHolding,
  tradeIdOfOffer,
  traderStreamId,
  tradeStreamId,
} from "#features/trades/streams.ts";
import { stockOf, stockStreams, takeRows, unitsOf } from "#features/trades/trade-stock.ts";

export type AcceptOffer = {
  readonly offerId: string;
  readonly actorUid: string;
  /** The price that was shown; null accepts whatever is on the table. */
  readonly pricePerItem: Cents | null;
  /** Null for all that is offered. */
  readonly quantity: number | null;
  readonly happenedAt: string;
};

export type DeclineOffer = {
  readonly offerId: string;
  readonly actorUid: string;
  /** The price that was shown; null declines whatever is on the table. */
  readonly shownPricePerItem: Cents | null;
  readonly happenedAt: string;
};

/** An offer that waits for the caller. Rejects 404 `offer_not_found`; 409 `offer_expired`, `offer_closed`, `not_your_turn`. */
export function findTurn(
  states: States,
  offerId: string,
  actorUid: string,
  now: string,
): FoundOffer | Rejection {
  const asked = findOffer(states, offerId, actorUid, now);
  if (asked.kind === "rejected") {
    return asked;
  }
  const { offer, party } = asked;
  const refusal = refuseClosed(offer);
  if (refusal !== null) {
    return refusal;
  }
  if (turnOf(offer) !== party) {
    return reject(409, "not_your_turn", "It is the other party's turn to answer");
  }
  return asked;
}

/** 409 `offer_expired` or `offer_closed` for an offer that can no longer be answered. */
export function refuseClosed(offer: Offer): Rejection | null {
  if (isOpen(offer)) {
    return null;
  }
  const { status } = offer;
  return status === "expired"
    ? reject(409, "offer_expired", "This offer has expired", { status })
    : reject(409, "offer_closed", "This offer is closed", { status });
}

/** The offer as a command leaves it. */
export function answerOffer({ found }: FoundOffer, changed: readonly Offer[]): OfferAnswer {
  const { tradeId, trade } = found;
  const offers = replaced(trade.offers, changed);
  const after = changed[0];
  return {
    offerId: after?.offerId ?? "",
    tradeId,
    status: after?.status ?? "pending",
    tradeStatus: statusWith(trade.status, offers),
    acceptedUnits: after?.acceptance?.units ?? 0,
    acceptedCents: after === undefined ? 0 : priceOf(after),
  };
}

/**
 * Rejects 404 `offer_not_found`; 409 `offer_expired`, `offer_closed`, `not_your_turn`, `price_changed`,
 * `more_than_offered`, `insufficient_balance`. A seller without stock closes the offer: status `no_stock`.
 */
export const acceptOffer: Decider<AcceptOffer, OfferAnswer> = {
  type: "AcceptOffer",
  streams: ({ offerId }) => [tradeStreamId(tradeIdOfOffer(offerId))],
  more: ({ offerId }, states) => {
    const tradeId = tradeIdOfOffer(offerId);
    const trade = tradeIn(states, tradeId);
    const offer = trade?.offers.find((one) => one.offerId === offerId);
    return trade === null || offer === undefined
      ? buyerStreams(states, tradeId)
      : [
          ...buyerStreams(states, tradeId),
          consignorStreamId(trade.buyerUid),
          traderStreamId(offer.sellerUid),
          ...stockStreams(states, offer, trade.barcode1),
        ];
  },
  decide: (command, states) => {
    const { offerId, actorUid, happenedAt } = command;
    const asked = findTurn(states, offerId, actorUid, happenedAt);
    if (asked.kind === "rejected") {
      return asked;
    }
    const { found, offer } = asked;
    const wanted = wantedUnits(command, offer);
    if (typeof wanted !== "number") {
      return wanted;
    }
    const stock = stockOf(states, offer, found.trade.barcode1);
    const units = Math.min(wanted, unitsNeeded(found.trade), unitsOf(stock));
    if (units === 0) {
      const changed = [{ ...offer, status: "no_stock" as const }];
      const own = { offerId, sellerUid: offer.sellerUid };
      const event = tradeEvent(OfferClosed, found, changed, own);
      return accept([...found.expired, event], answerOffer(asked, changed));
    }
    return acceptUnits(states, asked, stock, units);
  },
};

/** 409 `price_changed` if another price is on the table than the one that was shown; null where none was. */
export function refuseUnseen(offer: Offer, shown: Cents | null): Rejection | null {
  const { pricePerItem } = tableOf(offer);
  if (shown === null || shown === pricePerItem) {
    return null;
  }
  const message = `The price is ${formatCents(pricePerItem)} now`;
  return reject(409, "price_changed", message, { pricePerItem });
}

/** Rejects 409 `price_changed` and `more_than_offered`. */
function wantedUnits(command: AcceptOffer, offer: Offer): number | Rejection {
  const { quantity } = tableOf(offer);
  const unseen = refuseUnseen(offer, command.pricePerItem);
  if (unseen !== null) {
    return unseen;
  }
  const wanted = command.quantity ?? quantity;
  return wanted > quantity ? moreThanOffered(quantity) : wanted;
}

/** 409 `more_than_offered`. */
export function moreThanOffered(quantity: number): Rejection {
  return reject(409, "more_than_offered", `Only ${quantity} offered`, { quantity });
}

function acceptUnits(
  states: States,
  asked: FoundOffer,
  stock: ReturnType<typeof stockOf>,
  units: number,
) {
  const { found, offer, party } = asked;
  const { tradeId, trade } = found;
  const { buyerUid, rates } = trade;
  const { offerId, sellerUid } = offer;
  const { pricePerItem } = tableOf(offer);
  const shippingFeeCents = trade.feeCents === 0 ? rates.shippingFeeCents : 0;
  const costCents = units * pricePerItem + shippingFeeCents;
  const { availableCents } = states.get(consignorStream, consignorStreamId(buyerUid)).state;
  if (availableCents < costCents) {
    return party === "buyer"
      ? notEnoughBalance(costCents, availableCents)
      : reject(409, "insufficient_balance", "The buyer no longer has enough balance");
  }
  const taken = takeRows(states, sellerUid, stock, units, tradeHolding.of(tradeId));
  if (taken.kind === "rejected") {
    return taken;
  }
  const { rows, movements } = taken;
  const acceptance = { units, pricePerItem, rows, refundedUnits: 0, refundedCents: 0 };
  const accepted: Offer = { ...offer, status: "accepted", acceptance };
  const isFilled = unitsNeeded(trade) === units;
  const others = isFilled ? trade.offers.filter((one) => isOpen(one) && one !== offer) : [];
  const changed = [
    accepted,
    ...others.map((one): Offer => ({ ...one, status: "declined", declinedBecause: "filled" })),
  ];
  const event = tradeEvent(
    OfferAccepted,
    found,
    changed,
    { offerId, sellerUid, by: party, units, pricePerItem, shippingFeeCents, rows },
    {
      streams: [
        consignorStreamId(buyerUid),
        traderStreamId(sellerUid),
        ...rows.map(({ itemId }) => itemStreamId(itemId)),
      ],
      postings: move(availableAccount.of(buyerUid), escrowAccount.of(tradeId), costCents),
      movements,
    },
  );
  return accept([...found.expired, event], answerOffer(asked, changed));
}

/** Rejects 404 `offer_not_found`; 409 `offer_expired`, `offer_closed`, `not_your_turn`, `price_changed`. */
export const declineOffer: Decider<DeclineOffer, OfferAnswer> = {
  type: "DeclineOffer",
  streams: ({ offerId }) => [tradeStreamId(tradeIdOfOffer(offerId))],
  more: ({ offerId }, states) => buyerStreams(states, tradeIdOfOffer(offerId)),
  decide: ({ offerId, actorUid, shownPricePerItem, happenedAt }, states) => {
    const asked = findTurn(states, offerId, actorUid, happenedAt);
    if (asked.kind === "rejected") {
      return asked;
    }
    const { found, offer, party } = asked;
    const unseen = refuseUnseen(offer, shownPricePerItem);
    if (unseen !== null) {
      return unseen;
    }
    const changed: Offer[] = [{ ...offer, status: "declined", declinedBecause: "party" }];
    const own = { offerId, sellerUid: offer.sellerUid, by: party };
    const event = tradeEvent(OfferDeclined, found, changed, own);
    return accept([...found.expired, event], answerOffer(asked, changed));
  },
};
