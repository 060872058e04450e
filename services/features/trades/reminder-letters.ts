// From a reminder in a trade's history to letters: the seller who has to answer, the buyer who owes the label, or the admins.
import type { Sql } from "#db/connect.ts";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { formatCents } from "#ledger/money.ts";
import type { Reminder } from "#features/trades/deadlines.ts";
import { tableOf, turnOf } from "#features/trades/offer-terms.ts";
import type { Trade } from "#features/trades/streams.ts";
import type { Letter } from "#mail/letter.ts";

const CLOSING =
  "You get this letter because you take part in a trade. Its history has the reminder too.";

/** No store has more admins. */
const MAX_LETTERS = 50;

/** What was reminded of. */
export type TradeReminder = Pick<Reminder, "about" | "day"> & {
  readonly tradeId: string;
  /** Null unless it is about an answer. */
  readonly offerId: string | null;
};

function offerOf({ offers }: Trade, { offerId }: TradeReminder) {
  return offers.find((offer) => offer.offerId === offerId);
}

/** Whether what the letter would ask for was done since, or is not wanted any more. */
export function isOutdated(trade: Trade, reminder: TradeReminder): boolean {
  if (reminder.about === "answer") {
    const offer = offerOf(trade, reminder);
    return offer === undefined || turnOf(offer) !== "seller";
  }
  const waitsForLabel = trade.status === "awaiting_shipping";
  return reminder.about === "label"
    ? !(waitsForLabel && trade.providesOwnShipping)
    : !waitsForLabel && trade.status !== "shipping_uploaded";
}

/** The words of a reminder, without its recipient. */
export function reminderLetter(
  trade: Trade,
  reminder: TradeReminder,
  appUrl: string,
): Omit<Letter, "to"> {
  const { itemName } = trade;
  const { tradeId } = reminder;
  if (reminder.about === "answer") {
    const offer = offerOf(trade, reminder);
    const terms = offer === undefined ? null : tableOf(offer);
    return {
      subject: `An offer for ${itemName} ends soon`,
      paragraphs: [
        terms === null
          ? `An offer for ${itemName} waits for your answer.`
          : `An offer for ${itemName} waits for your answer: ${terms.quantity} at ${formatCents(terms.pricePerItem)} each.`,
      ],
      action: { label: "Answer the offer", url: `${appUrl}/my-offers` },
      closing: CLOSING,
    };
  }
  if (reminder.about === "label") {
    return {
      subject: `Your trade of ${itemName} waits for its shipping label`,
      paragraphs: [
        `Your trade of ${itemName} has waited ${reminder.day} days for your shipping label. After 14 days it is cancelled, and your money is available again.`,
      ],
      action: { label: "Upload the label", url: `${appUrl}/my-trades` },
      closing: CLOSING,
    };
  }
  return {
    subject: `A trade of ${itemName} waits for the store`,
    paragraphs: [
      `Trade ${shortTradeId(tradeId)} of ${itemName} has waited ${reminder.day} days for the store.`,
    ],
    action: { label: "Open the orders", url: `${appUrl}/admin-fulfillment` },
    closing: CLOSING,
  };
}

export type Recipient = { readonly uid: string; readonly email: string };

/** Those whom a reminder is for, with verified addresses. Nobody who was deactivated gets one. */
export async function recipientsOf(
  sql: Sql,
  trade: Trade,
  reminder: TradeReminder,
): Promise<readonly Recipient[]> {
  const seller = offerOf(trade, reminder)?.sellerUid;
  const uid = reminder.about === "label" ? trade.buyerUid : (seller ?? null);
  const whose = reminder.about === "order" ? sql`role = 'admin'` : sql`uid = ${uid}`;
  return sql<Recipient[]>`
    select uid, email from identity.profiles
    where ${whose} and email is not null and email_verified_at is not null and deactivated_at is null
    order by uid limit ${MAX_LETTERS}`;
}
