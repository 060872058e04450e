// Decides what happens after fulfillment: the buyer reports a problem, and a refund or a closed report settles it.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import type { Cents } from "#ledger/money.ts";
import { formatCents } from "#ledger/money.ts";
import { move } from "#ledger/posting.ts";
import {
  availableAccount,
  consignorStreamId,
  STORE_ADJUSTMENTS,
} from "#features/accounts/streams.ts";
import { REPORT_DAYS } from "#features/trades/contract.ts";
import type { ReportKind } from "#features/trades/contract.ts";
import type { Acceptance, Offer } from "#features/trades/events.ts";
import { TradeRefunded, TradeReportClosed, TradeReported } from "#features/trades/events.ts";
import type { Actor, FoundTrade, TradeAnswer } from "#features/trades/found-trade.ts";
import {
  buyerStreams,
  findOwnTrade,
  findTrade,
  findTradeFor,
  tradeEvent,
  tradeIn,
} from "#features/trades/found-trade.ts";
import { acceptedCents, isDue, later, priceOf } from "#features/trades/offer-terms.ts";
import { DAY_MS } from "#ledger/day-text.ts";
import type { Trade } from "#features/trades/streams.ts";
import { isOver, TRADED, traderStreamId, tradeStreamId } from "#features/trades/streams.ts";
import { restock, restockStreams, splitRows, unitsOf } from "#features/trades/trade-stock.ts";
import { hasLeft, recipientStreams, refuseRecipient } from "#features/users/streams.ts";

export type ReportTrade = {
  readonly tradeId: string;
  readonly actorUid: string;
  readonly kind: ReportKind;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

export type CloseReport = {
  readonly tradeId: string;
  readonly actor: Actor;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

export type RefundTrade = {
  readonly tradeId: string;
  /** May be null if the trade has only one acceptance. */
  readonly offerId: string | null;
  /** Units that the buyer does not have; with `restock` they are back with the seller. */
  readonly units: number;
  readonly cents: Cents;
  readonly borneBy: "seller" | "store";
  readonly restock: boolean;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

/** Until when the buyer can report a problem; null before fulfillment. */
export function reportUntil({ fulfilledAt }: Trade): string | null {
  return fulfilledAt === null ? null : later(fulfilledAt, REPORT_DAYS * DAY_MS);
}

function refuseUnfulfilled({ status, fulfilledAt }: Trade): Rejection | null {
  return fulfilledAt === null
    ? reject(409, "not_fulfilled", "This trade is not fulfilled", { status })
    : null;
}

/** An open report binds the buyer, also to a trade that is over: what it gets back needs an account to go to. */
function boundByReport({ status, buyerUid }: Trade): readonly string[] {
  return isOver(status) ? [traderStreamId(buyerUid)] : [];
}

/**
 * Rejects 404 `trade_not_found`, `consignor_not_found` (the buyer has left); 409 `not_fulfilled`, `report_too_late`,
 * `report_open`.
 */
export const reportTrade: Decider<ReportTrade, TradeAnswer> = {
  type: "ReportTrade",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => [
    ...buyerStreams(states, tradeId),
    ...recipientStreams(tradeIn(states, tradeId)?.buyerUid ?? null),
  ],
  decide: ({ tradeId, actorUid, kind, noteId, happenedAt }, states) => {
    const found = findOwnTrade(states, tradeId, actorUid, happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const { trade, heldCents } = found;
    const refusal = refuseUnfulfilled(trade) ?? refuseRecipient(states, trade.buyerUid);
    if (refusal !== null) {
      return refusal;
    }
    const until = reportUntil(trade);
    if (until !== null && isDue(until, happenedAt)) {
      const message = `A problem can be reported for ${REPORT_DAYS} days after fulfillment`;
      return reject(409, "report_too_late", message, { until });
    }
    if (trade.reportedAt !== null) {
      return reject(409, "report_open", "A problem is reported already");
    }
    const streams = boundByReport(trade);
    const event = tradeEvent(TradeReported, found, [], { kind, noteId }, { streams });
    return accept([event], { tradeId, status: trade.status, heldCents });
  },
};

/** Rejects 404 `trade_not_found`; 409 `no_report`. */
export const closeReport: Decider<CloseReport, TradeAnswer> = {
  type: "CloseReport",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => buyerStreams(states, tradeId),
  decide: ({ tradeId, actor, noteId, happenedAt }, states) => {
    const found = findTradeFor(states, tradeId, actor, happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const { trade, heldCents } = found;
    if (trade.reportedAt === null) {
      return reject(409, "no_report", "No problem is reported");
    }
    const by = actor.uid === trade.buyerUid ? "buyer" : "admin";
    const streams = boundByReport(trade);
    const event = tradeEvent(TradeReportClosed, found, [], { by, noteId }, { streams });
    return accept([event], { tradeId, status: trade.status, heldCents });
  },
};

type Accepted = { readonly offer: Offer; readonly acceptance: Acceptance };

/** The fulfilled offer that is meant; null if there is none, or if it must be named. */
function meant(trade: Trade, offerId: string | null): Accepted | null {
  const fulfilled = trade.offers.flatMap((offer): Accepted[] => {
    const { acceptance } = offer;
    const isMeant = offerId === null || offer.offerId === offerId;
    return isMeant && acceptance !== null && acceptance.units > 0 ? [{ offer, acceptance }] : [];
  });
  const [only] = fulfilled;
  return fulfilled.length === 1 && only !== undefined ? only : null;
}

function refundStreams({ tradeId, offerId }: RefundTrade, states: States): readonly string[] {
  const trade = tradeIn(states, tradeId);
  const accepted = trade === null ? null : meant(trade, offerId);
  if (trade === null || accepted === null) {
    return [];
  }
  const { offer, acceptance } = accepted;
  return [
    consignorStreamId(trade.buyerUid),
    consignorStreamId(offer.sellerUid),
    ...recipientStreams(trade.buyerUid),
    ...recipientStreams(offer.sellerUid),
    ...restockStreams(states, [{ sellerUid: offer.sellerUid, rows: acceptance.rows }]),
  ];
}

/**
 * Rejects 404 `trade_not_found`, `offer_not_found`, `consignor_not_found` (the buyer has left); 409 `not_fulfilled`,
 * `offer_needed` if the trade has several, `more_than_traded`, `more_than_paid`, and `seller_left` if the seller
 * would have to pay or take units back. The seller's balance may go below zero.
 */
export const refundTrade: Decider<RefundTrade, TradeAnswer> = {
  type: "RefundTrade",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: (command, states) => [
    ...buyerStreams(states, command.tradeId),
    ...refundStreams(command, states),
  ],
  decide: (command, states) => {
    const found = findTrade(states, command.tradeId, command.happenedAt);
    if (found.kind === "rejected") {
      return found;
    }
    const { trade } = found;
    const accepted = meant(trade, command.offerId);
    if (accepted === null) {
      return (
        refuseUnfulfilled(trade) ??
        (command.offerId === null
          ? reject(409, "offer_needed", "Say which seller's part is refunded")
          : reject(404, "offer_not_found", "There is no such offer"))
      );
    }
    const refusal =
      refuseUnfulfilled(trade) ??
      refuseRecipient(states, trade.buyerUid) ??
      refuseLeft(states, command, accepted) ??
      refuseTooMuch(trade, accepted, command);
    return refusal ?? refunded(states, found, accepted, command);
  },
};

function refuseLeft(states: States, command: RefundTrade, { offer }: Accepted): Rejection | null {
  const needsSeller = command.borneBy === "seller" || command.restock;
  return needsSeller && hasLeft(states, offer.sellerUid)
    ? reject(
        409,
        "seller_left",
        "The seller's account was deleted: the store has to bear this, without restocking",
      )
    : null;
}

/** No more units than were traded, and no more money than was paid. Only the store can give the fee back. */
export function refuseTooMuch(
  trade: Trade,
  { offer, acceptance }: Accepted,
  { units, cents, borneBy }: Pick<RefundTrade, "units" | "cents" | "borneBy">,
): Rejection | null {
  const unitsLeft = acceptance.units - acceptance.refundedUnits;
  if (units > unitsLeft) {
    const message = `Only ${unitsLeft} of ${acceptance.units} traded units can still be refunded`;
    return reject(409, "more_than_traded", message, { unitsLeft });
  }
  const feeCents = borneBy === "store" ? trade.feeCents : 0;
  const refundedCents = trade.offers.reduce(
    (sum, one) => sum + (one.acceptance?.refundedCents ?? 0),
    0,
  );
  const centsLeft = Math.max(
    0,
    Math.min(
      priceOf(offer) + feeCents - acceptance.refundedCents,
      acceptedCents(trade.offers) + trade.feeCents - refundedCents,
    ),
  );
  if (cents > centsLeft) {
    const message = `Only ${formatCents(centsLeft)} of what was paid can still be refunded`;
    return reject(409, "more_than_paid", message, { centsLeft });
  }
  return null;
}

function refunded(
  states: States,
  found: FoundTrade,
  { offer, acceptance }: Accepted,
  command: RefundTrade,
) {
  const { tradeId, trade, now, heldCents } = found;
  const { units, cents, borneBy, noteId } = command;
  const { offerId, sellerUid } = offer;
  // Rows that were refunded before are no longer in the list.
  const { out, kept } = splitRows(acceptance.rows, Math.min(units, unitsOf(acceptance.rows)), null);
  const back = restock(states, command.restock ? [{ sellerUid, rows: out }] : [], TRADED, now);
  const payer = borneBy === "seller" ? availableAccount.of(sellerUid) : STORE_ADJUSTMENTS;
  const changed: Offer[] = [
    {
      ...offer,
      acceptance: {
        ...acceptance,
        rows: [...kept],
        refundedUnits: acceptance.refundedUnits + units,
        refundedCents: acceptance.refundedCents + cents,
      },
    },
  ];
  const settledReport = trade.reportedAt !== null;
  const event = tradeEvent(
    TradeRefunded,
    found,
    changed,
    { offerId, sellerUid, units, cents, borneBy, rows: back.rows, settledReport, noteId },
    {
      streams: [
        ...(settledReport ? boundByReport(trade) : []),
        ...(cents > 0 ? [consignorStreamId(trade.buyerUid)] : []),
        ...(cents > 0 && borneBy === "seller" ? [consignorStreamId(sellerUid)] : []),
        ...back.streams,
      ],
      postings: move(payer, availableAccount.of(trade.buyerUid), cents),
      movements: back.movements,
    },
  );
  return accept([...back.restored, event], { tradeId, status: trade.status, heldCents });
}
