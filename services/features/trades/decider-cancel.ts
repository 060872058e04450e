// Decides withdrawals and cancellations of a trade or a part of it: held money and units go back where they came from.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import type { Cents } from "#ledger/money.ts";
import type { Posting } from "#ledger/posting.ts";
import { move, moveUnits } from "#ledger/posting.ts";
import { availableAccount, consignorStreamId } from "#features/accounts/streams.ts";
import { ADJUSTED, itemStreamId } from "#features/inventory/streams.ts";
import type { CancelledUnitsAs } from "#features/trades/contract.ts";
import { labelDeadline } from "#features/trades/deadlines.ts";
import type { Offer } from "#features/trades/events.ts";
import { AcceptanceCancelled, TradeCancelled, TradeRestClosed } from "#features/trades/events.ts";
import type { Actor, FoundTrade, TradeAnswer } from "#features/trades/found-trade.ts";
import {
  alreadyAccepted,
  buyerStreams,
  findOwnTrade,
  findTrade,
  findTradeFor,
  notPending,
  tradeEvent,
  tradeIn,
} from "#features/trades/found-trade.ts";
import {
  acceptedCents,
  acceptedUnits,
  isBeforeFulfillment,
  isDue,
  isOpen,
  replaced,
} from "#features/trades/offer-terms.ts";
import type { Trade } from "#features/trades/streams.ts";
import {
  escrowAccount,
  tradeHolding,
  traderStreamId,
  tradeStreamId,
} from "#features/trades/streams.ts";
import type { UnitsBack } from "#features/trades/trade-stock.ts";
import {
  restock,
  restockStreams,
  rowsOf,
  splitRows,
  unitsOf,
} from "#features/trades/trade-stock.ts";

export type CancelTrade = {
  readonly tradeId: string;
  readonly actor: Actor;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

export type CloseTrade = {
  readonly tradeId: string;
  readonly actorUid: string;
  readonly happenedAt: string;
};

export type CancelAcceptance = {
  readonly tradeId: string;
  readonly offerId: string;
  /** Null for all of them. */
  readonly units: number | null;
  /** The item whose units they are; null for the units that were taken last. */
  readonly itemId: string | null;
  readonly as: CancelledUnitsAs;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

function hasAcceptance(offer: Offer): boolean {
  return (offer.acceptance?.units ?? 0) > 0;
}

/** What the accepted units of a trade would bring back. */
function backOf(trade: Trade): readonly UnitsBack[] {
  return trade.offers
    .filter(hasAcceptance)
    .map(({ sellerUid, acceptance }) => ({ sellerUid, rows: acceptance?.rows ?? [] }));
}

/** Everybody who gets something back when the whole trade is cancelled. */
export function cancelStreams(states: States, tradeId: string): readonly string[] {
  const trade = tradeIn(states, tradeId);
  return trade === null
    ? []
    : [
        ...buyerStreams(states, tradeId),
        consignorStreamId(trade.buyerUid),
        ...trade.offers.filter(hasAcceptance).map(({ sellerUid }) => traderStreamId(sellerUid)),
        ...restockStreams(states, backOf(trade)),
      ];
}

/** 409 if the caller may not cancel this trade now; null otherwise. */
function refuseCancel({ trade, now }: FoundTrade, { uid, isAdmin }: Actor): Rejection | null {
  const { status, providesOwnShipping } = trade;
  if (!isBeforeFulfillment(status)) {
    return reject(409, "trade_not_open", "This trade can no longer be cancelled", { status });
  }
  if (isAdmin) {
    return null;
  }
  if (uid === trade.buyerUid && status === "pending" && acceptedUnits(trade.offers) === 0) {
    return null;
  }
  // The store owes the label and did not send it.
  const deadline = providesOwnShipping ? null : labelDeadline(trade);
  if (deadline !== null && isDue(deadline, now)) {
    return null;
  }
  return status === "pending"
    ? alreadyAccepted
    : reject(409, "already_accepted", "Somebody has accepted: only the store can cancel now");
}

/** Rejects 404 `trade_not_found`; 409 `trade_not_open`, `already_accepted`. */
export const cancelTrade: Decider<CancelTrade, TradeAnswer> = {
  type: "CancelTrade",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => cancelStreams(states, tradeId),
  decide: ({ tradeId, actor, noteId, happenedAt }, states) => {
    const found = findTradeFor(states, tradeId, actor, happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const refusal = refuseCancel(found, actor);
    if (refusal !== null) {
      return refusal;
    }
    const by = found.trade.buyerUid === actor.uid ? "buyer" : "admin";
    return accept(cancelled(states, found, by, noteId), {
      tradeId,
      status: "cancelled",
      heldCents: 0,
    });
  },
};

/** The events that bring everything back. */
export function cancelled(
  states: States,
  found: FoundTrade,
  by: "buyer" | "admin" | "time",
  noteId: string | null,
) {
  const { tradeId, trade, expired, now } = found;
  const accepted = trade.offers.filter(hasAcceptance);
  const returnedCents = acceptedCents(trade.offers);
  const back = restock(states, backOf(trade), tradeHolding.of(tradeId), now);
  const changed = [
    ...accepted.map((offer): Offer => ({
      ...offer,
      status: "cancelled",
      acceptance: withoutUnits(offer),
    })),
    ...trade.offers.filter(isOpen).map((offer): Offer => ({ ...offer, status: "withdrawn" })),
  ];
  const postings = moneyBack(found, returnedCents, trade.feeCents);
  const event = tradeEvent(
    TradeCancelled,
    found,
    changed,
    { by, returnedCents, returnedFeeCents: trade.feeCents, rows: back.rows, noteId },
    {
      status: "cancelled",
      streams: [
        ...buyerOf(trade, postings),
        ...accepted.map(({ sellerUid }) => traderStreamId(sellerUid)),
        ...back.streams,
      ],
      postings,
      movements: back.movements,
    },
  );
  return [...expired, ...back.restored, event];
}

function withoutUnits({ acceptance }: Offer): Offer["acceptance"] {
  return acceptance === null ? null : { ...acceptance, units: 0, rows: [] };
}

function moneyBack({ tradeId, trade }: FoundTrade, cents: Cents, feeCents: Cents): Posting[] {
  const escrow = escrowAccount.of(tradeId);
  const available = availableAccount.of(trade.buyerUid);
  return move(escrow, available, cents + feeCents);
}

/** The buyer's account is extended only if the event moves its money: each extension is a line in the ledger. */
function buyerOf({ buyerUid }: Trade, postings: readonly Posting[]): readonly string[] {
  return postings.length === 0 ? [] : [consignorStreamId(buyerUid)];
}

/** Rejects 404 `trade_not_found`; 409 `trade_not_pending`, and `nothing_accepted`: withdraw the whole trade then. */
export const closeTrade: Decider<CloseTrade, TradeAnswer> = {
  type: "CloseTrade",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => buyerStreams(states, tradeId),
  decide: ({ tradeId, actorUid, happenedAt }, states) => {
    const found = findOwnTrade(states, tradeId, actorUid, happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const { trade, heldCents, expired } = found;
    if (trade.status !== "pending") {
      return notPending(trade.status);
    }
    if (acceptedUnits(trade.offers) === 0) {
      return reject(409, "nothing_accepted", "Nobody has accepted yet: withdraw the trade instead");
    }
    const open = trade.offers.filter(isOpen);
    const changed = open.map((offer): Offer => ({ ...offer, status: "withdrawn" }));
    const event = tradeEvent(TradeRestClosed, found, changed, {});
    return accept([...expired, event], { tradeId, status: "awaiting_shipping", heldCents });
  },
};

/** Rejects 404 `trade_not_found`, `offer_not_found`; 409 `trade_not_open`, `not_accepted`, `more_than_accepted`. */
export const cancelAcceptance: Decider<CancelAcceptance, TradeAnswer> = {
  type: "CancelAcceptance",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => cancelStreams(states, tradeId),
  decide: (command, states) => {
    const found = findTrade(states, command.tradeId, command.happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const { status, offers } = found.trade;
    const offer = offers.find(({ offerId }) => offerId === command.offerId);
    if (offer === undefined) {
      return reject(404, "offer_not_found", "There is no such offer");
    }
    if (!isBeforeFulfillment(status)) {
      return reject(409, "trade_not_open", "This trade can no longer be changed", { status });
    }
    const accepted = unitsOf(rowsOf(offer.acceptance?.rows ?? [], command.itemId));
    if (accepted === 0) {
      return reject(409, "not_accepted", "Nothing of this offer is accepted");
    }
    const units = command.units ?? accepted;
    if (units > accepted) {
      const message = `Only ${accepted} of this offer accepted`;
      return reject(409, "more_than_accepted", message, { accepted });
    }
    return cancelUnits(states, found, offer, units, command);
  },
};

function cancelUnits(
  states: States,
  found: FoundTrade,
  offer: Offer,
  units: number,
  { itemId, as, noteId }: CancelAcceptance,
) {
  const { tradeId, trade, heldCents, expired, now } = found;
  const { offerId, sellerUid, acceptance } = offer;
  const { out, kept } = splitRows(acceptance?.rows ?? [], units, itemId);
  const left = (acceptance?.units ?? 0) - units;
  const returnedCents = units * (acceptance?.pricePerItem ?? 0);
  const changed: Offer[] = [
    {
      ...offer,
      status: left === 0 ? "cancelled" : "accepted",
      acceptance: acceptance === null ? null : { ...acceptance, units: left, rows: [...kept] },
    },
  ];
  const after = replaced(trade.offers, changed);
  const isEmpty = acceptedUnits(after) === 0;
  const returnedFeeCents = isEmpty ? trade.feeCents : 0;
  const status = isEmpty && !after.some(isOpen) ? "cancelled" : trade.status;
  const holding = tradeHolding.of(tradeId);
  const back = restock(states, as === "restock" ? [{ sellerUid, rows: out }] : [], holding, now);
  const postings = moneyBack(found, returnedCents, returnedFeeCents);
  const event = tradeEvent(
    AcceptanceCancelled,
    found,
    changed,
    { offerId, sellerUid, units, as, returnedCents, returnedFeeCents, rows: back.rows, noteId },
    {
      status,
      streams: [
        ...buyerOf(trade, postings),
        ...(left === 0 ? [traderStreamId(sellerUid)] : []),
        // An item's history also shows that its units were lost.
        ...(as === "restock" ? back.streams : out.map(({ itemId }) => itemStreamId(itemId))),
      ],
      postings,
      movements: as === "restock" ? back.movements : moveUnits(holding, ADJUSTED, units),
    },
  );
  return accept([...expired, ...back.restored, event], {
    tradeId,
    status,
    heldCents: heldCents - returnedCents - returnedFeeCents,
  });
}
