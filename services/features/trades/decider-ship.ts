// Decides how a trade gets to its buyer: label, another address, fulfillment, which pays the sellers, and completion.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import type { Cents } from "#ledger/money.ts";
import { shareOf } from "#ledger/money.ts";
import { move, moveUnits } from "#ledger/posting.ts";
import { availableAccount, consignorStreamId } from "#features/accounts/streams.ts";
import { STORE_SHIPPING } from "#features/sales/streams.ts";
import type { LabelCarrier } from "#features/trades/contract.ts";
import type { Payment } from "#features/trades/events.ts";
import {
  TradeAddressChanged,
  TradeCompleted,
  TradeFulfilled,
  TradeLabelUploaded,
} from "#features/trades/events.ts";
import type { Actor, FoundTrade, TradeAnswer } from "#features/trades/found-trade.ts";
import {
  buyerStreams,
  findOwnTrade,
  findTrade,
  findTradeFor,
  tradeEvent,
  tradeIn,
} from "#features/trades/found-trade.ts";
import { acceptedUnits, isBeforeFulfillment, priceOf } from "#features/trades/offer-terms.ts";
import type { Trade } from "#features/trades/streams.ts";
import {
  escrowAccount,
  STORE_TRADE_COMMISSION,
  TRADED,
  tradeHolding,
  traderStreamId,
  tradeStreamId,
} from "#features/trades/streams.ts";

export type UploadTradeLabel = {
  readonly tradeId: string;
  readonly actor: Actor;
  /** In the store of labels. */
  readonly labelId: string;
  readonly carrier: LabelCarrier;
  readonly happenedAt: string;
};

export type ChangeTradeAddress = {
  readonly tradeId: string;
  readonly actor: Actor;
  readonly addressId: string;
  readonly happenedAt: string;
};

export type FulfillTrade = { readonly tradeId: string; readonly happenedAt: string };

export type ConfirmTrade = {
  readonly tradeId: string;
  readonly actorUid: string;
  readonly happenedAt: string;
};

function sideOf({ trade }: FoundTrade, { uid }: Actor): "buyer" | "admin" {
  return uid === trade.buyerUid ? "buyer" : "admin";
}

/** `voidedLabelId` is the label that no longer counts; null without one. */
export type LabelAnswer = TradeAnswer & { readonly voidedLabelId: string | null };

/** Rejects 404 `trade_not_found`; 409 `no_label_yet` while sellers are asked, `trade_not_open`, `store_owes_label`. */
export const uploadTradeLabel: Decider<UploadTradeLabel, LabelAnswer> = {
  type: "UploadTradeLabel",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => buyerStreams(states, tradeId),
  decide: (command, states) => {
    const { tradeId, actor, labelId, carrier } = command;
    const found = findTradeFor(states, tradeId, actor, command.happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const { trade, heldCents, expired } = found;
    if (trade.status === "pending") {
      const message = "A label can be uploaded when no offer is open any more";
      return reject(409, "no_label_yet", message, { status: trade.status });
    }
    const refusal = refuseChange(trade);
    if (refusal !== null) {
      return refusal;
    }
    if (!actor.isAdmin && !trade.providesOwnShipping) {
      return reject(409, "store_owes_label", "The store uploads the label of this trade");
    }
    const event = tradeEvent(
      TradeLabelUploaded,
      found,
      [],
      {
        by: sideOf(found, actor),
        labelId,
        replacedLabelId: trade.labelId,
        carrier,
      },
      { status: "shipping_uploaded" },
    );
    const voidedLabelId = trade.labelId;
    const status = "shipping_uploaded";
    return accept([...expired, event], { tradeId, status, heldCents, voidedLabelId });
  },
};

function refuseChange({ status }: Trade): Rejection | null {
  return isBeforeFulfillment(status)
    ? null
    : reject(409, "trade_not_open", "This trade can no longer be changed", { status });
}

/** Rejects 404 `trade_not_found`; 409 `trade_not_open`. It voids the current label. */
export const changeTradeAddress: Decider<ChangeTradeAddress, LabelAnswer> = {
  type: "ChangeTradeAddress",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => buyerStreams(states, tradeId),
  decide: ({ tradeId, actor, addressId, happenedAt }, states) => {
    const found = findTradeFor(states, tradeId, actor, happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const { trade, heldCents, expired } = found;
    const refusal = refuseChange(trade);
    if (refusal !== null) {
      return refusal;
    }
    const voidedLabelId = trade.labelId;
    const status = voidedLabelId === null ? trade.status : "awaiting_shipping";
    const by = sideOf(found, actor);
    const event = tradeEvent(
      TradeAddressChanged,
      found,
      [],
      { by, before: trade.addressId, after: addressId, voidedLabelId },
      { status },
    );
    return accept([...expired, event], { tradeId, status, heldCents, voidedLabelId });
  },
};

/** Everybody who is paid. */
function paidStreams(states: States, tradeId: string): readonly string[] {
  const offers = tradeIn(states, tradeId)?.offers ?? [];
  return offers
    .filter(({ acceptance }) => (acceptance?.units ?? 0) > 0)
    .flatMap(({ sellerUid }) => [consignorStreamId(sellerUid), traderStreamId(sellerUid)]);
}

/** Rejects 404 `trade_not_found`; 409 `no_label` and `already_fulfilled`, `trade_not_open`. The money leaves escrow. */
export const fulfillTrade: Decider<FulfillTrade, TradeAnswer> = {
  type: "FulfillTrade",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => [
    ...buyerStreams(states, tradeId),
    ...paidStreams(states, tradeId),
  ],
  decide: ({ tradeId, happenedAt }, states) => {
    const found = findTrade(states, tradeId, happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const { trade } = found;
    const { status } = trade;
    if (status === "pending" || status === "awaiting_shipping") {
      const message = "A trade can be fulfilled when its shipping label is uploaded";
      return reject(409, "no_label", message, { status });
    }
    if (status !== "shipping_uploaded") {
      return status === "fulfilled" || status === "completed"
        ? reject(409, "already_fulfilled", "This trade was fulfilled already", { status })
        : reject(409, "trade_not_open", "This trade is over", { status });
    }
    const payments = paymentsOf(trade);
    const escrow = escrowAccount.of(tradeId);
    const commissionCents = payments.reduce((sum, payment) => sum + payment.commissionCents, 0);
    const event = tradeEvent(
      TradeFulfilled,
      found,
      // Named although unchanged, because the trade no longer binds their sellers.
      trade.offers.filter(({ acceptance }) => (acceptance?.units ?? 0) > 0),
      { payments, shippingFeeCents: trade.feeCents, rounding: "half_up" },
      {
        status: "fulfilled",
        streams: paidStreams(states, tradeId),
        postings: [
          ...payments.flatMap(({ sellerUid, payoutCents }) =>
            move(escrow, availableAccount.of(sellerUid), payoutCents),
          ),
          ...move(escrow, STORE_TRADE_COMMISSION, commissionCents),
          ...move(escrow, STORE_SHIPPING, trade.feeCents),
        ],
        movements: moveUnits(tradeHolding.of(tradeId), TRADED, acceptedUnits(trade.offers)),
      },
    );
    return accept([event], { tradeId, status: "fulfilled", heldCents: 0 });
  },
};

/** What each seller gets. */
export function paymentsOf({ offers, rates }: Trade): Payment[] {
  return offers.flatMap((offer) => {
    const units = offer.acceptance?.units ?? 0;
    if (units === 0) {
      return [];
    }
    const priceCents: Cents = priceOf(offer);
    const commissionCents = shareOf(priceCents, rates.commissionPercentage, 100);
    const { offerId, sellerUid } = offer;
    const payoutCents = priceCents - commissionCents;
    return [{ offerId, sellerUid, units, priceCents, commissionCents, payoutCents }];
  });
}

/** Rejects 404 `trade_not_found`; 409 `not_fulfilled`, `already_completed`, and `report_open`: take the report back first. */
export const confirmTrade: Decider<ConfirmTrade, TradeAnswer> = {
  type: "ConfirmTrade",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => buyerStreams(states, tradeId),
  decide: ({ tradeId, actorUid, happenedAt }, states) => {
    const found = findOwnTrade(states, tradeId, actorUid, happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const { status, reportedAt } = found.trade;
    if (status === "completed") {
      return reject(409, "already_completed", "This trade is completed already");
    }
    if (status !== "fulfilled") {
      return reject(409, "not_fulfilled", "This trade is not fulfilled", { status });
    }
    if (reportedAt !== null) {
      const message = "A problem is reported: take the report back first";
      return reject(409, "report_open", message);
    }
    return accept([completed(found, "buyer")], { tradeId, status: "completed", heldCents: 0 });
  },
};

/** The event that ends a fulfilled trade. */
export function completed(found: FoundTrade, by: "buyer" | "time") {
  return tradeEvent(TradeCompleted, found, [], { by }, { status: "completed" });
}
