// What each event of a trade may say by the state of its stream before it, whoever wrote it: part of `npm run verify`.
import type { EventDefinition, Facts } from "#ledger/event.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Subject } from "#ledger/verify/stream-rules.ts";
import { follows, saysOther } from "#ledger/verify/stream-rules.ts";
import type { ConsignorState } from "#features/accounts/streams.ts";
import {
  consignorStream,
  consignorStreamId,
  moreThanAvailable,
} from "#features/accounts/streams.ts";
import { refuseTooMuch } from "#features/trades/decider-problem.ts";
import { paymentsOf } from "#features/trades/decider-ship.ts";
import type { Offer, TradeStatus } from "#features/trades/events.ts";
import {
  AcceptanceCancelled,
  CounterRetracted,
  OfferAccepted,
  OfferClosed,
  OfferCountered,
  OfferDeclined,
  TradeCancelled,
  tradeEvents,
  TradeFulfilled,
  TradeRaised,
  TradeRefunded,
  TradeRequested,
} from "#features/trades/events.ts";
import { tradeStatusAfter, wrongOffers } from "#features/trades/follows-offers.ts";
import {
  acceptedCents,
  acceptedUnits,
  isOpen,
  tableOf,
  turnOf,
  unitsNeeded,
} from "#features/trades/offer-terms.ts";
import type { Trade, TradeState } from "#features/trades/streams.ts";
import { tradeStream, tradeStreamId } from "#features/trades/streams.ts";

type OfTrade = { readonly tradeId: string };

const ofTrade: Subject<OfTrade, TradeState> = {
  check: "balances",
  definition: tradeStream,
  streamOf: ({ tradeId }) => tradeStreamId(tradeId),
};

const ofBuyer: Subject<{ readonly buyerUid: string }, ConsignorState> = {
  check: "balances",
  definition: consignorStream,
  streamOf: ({ buyerUid }) => consignorStreamId(buyerUid),
};

/** For what follows on a request. */
function after<Data>(wrong: (data: Data, trade: Trade, facts: Facts) => string | null) {
  return (data: Data, { trade }: TradeState, facts: Facts): string | null =>
    trade === null ? "there is no such trade" : wrong(data, trade, facts);
}

type OfOffer = { readonly offerId: string; readonly sellerUid: string };

/** The same for what is about one offer, of this seller. */
function afterOffer<Data extends OfOffer>(
  wrong: (data: Data, offer: Offer, trade: Trade) => string | null,
) {
  return after((data: Data, trade: Trade) => {
    const offer = trade.offers.find(({ offerId }) => offerId === data.offerId);
    if (offer === undefined) {
      return "there is no such offer";
    }
    const { sellerUid } = offer;
    return saysOther({ sellerUid: data.sellerUid }, { sellerUid }) ?? wrong(data, offer, trade);
  });
}

type Outcome = OfTrade &
  Pick<Trade, "buyerUid" | "itemName"> & {
    readonly status: TradeStatus;
    readonly offers: readonly Offer[];
  };

const allEvents: readonly EventDefinition<string, Outcome>[] = tradeEvents;

export const tradeFollows: readonly BookCheck[] = [
  follows(TradeRequested, ofTrade, ({ offers }, { trade }) => {
    if (trade !== null) {
      return "it was requested before";
    }
    const isAccepted = offers.some(({ acceptance }) => acceptance !== null);
    return isAccepted ? "nobody can have accepted yet" : null;
  }),
  ...allEvents
    .filter(({ type }) => type !== TradeRequested.type)
    .map((definition) =>
      follows<string, Outcome, OfTrade, TradeState>(
        definition,
        ofTrade,
        after((data, trade, facts) => {
          const { buyerUid, itemName } = trade;
          const event = { ...facts, type: definition.type, data };
          return (
            saysOther(
              { buyerUid: data.buyerUid, itemName: data.itemName },
              { buyerUid, itemName },
            ) ??
            wrongOffers(event, data.offers, trade) ??
            saysOther(
              { status: data.status },
              { status: tradeStatusAfter(event, data.offers, trade) },
            )
          );
        }),
      ),
    ),
  follows(
    OfferDeclined,
    ofTrade,
    afterOffer(({ by }, offer) => saysOther({ by }, { by: turnOf(offer) })),
  ),
  follows(
    OfferClosed,
    ofTrade,
    afterOffer((_data, offer) => (isOpen(offer) ? null : "the offer was closed before")),
  ),
  follows(
    OfferCountered,
    ofTrade,
    afterOffer(({ by, quantity }, offer) =>
      quantity > offer.quantityOffered
        ? `it asks for ${quantity} units of ${offer.quantityOffered}`
        : saysOther({ by }, { by: turnOf(offer) }),
    ),
  ),
  follows(
    CounterRetracted,
    ofTrade,
    afterOffer(({ by }, offer) =>
      isOpen(offer)
        ? saysOther({ by }, { by: offer.counters.at(-1)?.by ?? null })
        : "the offer was closed before",
    ),
  ),
  follows(
    TradeRaised,
    ofTrade,
    after(({ before, after: raised }, { pricePerItem }) =>
      raised > before
        ? saysOther({ before }, { before: pricePerItem })
        : `it raises the price from ${before} to ${raised} cents`,
    ),
  ),
  follows(OfferAccepted, ofBuyer, ({ buyerUid }, before, facts) =>
    moreThanAvailable(buyerUid, before, facts),
  ),
  follows(
    OfferAccepted,
    ofTrade,
    afterOffer(({ by, units, pricePerItem, shippingFeeCents }, offer, trade) => {
      const table = tableOf(offer);
      const most = Math.min(table.quantity, unitsNeeded(trade));
      const feeCents = trade.feeCents === 0 ? trade.rates.shippingFeeCents : 0;
      return (
        saysOther(
          { by, pricePerItem, shippingFeeCents },
          {
            by: turnOf(offer),
            pricePerItem: table.pricePerItem,
            shippingFeeCents: feeCents,
          },
        ) ?? (units > most ? `it takes ${units} units, but ${most} are wanted` : null)
      );
    }),
  ),
  follows(
    TradeCancelled,
    ofTrade,
    after(({ returnedCents, returnedFeeCents }, { offers, feeCents }) =>
      saysOther(
        { returnedCents, returnedFeeCents },
        { returnedCents: acceptedCents(offers), returnedFeeCents: feeCents },
      ),
    ),
  ),
  follows(
    AcceptanceCancelled,
    ofTrade,
    afterOffer(({ units, returnedCents, returnedFeeCents }, { acceptance }, trade) => {
      const accepted = acceptance?.units ?? 0;
      const isLast = units === acceptedUnits(trade.offers);
      return units > accepted
        ? `it takes ${units} units back, but ${accepted} are accepted`
        : saysOther(
            { returnedCents, returnedFeeCents },
            {
              returnedCents: units * (acceptance?.pricePerItem ?? 0),
              returnedFeeCents: isLast ? trade.feeCents : 0,
            },
          );
    }),
  ),
  follows(
    TradeFulfilled,
    ofTrade,
    after(({ payments, shippingFeeCents }, trade) =>
      saysOther(
        { status: "shipping_uploaded", payments, shippingFeeCents },
        {
          status: trade.status,
          payments: paymentsOf(trade),
          shippingFeeCents: trade.feeCents,
        },
      ),
    ),
  ),
  follows(
    TradeRefunded,
    ofTrade,
    afterOffer((data, offer, trade) => {
      const { acceptance } = offer;
      return trade.fulfilledAt === null || acceptance === null
        ? "it was not fulfilled"
        : (refuseTooMuch(trade, { offer, acceptance }, data)?.message ?? null);
    }),
  ),
];
