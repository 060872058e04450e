// Whether a refusal about a trade was right: for each code, what must have been so at its position.
import { tradeIdOfOffer } from "#features/trades/streams.ts";
import type { LogHistory } from "#testing/rush/history.ts";
import { valueAt } from "#testing/rush/history.ts";
import type { RushRequest } from "#testing/rush/draft.ts";
import type { OfferThen, TradeThen } from "#testing/rush/trade-history.ts";
import { unitsAccepted } from "#testing/rush/trade-history.ts";

/** More are refused as `too_many_trades`. */
const MAX_OPEN = 100;

type Then = { readonly trade: TradeThen; readonly offer: OfferThen | undefined };

/** The trade, and the offer, that a request is about. */
function thenOf(history: LogHistory, { subject }: RushRequest, position: number): Then | undefined {
  const trade = valueAt(history.trades.get(tradeIdOfOffer(subject)), position);
  return trade === undefined ? undefined : { trade, offer: trade.offers.get(subject) };
}

const isOpen = ({ status }: OfferThen) => status === "pending" || status === "countered";
const isOver = ({ status }: TradeThen) => ["completed", "cancelled", "expired"].includes(status);
const turnOf = ({ counters }: OfferThen) => (counters.at(-1)?.by === "seller" ? "buyer" : "seller");

function unitsInStock(history: LogHistory, { itemIds }: OfferThen, position: number): number {
  return itemIds.reduce(
    (sum, id) => sum + (valueAt(history.units.get(`item:${id}`), position) ?? 0),
    0,
  );
}

/** What accepting all that is on the table would have cost. */
function costOf(history: LogHistory, trade: TradeThen, offer: OfferThen, position: number): number {
  const counter = offer.counters.at(-1);
  const units = Math.min(
    counter?.quantity ?? offer.quantityOffered,
    trade.quantity - unitsAccepted(trade),
    unitsInStock(history, offer, position),
  );
  const fee = unitsAccepted(trade) === 0 ? trade.feeCents : 0;
  return units * (counter?.pricePerItem ?? offer.pricePerItem) + fee;
}

type Truth = (then: Then, request: RushRequest, history: LogHistory, position: number) => boolean;

const ofOffer =
  (isTrue: (offer: OfferThen, trade: TradeThen) => boolean): Truth =>
  ({ offer, trade }) =>
    offer !== undefined && isTrue(offer, trade);

const TRUTHS: Readonly<Record<string, Truth>> = {
  offer_closed: ofOffer((offer) => !isOpen(offer)),
  not_your_turn: ({ offer, trade }, { caller }) =>
    offer !== undefined &&
    isOpen(offer) &&
    turnOf(offer) !== (caller === trade.buyerUid ? "buyer" : "seller"),
  too_many_counters: ofOffer(({ rounds }) => rounds >= 5),
  same_terms: ofOffer((offer) => isOpen(offer)),
  not_accepted: ofOffer(({ acceptance }) => (acceptance?.units ?? 0) === 0),
  insufficient_balance: ({ trade, offer }, _request, history, position) => {
    const account = history.accounts.get(`consignor:${trade.buyerUid}:available`);
    return (
      offer !== undefined &&
      (valueAt(account, position) ?? 0) < costOf(history, trade, offer, position)
    );
  },
  trade_not_open: ({ trade }) => trade.isFulfilled || isOver(trade),
  no_label_yet: ({ trade }) => trade.status === "pending",
  no_label: ({ trade }) => trade.status === "pending" || trade.status === "awaiting_shipping",
  already_fulfilled: ({ trade }) => trade.isFulfilled,
  not_fulfilled: ({ trade }) => !trade.isFulfilled,
  already_completed: ({ trade }) => trade.status === "completed",
  more_than_traded: ofOffer(({ acceptance }) => acceptance?.refundedUnits === acceptance?.units),
  more_than_paid: ({ offer }, { asked }) => {
    const { units = 0, pricePerItem = 0, refundedCents = 0 } = offer?.acceptance ?? {};
    return units * pricePerItem - refundedCents < asked;
  },
  // The answer to a refund of a part that nobody accepted.
  offer_not_found: ofOffer(({ acceptance }) => (acceptance?.units ?? 0) === 0),
};

/** Whether a refused request for a new trade was not possible, at its position or shortly before: it looks up the sellers first. */
function wasRequestRefused(
  history: LogHistory,
  { subject, asked }: RushRequest,
  code: string,
  position: number,
): boolean {
  if (code === "insufficient_balance") {
    const account = history.accounts.get(`consignor:${subject}:available`);
    return (valueAt(account, position) ?? 0) < asked;
  }
  if (code === "too_many_trades") {
    const buying = [...history.trades.values()]
      .map((trade) => valueAt(trade, position))
      .filter((trade) => trade?.buyerUid === subject && !isOver(trade));
    return buying.length >= MAX_OPEN;
  }
  return code === "not_enough_stock";
}

/** Null where the code is not one of trades. */
export function wasTradeRefused(
  history: LogHistory,
  request: RushRequest,
  code: string,
  position: number,
): boolean | null {
  if (request.kind === "request-trade") {
    return wasRequestRefused(history, request, code, position);
  }
  const then = thenOf(history, request, position);
  const truth = TRUTHS[code];
  return then === undefined || truth === undefined ? null : truth(then, request, history, position);
}
