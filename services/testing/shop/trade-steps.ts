// The steps of the model tests of trades: whatever buyers, sellers, admins and the clock do, by numbers that a seed gives.
import * as fc from "fast-check";
import { acceptOffer, declineOffer } from "#features/trades/decider-answer.ts";
import { cancelAcceptance, cancelTrade, closeTrade } from "#features/trades/decider-cancel.ts";
import { counterOffer, raiseTrade, takeCounterBack } from "#features/trades/decider-counter.ts";
import { closeReport, refundTrade, reportTrade } from "#features/trades/decider-problem.ts";
import {
  changeTradeAddress,
  confirmTrade,
  fulfillTrade,
  uploadTradeLabel,
} from "#features/trades/decider-ship.ts";
import { acceptedUnits, isOpen, turnOf } from "#features/trades/offer-terms.ts";
import type { TradeMarket } from "#testing/shop/trade-market.ts";
import { admin, pick } from "#testing/shop/trade-market.ts";

/** Something that is done in a market; its name says what. */
export type MarketStep = { readonly name: string; readonly act: (market: TradeMarket) => void };

const personOf = (market: TradeMarket, nth: number): string => pick(market.people, nth) ?? "";

const nth = fc.nat({ max: 30 });
const units = fc.integer({ min: 1, max: 3 });
const maybeUnits = fc.option(units, { nil: null, freq: 3 });
const price = fc.integer({ min: 1, max: 700 });
/** Which of the market's people. */
const person = fc.nat({ max: 2 });

const step = <Values extends readonly unknown[]>(
  name: string,
  values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  act: (market: TradeMarket, ...given: Values) => void,
): fc.Arbitrary<MarketStep> =>
  fc
    .tuple<[...Values]>(...values)
    .map((given) => ({ name: `${name}(${given.join(", ")})`, act: (m) => act(m, ...given) }));

/** A step about one of the trades. */
const ofTrade = <Values extends readonly unknown[]>(
  name: string,
  values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  act: (market: TradeMarket, tradeId: string, ...given: Values) => void,
): fc.Arbitrary<MarketStep> =>
  step<[number, ...Values]>(name, [nth, ...values] as never, (market, which, ...given) => {
    const tradeId = pick(market.tradeIds, which);
    if (tradeId !== undefined) {
      act(market, tradeId, ...given);
    }
  });

/** A step about one of the offers; `who` is mostly the party whose turn it may be. */
const ofOffer = <Values extends readonly unknown[]>(
  name: string,
  values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  act: (market: TradeMarket, offerId: string, actorUid: string, ...given: Values) => void,
): fc.Arbitrary<MarketStep> =>
  ofTrade<[number, "buyer" | "seller" | "other", ...Values]>(
    name,
    [nth, fc.constantFrom("buyer", "seller", "seller", "other"), ...values] as never,
    (market, tradeId, which, who, ...given) => {
      const { offers, buyerUid } = market.trade(tradeId);
      const offer = pick(offers, which);
      if (offer !== undefined) {
        const uids = { buyer: buyerUid, seller: offer.sellerUid, other: personOf(market, 0) };
        act(market, offer.offerId, uids[who], ...given);
      }
    },
  );

const buyerOf = (market: TradeMarket, tradeId: string) => market.trade(tradeId).buyerUid;

const request = step("request", [person, units, price, fc.boolean()], (market, who, ...given) =>
  market.request(personOf(market, who), ...given),
);

const trading = [
  ofOffer("accept", [maybeUnits], (market, offerId, actorUid, quantity) => {
    const command = { offerId, actorUid, quantity, pricePerItem: null };
    market.once(acceptOffer, command);
  }),
  ofOffer("accept", [fc.constant(null)], (market, offerId, actorUid, quantity) => {
    market.run(acceptOffer, { offerId, actorUid, quantity, pricePerItem: null });
  }),
  ofOffer("decline", [], (market, offerId, actorUid) => {
    market.run(declineOffer, { offerId, actorUid, shownPricePerItem: null });
  }),
  ofOffer("counter", [price, maybeUnits], (market, offerId, actorUid, pricePerItem, quantity) => {
    market.run(counterOffer, {
      offerId,
      actorUid,
      pricePerItem,
      quantity,
      shownPricePerItem: null,
    });
  }),
  ofOffer("take back", [], (market, offerId, actorUid) => {
    market.run(takeCounterBack, { offerId, actorUid });
  }),
  ofTrade("raise", [price], (market, tradeId, more) => {
    const { pricePerItem, buyerUid } = market.trade(tradeId);
    market.run(raiseTrade, { tradeId, actorUid: buyerUid, pricePerItem: pricePerItem + more });
  }),
  ofTrade("close", [], (market, tradeId) => {
    market.run(closeTrade, { tradeId, actorUid: buyerOf(market, tradeId) });
  }),
  ofTrade("withdraw", [], (market, tradeId) => {
    const actor = { uid: buyerOf(market, tradeId), isAdmin: false };
    market.run(cancelTrade, { tradeId, actor, noteId: null });
  }),
];

/** What usually comes next, so that most trades get somewhere. */
const goOn = ofTrade("go on", [nth], (market, tradeId, which) => {
  const { status, offers, buyerUid, reportedAt } = market.trade(tradeId);
  if (status === "pending") {
    const offer = pick(
      offers.filter((one) => turnOf(one) !== null),
      which,
    );
    const actorUid = offer !== undefined && turnOf(offer) === "seller" ? offer.sellerUid : buyerUid;
    const offerId = offer?.offerId ?? "";
    market.run(acceptOffer, { offerId, actorUid, quantity: null, pricePerItem: null });
  } else if (status === "awaiting_shipping") {
    const label = { labelId: market.newId(), carrier: "USPS" as const };
    market.run(uploadTradeLabel, { tradeId, actor: admin, ...label });
  } else if (status === "shipping_uploaded") {
    market.once(fulfillTrade, { tradeId });
  } else if (status === "fulfilled" && reportedAt !== null) {
    market.once(closeReport, { tradeId, actor: admin, noteId: null });
  } else if (status === "fulfilled" && which % 3 === 0) {
    market.once(reportTrade, { tradeId, actorUid: buyerUid, kind: "lost", noteId: null });
  } else if (status === "fulfilled") {
    market.once(confirmTrade, { tradeId, actorUid: buyerUid });
  }
});

/** Offers go back and forth between the parties, so that some trades have several counters. */
const haggle = step(
  "haggle",
  [nth, nth, fc.constantFrom("counter", "counter", "take back", "raise", "some", "close"), price],
  (market, whichTrade, whichOffer, how, pricePerItem) => {
    const pending = market.tradeIds.filter((id) => market.trade(id).status === "pending");
    const tradeId = pick(pending, whichTrade);
    const open = tradeId === undefined ? [] : market.trade(tradeId).offers.filter(isOpen);
    const offer = pick(open, whichOffer);
    if (tradeId === undefined || offer === undefined) {
      return;
    }
    const { buyerUid, offers, pricePerItem: before } = market.trade(tradeId);
    const { offerId, sellerUid } = offer;
    const turn = turnOf(offer) === "seller" ? sellerUid : buyerUid;
    const other = turn === buyerUid ? sellerUid : buyerUid;
    if (how === "counter") {
      market.run(counterOffer, {
        offerId,
        actorUid: turn,
        pricePerItem,
        quantity: null,
        shownPricePerItem: null,
      });
    } else if (how === "take back") {
      market.once(takeCounterBack, { offerId, actorUid: other });
    } else if (how === "close" || acceptedUnits(offers) > 0) {
      market.run(closeTrade, { tradeId, actorUid: buyerUid });
    } else if (how === "raise") {
      const raised = before + pricePerItem;
      market.run(raiseTrade, { tradeId, actorUid: buyerUid, pricePerItem: raised });
    } else {
      market.run(acceptOffer, { offerId, actorUid: turn, quantity: 1, pricePerItem: null });
    }
  },
);

const shipping = [
  ofTrade("cancel", [], (market, tradeId) => {
    market.once(cancelTrade, { tradeId, actor: admin, noteId: null });
  }),
  ofOffer(
    "cancel part",
    [maybeUnits, fc.constantFrom("restock", "lost", "damaged")],
    (market, offerId, _actor, some, as) => {
      const tradeId = offerId.slice(0, 36);
      const part = { units: some, itemId: null, as };
      market.run(cancelAcceptance, { tradeId, offerId, ...part, noteId: null });
    },
  ),
  ofTrade("upload", [fc.boolean()], (market, tradeId, isAdmin) => {
    const actor = isAdmin ? admin : { uid: buyerOf(market, tradeId), isAdmin };
    const label = { labelId: market.newId(), carrier: "UPS" as const };
    market.run(uploadTradeLabel, { tradeId, actor, ...label });
  }),
  ofTrade("move", [], (market, tradeId) => {
    const actor = { uid: buyerOf(market, tradeId), isAdmin: false };
    market.run(changeTradeAddress, { tradeId, actor, addressId: market.newId() });
  }),
  ofTrade("fulfill", [], (market, tradeId) => {
    market.once(fulfillTrade, { tradeId });
  }),
  ofTrade("confirm", [], (market, tradeId) => {
    market.run(confirmTrade, { tradeId, actorUid: buyerOf(market, tradeId) });
  }),
  ofTrade("report", [], (market, tradeId) => {
    const actorUid = buyerOf(market, tradeId);
    market.run(reportTrade, { tradeId, actorUid, kind: "wrong", noteId: null });
  }),
  ofTrade("close report", [], (market, tradeId) => {
    market.run(closeReport, { tradeId, actor: admin, noteId: null });
  }),
  ofOffer(
    "refund",
    [fc.nat({ max: 2 }), fc.nat({ max: 900 }), fc.constantFrom("seller", "store"), fc.boolean()],
    (market, offerId, _actor, some, asked, borneBy, restock) => {
      // The call takes no refund of nothing.
      const cents = some === 0 ? Math.max(1, asked) : asked;
      const command = { tradeId: offerId.slice(0, 36), offerId, units: some, cents };
      market.run(refundTrade, { ...command, borneBy, restock, noteId: null });
    },
  ),
];

const life = [
  step("wait", [fc.constantFrom(1, 12, 36, 48, 100, 24 * 8, 24 * 15)], (market, hours) =>
    market.wait(hours),
  ),
  step("sweep", [], (market) => market.sweep()),
  step("sell", [nth, units], (market, which, some) => market.sell(which, some)),
  step("delete or restore", [nth], (market, which) => market.archiveOrRestore(which)),
  step("new item", [person, units], (market, who, some) =>
    market.addItem(personOf(market, who), some),
  ),
  step("set balance", [person, fc.constantFrom(-500, 0, 900, 4_000)], (market, who, cents) =>
    market.earn(personOf(market, who), cents),
  ),
  step("leave", [person], (market, who) => market.leave(personOf(market, who))),
];

/**
 * Goes on as people would until nothing is open: the buyer confirms nothing, the store ships what has a label. Pauses
 * after each sweep, and after what people did then.
 */
export function* finishing(market: TradeMarket, daysAtOnce: number): Generator<void> {
  for (let day = 0; day < 60; day += daysAtOnce) {
    market.wait(24 * daysAtOnce);
    market.sweep();
    yield;
    for (const tradeId of market.tradeIds) {
      const { status, reportedAt, buyerUid, providesOwnShipping } = market.trade(tradeId);
      if (reportedAt !== null) {
        market.run(closeReport, { tradeId, actor: admin, noteId: null });
      }
      if (status === "shipping_uploaded") {
        market.run(fulfillTrade, { tradeId });
      }
      if (status === "awaiting_shipping" && !providesOwnShipping) {
        const actor = { uid: buyerUid, isAdmin: false };
        market.run(cancelTrade, { tradeId, actor, noteId: null });
      }
    }
    yield;
  }
}

const asking = Array.from({ length: 6 }, () => request);
const haggling = Array.from({ length: 8 }, () => haggle);
const goingOn = Array.from({ length: 12 }, () => goOn);

/** Every step, as often as it should come. */
export const marketSteps: readonly fc.Arbitrary<MarketStep>[] = [
  ...asking,
  ...haggling,
  ...goingOn,
  ...trading,
  ...trading,
  ...shipping,
  ...life,
];
