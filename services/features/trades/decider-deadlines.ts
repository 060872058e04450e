// Decides what happens to trades over time: checks a deadline again, since the trade may have moved on in the meantime.
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { cancelled, cancelStreams } from "#features/trades/decider-cancel.ts";
import { completed } from "#features/trades/decider-ship.ts";
import { cancellationDue, completionDue, reminderDue } from "#features/trades/deadlines.ts";
import type { Offer } from "#features/trades/events.ts";
import { TradeReminded } from "#features/trades/events.ts";
import { buyerStreams, findTrade, tradeEvent } from "#features/trades/found-trade.ts";
import { isDue, isOpen } from "#features/trades/offer-terms.ts";
import { tradeIdOfOffer, tradeStreamId } from "#features/trades/streams.ts";

/** Whether something happened; false if the trade no longer has this deadline. */
export type DeadlineAnswer = { readonly happened: boolean };

const TOO_LATE = accept([], { happened: false } satisfies DeadlineAnswer);
const HAPPENED: DeadlineAnswer = { happened: true };

export type ExpireOffer = {
  readonly offerId: string;
  /** The deadline that is meant. A counter or a raise moves it, and this command then does nothing. */
  readonly expiresAt: string;
  readonly happenedAt: string;
};

/** Closes every offer of the trade that has run out: those of one request run out together. */
export const expireOffer: Decider<ExpireOffer, DeadlineAnswer> = {
  type: "ExpireOffer",
  streams: ({ offerId }) => [tradeStreamId(tradeIdOfOffer(offerId))],
  more: ({ offerId }, states) => buyerStreams(states, tradeIdOfOffer(offerId)),
  decide: ({ offerId, happenedAt }, states) => {
    const found = findTrade(states, tradeIdOfOffer(offerId), happenedAt);
    return found.kind === "rejected" || found.expired.length === 0
      ? TOO_LATE
      : accept(found.expired, HAPPENED);
  },
};

/** The command of a deadline of a whole trade. */
export type TradeDeadline = {
  readonly tradeId: string;
  readonly dueAt: string;
  readonly happenedAt: string;
};

/** The buyer owed the label for 14 days, and was reminded. Everything goes back. */
export const cancelOverdueTrade: Decider<TradeDeadline, DeadlineAnswer> = {
  type: "CancelOverdueTrade",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => cancelStreams(states, tradeId),
  decide: ({ tradeId, dueAt, happenedAt }, states) => {
    const found = findTrade(states, tradeId, happenedAt);
    if (found.kind === "rejected") {
      return TOO_LATE;
    }
    const isMeant = cancellationDue(found.trade) === dueAt && isDue(dueAt, happenedAt);
    return isMeant ? accept(cancelled(states, found, "time", null), HAPPENED) : TOO_LATE;
  },
};

/** The buyer said nothing for a week after fulfillment. */
export const completeTrade: Decider<TradeDeadline, DeadlineAnswer> = {
  type: "CompleteTrade",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => buyerStreams(states, tradeId),
  decide: ({ tradeId, dueAt, happenedAt }, states) => {
    const found = findTrade(states, tradeId, happenedAt);
    if (found.kind === "rejected") {
      return TOO_LATE;
    }
    const isMeant = completionDue(found.trade) === dueAt && isDue(dueAt, happenedAt);
    return isMeant ? accept([completed(found, "time")], HAPPENED) : TOO_LATE;
  },
};

export type RemindTrade = TradeDeadline & {
  /** `answer`: the seller of an offer. `label`: the buyer who owes it. `order`: the store. */
  readonly about: "answer" | "label" | "order";
  /** The offer; null unless it is about an answer. */
  readonly offerId: string | null;
  /** After how many days; 0 for an answer. */
  readonly day: number;
};

export const remindTrade: Decider<RemindTrade, DeadlineAnswer> = {
  type: "RemindTrade",
  streams: ({ tradeId }) => [tradeStreamId(tradeId)],
  more: ({ tradeId }, states) => buyerStreams(states, tradeId),
  decide: (command, states) => {
    const { tradeId, dueAt, about, day, offerId, happenedAt } = command;
    const found = findTrade(states, tradeId, happenedAt);
    if (found.kind === "rejected" || !isDue(dueAt, happenedAt)) {
      return TOO_LATE;
    }
    const offer = found.trade.offers.find((one) => one.offerId === offerId) ?? null;
    const isMeant = reminderDue(found.trade, { about, day, offer }) === dueAt;
    if (!isMeant) {
      return TOO_LATE;
    }
    const changed: Offer[] =
      offer !== null && isOpen(offer) ? [{ ...offer, isReminded: true }] : [];
    const event = tradeEvent(TradeReminded, found, changed, { about, day, dueAt });
    return accept([...found.expired, event], HAPPENED);
  },
};
