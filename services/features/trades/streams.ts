// The streams of trades: each trade with its offers, escrow and units; and which trades a person is bound by.
import type { States, StreamDefinition } from "#ledger/decider.ts";
import type { AnyEvent, EventDefinition } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { defineName } from "#ledger/names.ts";
import { netOf, netUnitsOf } from "#ledger/posting.ts";
import type { Offer, TradeRates, TradeStatus } from "#features/trades/events.ts";
import { replaced } from "#features/trades/offer-terms.ts";
import {
  AcceptanceCancelled,
  OfferAccepted,
  TradeAddressChanged,
  TradeCancelled,
  tradeEvents,
  TradeFulfilled,
  TradeLabelUploaded,
  TradeRaised,
  TradeRefunded,
  TradeReminded,
  TradeReportClosed,
  TradeReported,
  TradeRequested,
} from "#features/trades/events.ts";

/** A trade as commands see it. */
export type Trade = {
  readonly status: TradeStatus;
  /** When it got this status. */
  readonly statusSince: string;
  /** The longest wait, in days, that somebody was reminded of in this status; 0 for none. */
  readonly remindedDay: number;
  readonly buyerUid: string;
  readonly itemName: string;
  readonly barcode1: string;
  readonly quantity: number;
  readonly pricePerItem: Cents;
  readonly providesOwnShipping: boolean;
  readonly rates: TradeRates;
  readonly addressId: string;
  readonly requestedAt: string;
  readonly offers: readonly Offer[];
  /** The shipping fee that escrow holds; after fulfillment the one that was paid. */
  readonly feeCents: Cents;
  /** Null without a label that counts. */
  readonly labelId: string | null;
  /** Null before fulfillment. */
  readonly fulfilledAt: string | null;
  /** When the open report was made; null without one. */
  readonly reportedAt: string | null;
  /** When the last report was settled; null while none was. */
  readonly settledAt: string | null;
};

/** `trade` is null before the request. */
export type TradeState = {
  readonly heldCents: Cents;
  readonly heldUnits: number;
  readonly trade: Trade | null;
};

export const tradeStreamName = defineName("trade_stream", "trade-");

export function tradeStreamId(tradeId: string): string {
  return tradeStreamName.of(tradeId);
}

/** What other features call a trade; the browser takes it from the contract. */
export { shortTradeId } from "#features/trades/contract-short-id.ts";

/** The buyer's money that a trade holds: "Held for trades". */
export const escrowAccount = defineName("trade_escrow_account", "trade:", ":escrow");

/** The sellers' units that a trade holds. */
export const tradeHolding = defineName("trade_units_holding", "trade:", ":units");

/** What the store keeps of trades. */
export const STORE_TRADE_COMMISSION = "store:trade-commission";

/** Where units are that a fulfilled trade gave to its buyer. */
export const TRADED = "world:traded";

const UUID_LENGTH = 36;

/** The trade's nth offer, from 1. */
export function offerIdOf(tradeId: string, nth: number): string {
  return `${tradeId}-${nth}`;
}

/** The trade of an offer. */
export function tradeIdOfOffer(offerId: string): string {
  return offerId.slice(0, UUID_LENGTH);
}

/** `trade-<uuid>`. Escrow and units follow from postings and movements alone. */
export const tradeStream: StreamDefinition<TradeState> = {
  category: "trade",
  stateVersion: 1,
  initial: { heldCents: 0, heldUnits: 0, trade: null },
  evolve: (state, event, streamId) => {
    const tradeId = tradeStreamName.idOf(streamId);
    return {
      heldCents: state.heldCents + netOf(event.postings, escrowAccount.of(tradeId)),
      heldUnits: state.heldUnits + netUnitsOf(event.movements, tradeHolding.of(tradeId)),
      trade: evolveTrade(state.trade, event),
    };
  },
};

function evolveTrade(before: Trade | null, event: AnyEvent): Trade | null {
  if (is(TradeRequested, event)) {
    const { status, buyerUid, itemName, barcode1, quantity, pricePerItem, offers } = event.data;
    const { providesOwnShipping, rates, addressId } = event.data;
    return {
      status,
      statusSince: event.happenedAt,
      remindedDay: 0,
      buyerUid,
      itemName,
      barcode1,
      quantity,
      pricePerItem,
      providesOwnShipping,
      rates,
      addressId,
      requestedAt: event.happenedAt,
      offers,
      feeCents: 0,
      labelId: null,
      fulfilledAt: null,
      reportedAt: null,
      settledAt: null,
    };
  }
  const outcome = outcomeOf(event);
  if (before === null || outcome === null) {
    return before;
  }
  const isNewStatus = outcome.status !== before.status;
  const trade: Trade = {
    ...before,
    status: outcome.status,
    statusSince: isNewStatus ? event.happenedAt : before.statusSince,
    remindedDay: isNewStatus ? 0 : before.remindedDay,
    offers: replaced(before.offers, outcome.offers),
  };
  return evolveTerms(trade, event);
}

/** What single events change in addition to status and offers. */
function evolveTerms(trade: Trade, event: AnyEvent): Trade {
  if (is(OfferAccepted, event)) {
    return { ...trade, feeCents: trade.feeCents + event.data.shippingFeeCents };
  }
  if (is(TradeRaised, event)) {
    return { ...trade, pricePerItem: event.data.after };
  }
  if (is(TradeCancelled, event) || is(AcceptanceCancelled, event)) {
    return { ...trade, feeCents: trade.feeCents - event.data.returnedFeeCents };
  }
  if (is(TradeLabelUploaded, event)) {
    return { ...trade, labelId: event.data.labelId };
  }
  if (is(TradeAddressChanged, event)) {
    return { ...trade, addressId: event.data.after, labelId: null };
  }
  if (is(TradeFulfilled, event)) {
    return { ...trade, fulfilledAt: event.happenedAt };
  }
  if (is(TradeReminded, event) && event.data.about !== "answer") {
    return { ...trade, remindedDay: event.data.day };
  }
  if (is(TradeReported, event)) {
    return { ...trade, reportedAt: event.happenedAt };
  }
  if (is(TradeReportClosed, event) || (is(TradeRefunded, event) && event.data.settledReport)) {
    return { ...trade, reportedAt: null, settledAt: event.happenedAt };
  }
  return trade;
}

type Outcome = {
  readonly tradeId: string;
  readonly buyerUid: string;
  readonly status: TradeStatus;
  readonly offers: readonly Offer[];
};

const ownEvents: readonly EventDefinition<string, Outcome>[] = tradeEvents;
const ownTypes: ReadonlySet<string> = new Set(ownEvents.map(({ type }) => type));

function isOwn(event: AnyEvent): event is AnyEvent & { readonly data: Outcome } {
  return ownTypes.has(event.type);
}

/** What every event of this feature says; null for events of others. */
function outcomeOf(event: AnyEvent): Outcome | null {
  return isOwn(event) ? event.data : null;
}

/** Every offer that an event changed, as it is afterwards. */
export function changedBy(event: AnyEvent): readonly Offer[] {
  return outcomeOf(event)?.offers ?? [];
}

/** A trade is over when nothing more can happen to it but a late refund. */
export function isOver(status: TradeStatus): boolean {
  return status === "completed" || status === "cancelled" || status === "expired";
}

/** The trades that bind a person: who has one cannot be deleted. */
export type TraderState = {
  /** Trades that this person buys in and that are not over, and those with an open report. */
  readonly buying: readonly string[];
  /** Offers of this person that were accepted, and whose trade is not fulfilled yet. */
  readonly selling: readonly string[];
};

const traderStreamName = defineName("trader_stream", "trader-");

export function traderStreamId(uid: string): string {
  return traderStreamName.of(uid);
}

export const tradeNames = [tradeStreamName, traderStreamName, escrowAccount, tradeHolding] as const;

/** `trader-<uid>`. Extended by the events that begin or end what binds the person. */
export const traderStream: StreamDefinition<TraderState> = {
  category: "trader",
  stateVersion: 2,
  initial: { buying: [], selling: [] },
  evolve: (state, event, streamId) => {
    const outcome = outcomeOf(event);
    if (outcome === null) {
      return state;
    }
    const uid = traderStreamName.idOf(streamId);
    return {
      buying:
        outcome.buyerUid === uid
          ? withEntry(
              state.buying,
              outcome.tradeId,
              !isOver(outcome.status) || is(TradeReported, event),
            )
          : state.buying,
      selling: outcome.offers
        .filter(({ sellerUid }) => sellerUid === uid)
        .reduce(
          (selling, offer) => withEntry(selling, offer.offerId, isBinding(offer, outcome.status)),
          state.selling,
        ),
    };
  },
};

/** The seller's units are in the trade and not paid yet. */
function isBinding(offer: Offer, status: TradeStatus): boolean {
  return offer.status === "accepted" && status !== "fulfilled" && !isOver(status);
}

function withEntry(entries: readonly string[], entry: string, isThere: boolean): readonly string[] {
  const others = entries.filter((other) => other !== entry);
  return isThere ? [...others, entry] : others;
}

/** The trades that this person is bound by, each once. The command must have declared `trader-<uid>`. */
export function openTradesOf(states: States, uid: string): readonly string[] {
  const { buying, selling } = states.get(traderStream, traderStreamId(uid)).state;
  return [...new Set([...buying, ...selling.map(tradeIdOfOffer)])];
}
