// From a reminder in a trade's history to letters: the seller who has to answer, the buyer who owes the label, or the admins.
import type { Sql } from "#db/connect.ts";
import type { SentReminder } from "#features/trades/deadline-sweep.ts";
import { formatCents } from "#ledger/money.ts";
import { tableOf } from "#features/trades/offer-terms.ts";
import type { Letter } from "#mail/letter.ts";

const CLOSING =
  "You get this letter because you take part in a trade. Its history has the reminder too.";

/** No store has more admins. */
const MAX_LETTERS = 50;

/** The words of a reminder, without its recipient. */
export function reminderLetter(
  { tradeId, trade, reminder }: SentReminder,
  appUrl: string,
): Omit<Letter, "to"> {
  const { itemName } = trade;
  if (reminder.about === "answer") {
    const offer = trade.offers.find(({ offerId }) => offerId === reminder.offerId);
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
      `Trade ${tradeId.slice(0, 8)} of ${itemName} has waited ${reminder.day} days for the store.`,
    ],
    action: { label: "Open the orders", url: `${appUrl}/admin-fulfillment` },
    closing: CLOSING,
  };
}

/** The verified addresses of those whom a reminder is for. Nobody who was deactivated gets one. */
export async function recipientsOf(
  sql: Sql,
  { trade, reminder }: SentReminder,
): Promise<readonly string[]> {
  const seller = trade.offers.find(({ offerId }) => offerId === reminder.offerId)?.sellerUid;
  const uid = reminder.about === "label" ? trade.buyerUid : (seller ?? null);
  const whose = reminder.about === "order" ? sql`role = 'admin'` : sql`uid = ${uid}`;
  const rows = await sql<{ email: string }[]>`
    select email from identity.profiles
    where ${whose} and email is not null and email_verified_at is not null and deactivated_at is null
    order by uid limit ${MAX_LETTERS}`;
  return rows.map(({ email }) => email);
}
