// Decides a request for a trade: an offer to every consignor who has the item, at rates that are frozen here. No money moves yet.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { formatCents } from "#ledger/money.ts";
import { consignorStream, consignorStreamId } from "#features/accounts/streams.ts";
import { ratesOf, STORE_SETTINGS } from "#features/settings/streams.ts";
import type { Offer } from "#features/trades/events.ts";
import { TradeRequested } from "#features/trades/events.ts";
import { offerEnd } from "#features/trades/offer-terms.ts";
import {
  offerIdOf,
  traderStream,
  traderStreamId,
  tradeStream,
  tradeStreamId,
} from "#features/trades/streams.ts";
import { recipientStreams, refuseRecipient } from "#features/users/streams.ts";

/** A consignor with stock of the item, as the read table has it. The command freezes it on the event. */
export type PossibleSeller = {
  readonly uid: string;
  /** Oldest first. */
  readonly itemIds: readonly string[];
  readonly stock: number;
};

export type RequestTrade = {
  readonly tradeId: string;
  readonly buyerUid: string;
  readonly itemName: string;
  readonly barcode1: string;
  readonly itemLink: string;
  readonly imageUrl: string;
  readonly quantity: number;
  readonly pricePerItem: Cents;
  readonly providesOwnShipping: boolean;
  readonly addressId: string;
  readonly sellers: readonly PossibleSeller[];
  readonly happenedAt: string;
};

export type TradeRequestedAnswer = {
  readonly tradeId: string;
  readonly offers: number;
  readonly totalCents: Cents;
};

/** More trades at once ask the same consignors for nothing: their balance is not held for them. */
export const MAX_OPEN_TRADES = 100;

/** Rejects 404 `consignor_not_found`; 409 `trade_exists`, `too_many_trades`, `not_enough_stock`, `insufficient_balance`. */
export const requestTrade: Decider<RequestTrade, TradeRequestedAnswer> = {
  type: "RequestTrade",
  streams: ({ tradeId, buyerUid }) => [
    tradeStreamId(tradeId),
    traderStreamId(buyerUid),
    consignorStreamId(buyerUid),
    STORE_SETTINGS,
    ...recipientStreams(buyerUid),
  ],
  decide: (command, states) => {
    const { tradeId, buyerUid, quantity, pricePerItem, providesOwnShipping, happenedAt } = command;
    const refusal = refuseRecipient(states, buyerUid);
    if (refusal !== null) {
      return refusal;
    }
    if (states.get(tradeStream, tradeStreamId(tradeId)).version > 0) {
      return reject(409, "trade_exists", "This trade was requested already");
    }
    const { buying } = states.get(traderStream, traderStreamId(buyerUid)).state;
    if (buying.length >= MAX_OPEN_TRADES) {
      const message = `You have ${MAX_OPEN_TRADES} open trades. Wait until one is over, or withdraw one`;
      return reject(409, "too_many_trades", message);
    }
    const sellers = command.sellers.filter(({ uid, stock }) => uid !== buyerUid && stock > 0);
    const inStock = sellers.reduce((sum, { stock }) => sum + stock, 0);
    if (inStock < quantity) {
      const message =
        inStock === 0 ? "Nobody has this item now" : `Only ${inStock} available for a trade`;
      return reject(409, "not_enough_stock", message, { available: inStock });
    }
    const { tradeCommissionPercentage, tradeShippingFeeCents } = ratesOf(states);
    const shippingFeeCents = providesOwnShipping ? 0 : tradeShippingFeeCents;
    const totalCents = quantity * pricePerItem + shippingFeeCents;
    const { availableCents } = states.get(consignorStream, consignorStreamId(buyerUid)).state;
    if (availableCents < totalCents) {
      return notEnoughBalance(totalCents, availableCents);
    }
    const expiresAt = offerEnd(happenedAt, happenedAt);
    const offers = sellers.map(({ uid, itemIds, stock }, index): Offer => ({
      offerId: offerIdOf(tradeId, index + 1),
      sellerUid: uid,
      itemIds: [...itemIds],
      status: "pending",
      declinedBecause: null,
      quantityOffered: Math.min(stock, quantity),
      pricePerItem,
      counters: [],
      rounds: 0,
      expiresAt,
      isReminded: false,
      acceptance: null,
    }));
    const { itemName, barcode1, itemLink, imageUrl, addressId } = command;
    const event = emit(
      TradeRequested,
      {
        tradeId,
        buyerUid,
        itemName,
        status: "pending",
        offers,
        barcode1,
        itemLink,
        imageUrl,
        quantity,
        pricePerItem,
        providesOwnShipping,
        addressId,
        rates: {
          commissionPercentage: tradeCommissionPercentage,
          shippingFeeCents,
        },
      },
      { streams: [tradeStreamId(tradeId), traderStreamId(buyerUid)], happenedAt },
    );
    return accept([event], { tradeId, offers: offers.length, totalCents });
  },
};

/** 409 `insufficient_balance`: to the buyer, who may know the balance. */
export function notEnoughBalance(neededCents: Cents, availableCents: Cents) {
  const message = `This needs ${formatCents(neededCents)}, and your balance is ${formatCents(availableCents)}`;
  return reject(409, "insufficient_balance", message, { neededCents, availableCents });
}
