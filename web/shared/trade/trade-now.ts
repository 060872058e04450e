// What became of a trade or an offer while a dialog about it is open, from whatever list it was opened.
import type { TradeParty, TradeStatus } from "#features/trades/contract.ts";
import type { Trade } from "#features/trades/contract-reads.ts";
import type { AnswerableOffer } from "./offer-terms.ts";
import { useTrade } from "./trade-api.ts";

/** The trade's status by now. A list may have lost it: it shows some statuses only, and a limited number of rows. */
export function useStatusNow({ tradeId, status }: Pick<Trade, "tradeId" | "status">): TradeStatus {
  const { data } = useTrade(tradeId);
  return data === undefined ? status : data.seenAs === "seller" ? data.tradeStatus : data.status;
}

/** One sentence once it is not this party's turn any more; undefined while it is, or while nothing is known. */
export function useOfferOver(
  { tradeId, offerId }: Pick<AnswerableOffer, "tradeId" | "offerId">,
  party: TradeParty,
): string | undefined {
  const { data } = useTrade(tradeId);
  const offers = data === undefined ? [] : data.seenAs === "seller" ? [data] : data.offers;
  const offer = offers.find((one) => one.offerId === offerId);
  return offer === undefined || offer.turn === party
    ? undefined
    : "This offer was answered, withdrawn or ended in the meantime. Nothing is left to answer.";
}
