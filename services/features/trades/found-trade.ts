// What every command about a trade checks first: whether the trade exists, who asks, and which offers have run out.
import type { Rejection, States } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import type { EventDefinition, NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import type { Movement, Posting } from "#ledger/posting.ts";
import type { Offer, Party, TradeStatus } from "#features/trades/events.ts";
import { OffersExpired } from "#features/trades/events.ts";
import { isDue, isOpen, replaced, statusWith } from "#features/trades/offer-terms.ts";
import type { Trade } from "#features/trades/streams.ts";
import {
  isOver,
  tradeIdOfOffer,
  traderStreamId,
  tradeStream,
  tradeStreamId,
} from "#features/trades/streams.ts";

/** Who sends a command: the buyer, a seller, or an admin, who may be one of them too. */
export type Actor = { readonly uid: string; readonly isAdmin: boolean };

/** A trade without the offers that have run out. */
export type FoundTrade = {
  readonly kind: "found";
  readonly tradeId: string;
  readonly trade: Trade;
  readonly heldCents: Cents;
  /** The event for the offers that have run out; comes before the command's own. */
  readonly expired: readonly NewEvent[];
  readonly now: string;
};

export const tradeNotFound: Rejection = reject(404, "trade_not_found", "There is no such trade");
const offerNotFound: Rejection = reject(404, "offer_not_found", "There is no such offer");

/** The trade; null before its request. The command must have declared it. */
export function tradeIn(states: States, tradeId: string): Trade | null {
  return states.get(tradeStream, tradeStreamId(tradeId)).state.trade;
}

/** The streams of a trade that every command reads: its own and, once the buyer is known, what binds the buyer. */
export function buyerStreams(states: States, tradeId: string): readonly string[] {
  const trade = tradeIn(states, tradeId);
  return trade === null ? [] : [traderStreamId(trade.buyerUid)];
}

/** Rejects 404 `trade_not_found`. The command must have declared the trade and `buyerStreams`. */
export function findTrade(states: States, tradeId: string, now: string): FoundTrade | Rejection {
  const { state } = states.get(tradeStream, tradeStreamId(tradeId));
  const { trade, heldCents } = state;
  if (trade === null) {
    return tradeNotFound;
  }
  const overdue = trade.offers.filter((offer) => isOpen(offer) && isDue(offer.expiresAt, now));
  const found: FoundTrade = { kind: "found", tradeId, trade, heldCents, expired: [], now };
  if (overdue.length === 0) {
    return found;
  }
  const changed = overdue.map((offer): Offer => ({ ...offer, status: "expired" }));
  const event = tradeEvent(OffersExpired, found, changed, {});
  const after = tradeStream.evolve(state, event, tradeStreamId(tradeId)).trade;
  return { ...found, trade: after ?? trade, expired: [event] };
}

/** The same for who may see the trade: its buyer and admins. Rejects 404 `trade_not_found` for others. */
export function findTradeFor(
  states: States,
  tradeId: string,
  actor: Actor,
  now: string,
): FoundTrade | Rejection {
  const found = findTrade(states, tradeId, now);
  return found.kind === "found" && !actor.isAdmin && found.trade.buyerUid !== actor.uid
    ? tradeNotFound
    : found;
}

/** The same for its buyer only. */
export function findOwnTrade(
  states: States,
  tradeId: string,
  buyerUid: string,
  now: string,
): FoundTrade | Rejection {
  return findTradeFor(states, tradeId, { uid: buyerUid, isAdmin: false }, now);
}

export type FoundOffer = {
  readonly kind: "offer";
  readonly found: FoundTrade;
  readonly offer: Offer;
  /** Which of its parties asks. */
  readonly party: Party;
};

/** Rejects 404 `offer_not_found`, also for anyone who is not one of its parties. */
export function findOffer(
  states: States,
  offerId: string,
  actorUid: string,
  now: string,
): FoundOffer | Rejection {
  const found = findTrade(states, tradeIdOfOffer(offerId), now);
  if (found.kind === "rejected") {
    return offerNotFound;
  }
  const offer = found.trade.offers.find((one) => one.offerId === offerId);
  if (offer === undefined) {
    return offerNotFound;
  }
  if (actorUid !== found.trade.buyerUid && actorUid !== offer.sellerUid) {
    return offerNotFound;
  }
  const party = actorUid === found.trade.buyerUid ? "buyer" : "seller";
  return { kind: "offer", found, offer, party };
}

type Outcome = {
  readonly tradeId: string;
  readonly buyerUid: string;
  readonly itemName: string;
  readonly status: TradeStatus;
  readonly offers: Offer[];
};

/**
 * An event of a trade: with the offers it changed, the status that follows from them unless another is given, and
 * the streams of the people whom it binds to the trade or frees from it.
 */
export function tradeEvent<Type extends string, Data extends Outcome>(
  definition: EventDefinition<Type, Data>,
  { tradeId, trade, now }: Pick<FoundTrade, "tradeId" | "trade" | "now">,
  changed: readonly Offer[],
  own: NoInfer<Omit<Data, keyof Outcome>>,
  moved: {
    readonly status?: TradeStatus;
    readonly streams?: readonly string[];
    readonly postings?: readonly Posting[];
    readonly movements?: readonly Movement[];
  } = {},
): NewEvent<Type, Data> {
  const status = moved.status ?? statusWith(trade.status, replaced(trade.offers, changed));
  const outcome: Outcome = {
    tradeId,
    buyerUid: trade.buyerUid,
    itemName: trade.itemName,
    status,
    offers: [...changed],
  };
  const streams = [
    tradeStreamId(tradeId),
    ...(isOver(status) === isOver(trade.status) ? [] : [traderStreamId(trade.buyerUid)]),
    ...(moved.streams ?? []),
  ];
  // The parts are those of Data: its own fields are given, and every event of a trade has the outcome's.
  return emit(definition, { ...outcome, ...own } as unknown as Data, {
    streams: [...new Set(streams)],
    happenedAt: now,
    postings: moved.postings ?? [],
    movements: moved.movements ?? [],
  });
}

/** What a command about a trade answers. */
export type TradeAnswer = {
  readonly tradeId: string;
  readonly status: TradeStatus;
  readonly heldCents: Cents;
};

/** What a command about an offer answers. */
export type OfferAnswer = {
  readonly offerId: string;
  readonly tradeId: string;
  readonly status: Offer["status"];
  readonly tradeStatus: TradeStatus;
  readonly acceptedUnits: number;
  readonly acceptedCents: Cents;
};

/** Why the trade does not accept such a command now. */
export function notPending(status: TradeStatus): Rejection {
  return reject(409, "trade_not_pending", "This trade is no longer open for offers", { status });
}

export const alreadyAccepted: Rejection = reject(
  409,
  "already_accepted",
  "Somebody has accepted. You can close the offers that are still open",
);
