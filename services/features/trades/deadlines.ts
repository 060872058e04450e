// When something happens to a trade by itself: all its deadlines, each with the key that makes it happen once.
import { COMPLETION_DAYS, LABEL_DAYS } from "#features/trades/contract.ts";
import type { Offer } from "#features/trades/events.ts";
import { HOUR_MS, isDue, isOpen, later, turnOf } from "#features/trades/offer-terms.ts";
import { DAY_MS } from "#ledger/day-text.ts";
import type { Trade } from "#features/trades/streams.ts";

/** A seller is reminded this long before an offer ends. */
export const ANSWER_HOURS_LEFT = 12;
/** After how many days a buyer who owes the label is reminded. */
export const LABEL_DAYS_REMINDED = [3, 10] as const;
const LAST_LABEL_REMINDER = Math.max(...LABEL_DAYS_REMINDED);
/** After how many days the store is reminded of an order that it has to act on. */
export const ORDER_DAYS = 2;
/** From this day on the store is reminded daily if it owes the label. */
export const DAILY_FROM_DAY = 14;

export type Reminder = {
  readonly about: "answer" | "label" | "order";
  readonly day: number;
  /** Null unless it is about an answer. */
  readonly offer: Offer | null;
};

/** When a fulfilled trade completes by itself; null if it does not, for example while a report is open. */
export function completionDue({
  status,
  fulfilledAt,
  reportedAt,
  settledAt,
}: Trade): string | null {
  if (status !== "fulfilled" || fulfilledAt === null || reportedAt !== null) {
    return null;
  }
  const due = later(fulfilledAt, COMPLETION_DAYS * DAY_MS);
  return settledAt !== null && isDue(due, settledAt) ? settledAt : due;
}

/**
 * Until when a trade may wait for its label. Then it is cancelled if the buyer owes it, and the buyer may cancel if the
 * store does. Null unless it waits.
 */
export function labelDeadline({ status, statusSince }: Trade): string | null {
  return status === "awaiting_shipping" ? later(statusSince, LABEL_DAYS * DAY_MS) : null;
}

/** When a trade is cancelled because its buyer owes the label; null if it is not, or before the last reminder. */
export function cancellationDue(trade: Trade): string | null {
  const isReminded = trade.remindedDay >= LAST_LABEL_REMINDER;
  return trade.providesOwnShipping && isReminded ? labelDeadline(trade) : null;
}

/** When this reminder is due; null if there is nothing to remind of, or if it was sent. */
export function reminderDue(trade: Trade, { about, day, offer }: Reminder): string | null {
  if (about === "answer") {
    return offer === null || offer.isReminded || turnOf(offer) !== "seller"
      ? null
      : later(offer.expiresAt, -ANSWER_HOURS_LEFT * HOUR_MS);
  }
  const isWanted = about === "label" ? waitsForBuyer(trade, day) : waitsForStore(trade, day);
  return isWanted && day > trade.remindedDay ? later(trade.statusSince, day * DAY_MS) : null;
}

function waitsForBuyer({ status, providesOwnShipping }: Trade, day: number): boolean {
  return (
    status === "awaiting_shipping" &&
    providesOwnShipping &&
    LABEL_DAYS_REMINDED.some((reminded) => reminded === day)
  );
}

function waitsForStore({ status, providesOwnShipping }: Trade, day: number): boolean {
  const owesLabel = status === "awaiting_shipping" && !providesOwnShipping;
  return (
    (day === ORDER_DAYS && (owesLabel || status === "shipping_uploaded")) ||
    (day >= DAILY_FROM_DAY && owesLabel)
  );
}

/** Something to be done at an instant. The key names the deadline: the ledger takes each once. */
export type Deadline =
  | {
      readonly kind: "expire";
      readonly key: string;
      readonly dueAt: string;
      readonly offerId: string;
    }
  | { readonly kind: "cancel" | "complete"; readonly key: string; readonly dueAt: string }
  | {
      readonly kind: "remind";
      readonly key: string;
      readonly dueAt: string;
      readonly about: Reminder["about"];
      readonly day: number;
      readonly offerId: string | null;
    };

/**
 * What is due now, in the order in which it has to be done. Of several missed reminders only
 * the last one is sent.
 */
export function dueOf(tradeId: string, trade: Trade, now: string): readonly Deadline[] {
  return [
    ...dueReminders(tradeId, trade, now),
    ...dueExpiry(trade, now),
    ...dueEnd(tradeId, trade, now),
  ];
}

/** One command closes all offers of a trade that have run out. */
function dueExpiry(trade: Trade, now: string): readonly Deadline[] {
  const overdue = trade.offers.find((offer) => isOpen(offer) && isDue(offer.expiresAt, now));
  if (overdue === undefined) {
    return [];
  }
  const { offerId, expiresAt } = overdue;
  return [{ kind: "expire", key: `expire:${offerId}:${expiresAt}`, dueAt: expiresAt, offerId }];
}

function dueEnd(tradeId: string, trade: Trade, now: string): readonly Deadline[] {
  const completion = completionDue(trade);
  if (completion !== null && isDue(completion, now)) {
    return [{ kind: "complete", key: `complete:${tradeId}:${completion}`, dueAt: completion }];
  }
  const label = cancellationDue(trade);
  return label !== null && isDue(label, now)
    ? [{ kind: "cancel", key: `cancel:${tradeId}:${label}`, dueAt: label }]
    : [];
}

function dueReminders(tradeId: string, trade: Trade, now: string): readonly Deadline[] {
  const answers = trade.offers.flatMap((offer): readonly Deadline[] => {
    const dueAt = reminderDue(trade, { about: "answer", day: 0, offer });
    const isNow = dueAt !== null && isDue(dueAt, now) && !isDue(offer.expiresAt, now);
    return isNow
      ? [
          {
            kind: "remind",
            about: "answer",
            day: 0,
            dueAt,
            offerId: offer.offerId,
            // A counter shortly before the seventh day does not change expiresAt.
            key: `remind:answer:${offer.offerId}:${offer.expiresAt}:${offer.rounds}`,
          },
        ]
      : [];
  });
  return [...answers, ...dueWait(tradeId, trade, now)];
}

/** The last reminder of a wait that is due. */
function dueWait(tradeId: string, trade: Trade, now: string): readonly Deadline[] {
  const about =
    trade.providesOwnShipping && trade.status === "awaiting_shipping" ? "label" : "order";
  const waited = Math.floor((Date.parse(now) - Date.parse(trade.statusSince)) / DAY_MS);
  const days = [...LABEL_DAYS_REMINDED, ORDER_DAYS, Math.max(waited, DAILY_FROM_DAY)];
  const due = days
    .toSorted((a, b) => b - a)
    .flatMap((day) => {
      const dueAt = reminderDue(trade, { about, day, offer: null });
      return dueAt !== null && isDue(dueAt, now) ? [{ day, dueAt }] : [];
    });
  const last = due[0];
  return last === undefined
    ? []
    : [
        {
          kind: "remind",
          about,
          ...last,
          offerId: null,
          key: `remind:${about}:${tradeId}:${trade.statusSince}:${last.day}`,
        },
      ];
}
