// Specs of requests and answers: who is asked, what an acceptance holds, and when a trade has found its sellers.
import { describe, expect, test } from "vitest";
import { archiveItem } from "#features/inventory/decider-archive.ts";
import { StoreRatesChanged } from "#features/settings/events.ts";
import { DEFAULT_RATES, STORE_SETTINGS } from "#features/settings/streams.ts";
import { declineOffer } from "#features/trades/decider-answer.ts";
import { MAX_OPEN_TRADES } from "#features/trades/decider-request.ts";
import { consignorStreamId } from "#features/accounts/streams.ts";
import { itemStreamId } from "#features/inventory/streams.ts";
import { offerIdOf, traderStreamId, tradeStreamId } from "#features/trades/streams.ts";
import { recordSale } from "#features/sales/decider-record.ts";
import { emit } from "#ledger/event.ts";
import { idOf } from "#testing/shop/stock-room.ts";
import {
  buyer,
  hoursOn,
  noon,
  otherSeller,
  seller,
  thirdSeller,
  TradeFloor,
  tradeId,
} from "#testing/shop/trade-floor.ts";

/** A buyer with $50 and two sellers: one with 2 lamps, one with 5. */
function newFloor() {
  const floor = new TradeFloor().give(buyer, 5_000);
  const two = floor.stock(seller, 2);
  const five = floor.stock(otherSeller, 5);
  const ask = (given: Parameters<TradeFloor["request"]>[1] = {}) =>
    floor.request(
      [
        [seller, two],
        [otherSeller, five],
      ],
      given,
    );
  return { floor, two, five, ask };
}

describe("requesting a trade", () => {
  test("offers it to everybody with stock, each for the units they have and at most for all that is wanted", () => {
    const { floor, two, five, ask } = newFloor();
    const { added, ...decision } = ask({ quantity: 3 });
    expect(decision).toMatchObject({
      kind: "accepted",
      answer: { tradeId, offers: 2, totalCents: 1_900 },
    });
    expect(added).toMatchObject([
      { type: "TradeRequested", postings: [], movements: [], happenedAt: noon },
    ]);
    expect(added[0]?.streams).toEqual([tradeStreamId(tradeId), traderStreamId(buyer)]);
    expect(floor.trade.offers).toMatchObject([
      { sellerUid: seller, itemIds: [two], quantityOffered: 2, expiresAt: hoursOn(48) },
      { sellerUid: otherSeller, itemIds: [five], quantityOffered: 3, status: "pending" },
    ]);
    expect([floor.held, floor.available(buyer)]).toEqual([0, 5_000]);
  });

  test("never asks the buyer, whose own units do not count", () => {
    const { floor, two } = newFloor();
    const own = floor.stock(buyer, 9);
    expect(
      floor.request(
        [
          [buyer, own],
          [seller, two],
        ],
        { quantity: 3 },
      ),
    ).toMatchObject({ code: "not_enough_stock", message: "Only 2 available for a trade" });
    expect(floor.request([[buyer, own]])).toMatchObject({ message: "Nobody has this item now" });
    floor.request([
      [buyer, own],
      [seller, two],
    ]);
    expect(floor.trade.offers.map(({ sellerUid }) => sellerUid)).toEqual([seller]);
  });

  test("needs the price of all units and the fee, to the cent", () => {
    const { floor, ask } = newFloor();
    floor.give(buyer, 1_899);
    expect(ask({ quantity: 3 })).toMatchObject({
      status: 409,
      code: "insufficient_balance",
      message: "This needs $19.00, and your balance is $18.99",
      added: [],
    });
    floor.give(buyer, 1_900);
    expect(ask({ quantity: 3 }).kind).toBe("accepted");
  });

  test("costs no fee if the buyer provides the label", () => {
    const { floor, ask } = newFloor();
    floor.give(buyer, 1_500);
    expect(ask({ quantity: 3, providesOwnShipping: true })).toMatchObject({
      answer: { totalCents: 1_500 },
    });
    expect(floor.trade.rates).toEqual({ commissionPercentage: 10, shippingFeeCents: 0 });
  });

  test("freezes the rates for the trade's life", () => {
    const { floor, ask } = newFloor();
    ask({ quantity: 2 });
    const after = { ...DEFAULT_RATES, tradeCommissionPercentage: 50, tradeShippingFeeCents: 9_900 };
    const data = { before: DEFAULT_RATES, after };
    floor.books.given(
      emit(StoreRatesChanged, data, { streams: [STORE_SETTINGS], happenedAt: noon }),
    );
    floor.accept(1, seller);
    expect(floor.held).toBe(1_400);
    floor.upload();
    floor.fulfill();
    expect([floor.available(seller), floor.books.balanceOf("store:trade-commission")]).toEqual([
      900, 100,
    ]);
  });

  test("a used id is refused", () => {
    const { ask } = newFloor();
    ask();
    expect(ask()).toMatchObject({ code: "trade_exists", added: [] });
  });

  test("is refused for a buyer with too many open trades, and accepted again when one is over", () => {
    const { floor, ask } = newFloor();
    const ids = Array.from({ length: MAX_OPEN_TRADES }, (_, nth) => idOf(nth + 1));
    for (const id of ids) {
      expect(ask({ tradeId: id }).kind).toBe("accepted");
    }
    expect(ask()).toMatchObject({ code: "too_many_trades" });
    for (const [index, actorUid] of [seller, otherSeller].entries()) {
      floor.run(declineOffer, {
        offerId: offerIdOf(idOf(1), index + 1),
        actorUid,
        shownPricePerItem: null,
      });
    }
    expect(ask().kind).toBe("accepted");
  });
});

describe("accepting", () => {
  test("holds the price and the fee, and the seller's units", () => {
    const { floor, two, ask } = newFloor();
    ask({ quantity: 2 });
    const { added, ...decision } = floor.accept(1, seller, { pricePerItem: 500 });
    expect(decision).toMatchObject({
      answer: {
        offerId: offerIdOf(tradeId, 1),
        status: "accepted",
        tradeStatus: "awaiting_shipping",
        acceptedUnits: 2,
        acceptedCents: 1_000,
      },
    });
    expect(added).toMatchObject([
      {
        type: "OfferAccepted",
        postings: [
          { from: `consignor:${buyer}:available`, to: `trade:${tradeId}:escrow`, cents: 1_400 },
        ],
        movements: [{ from: `item:${two}`, to: `trade:${tradeId}:units`, units: 2 }],
      },
    ]);
    expect(added[0]?.streams.toSorted()).toEqual(
      [
        tradeStreamId(tradeId),
        consignorStreamId(buyer),
        traderStreamId(seller),
        itemStreamId(two),
      ].toSorted(),
    );
  });

  test("the first acceptances fill the trade: the fee is held once, the others are declined as filled", () => {
    const { floor, two, five, ask } = newFloor();
    const one = floor.stock(thirdSeller, 1);
    floor.request(
      [
        [seller, two],
        [otherSeller, five],
        [thirdSeller, one],
      ],
      { quantity: 3 },
    );
    floor.accept(1, seller);
    expect([floor.trade.status, floor.held]).toEqual(["pending", 1_400]);
    expect(floor.accept(2, otherSeller)).toMatchObject({
      answer: { acceptedUnits: 1, tradeStatus: "awaiting_shipping" },
    });
    expect([floor.held, floor.heldUnits, floor.units(five)]).toEqual([1_900, 3, 4]);
    expect(floor.offer(3)).toMatchObject({ status: "declined", declinedBecause: "filled" });
    expect(floor.accept(3, thirdSeller)).toMatchObject({ code: "offer_closed" });
    expect(ask()).toMatchObject({ code: "trade_exists" });
  });

  test("two sellers at once never give more than was asked for", () => {
    const { floor, five, ask } = newFloor();
    ask({ quantity: 2 });
    floor.accept(1, seller);
    expect(floor.accept(2, otherSeller)).toMatchObject({ code: "offer_closed", added: [] });
    expect([floor.heldUnits, floor.units(five)]).toEqual([2, 5]);
  });

  test("a repeated acceptance is refused: nobody pays twice", () => {
    const { floor, ask } = newFloor();
    ask({ quantity: 3 });
    floor.accept(1, seller);
    expect(floor.accept(1, seller)).toMatchObject({ status: 409, code: "offer_closed", added: [] });
    expect(floor.held).toBe(1_400);
  });

  test("takes fewer units than offered if the seller says so", () => {
    const { floor, ask } = newFloor();
    ask({ quantity: 3 });
    expect(floor.accept(2, otherSeller, { quantity: 4 })).toMatchObject({
      code: "more_than_offered",
      message: "Only 3 offered",
    });
    expect(floor.accept(2, otherSeller, { quantity: 1 })).toMatchObject({
      answer: { acceptedUnits: 1, tradeStatus: "pending" },
    });
  });

  test("takes only what the seller still has", () => {
    const { floor, two, ask } = newFloor();
    ask({ quantity: 2 });
    floor.books.when(recordSale, saleOf(two, 1));
    expect(floor.accept(1, seller)).toMatchObject({ answer: { acceptedUnits: 1 } });
    expect([floor.trade.status, floor.held, floor.units(two)]).toEqual(["pending", 900, 0]);
  });

  test("a seller without stock closes the offer; if it was the last one, the trade has expired", () => {
    const { floor, two } = newFloor();
    floor.request([[seller, two]]);
    floor.books.when(recordSale, saleOf(two, 2));
    const { added, ...decision } = floor.accept(1, seller);
    expect(decision).toMatchObject({ answer: { status: "no_stock", tradeStatus: "expired" } });
    expect(added).toMatchObject([{ type: "OfferClosed", postings: [], movements: [] }]);
  });

  test("takes units from the seller's oldest items first, also from an item that got the barcode later", () => {
    const { floor, two } = newFloor();
    const old = floor.stock(seller, 1, "B-9");
    const sellers = [{ uid: seller, itemIds: [old, two], stock: 3 }];
    floor.request([], { sellers, quantity: 3 });
    floor.accept(1, seller);
    expect(floor.offer(1).acceptance?.rows).toEqual([
      { itemId: old, units: 1 },
      { itemId: two, units: 2 },
    ]);

    const later = newFloor();
    later.floor.request([[seller, later.two]], { quantity: 2 });
    later.floor.books.when(archiveItem, { itemId: later.two, ownerUid: seller, happenedAt: noon });
    const replacement = later.floor.stock(seller, 7);
    later.floor.accept(1, seller);
    expect(later.floor.offer(1).acceptance?.rows).toEqual([{ itemId: replacement, units: 2 }]);
  });

  test("is refused when the buyer no longer has the money, and the offer stays pending", () => {
    const { floor, ask } = newFloor();
    ask({ quantity: 2 });
    floor.give(buyer, 1_399);
    expect(floor.accept(1, seller)).toMatchObject({
      status: 409,
      code: "insufficient_balance",
      message: "The buyer no longer has enough balance",
      added: [],
    });
    expect(floor.offer(1).status).toBe("pending");
    expect(floor.give(buyer, 1_400).accept(1, seller).kind).toBe("accepted");
  });

  test("is refused at another price than the one that was seen", () => {
    const { floor, ask } = newFloor();
    ask();
    floor.raise(600);
    expect(floor.accept(1, seller, { pricePerItem: 500 })).toMatchObject({
      status: 409,
      code: "price_changed",
      message: "The price is $6.00 now",
      current: { pricePerItem: 600 },
      added: [],
    });
  });

  test("is only for the party whose turn it is; others find no such offer", () => {
    const { floor, ask } = newFloor();
    ask();
    expect(floor.accept(1, otherSeller)).toMatchObject({ status: 404, code: "offer_not_found" });
    expect(floor.accept(9, seller)).toMatchObject({ status: 404, code: "offer_not_found" });
    expect(floor.accept(1, buyer)).toMatchObject({ status: 409, code: "not_your_turn" });
  });

  test("is refused after 48 hours, to the millisecond", () => {
    const { floor, ask } = newFloor();
    ask();
    floor.now = hoursOn(48);
    expect(floor.accept(1, seller)).toMatchObject({ code: "offer_expired", added: [] });
    floor.now = new Date(Date.parse(hoursOn(48)) - 1).toISOString();
    expect(floor.accept(1, seller).kind).toBe("accepted");
  });

  test("ends the other offers that have run out in the same command", () => {
    const { floor, ask } = newFloor();
    ask({ quantity: 3 });
    floor.at(40).counter(1, seller, 600);
    expect(floor.at(50).accept(1, buyer)).toMatchObject({
      answer: { tradeStatus: "awaiting_shipping" },
      added: [{ type: "OffersExpired" }, { type: "OfferAccepted" }],
    });
    expect(floor.offer(2).status).toBe("expired");
  });
});

describe("declining", () => {
  test("ends the offer; when all said no the trade is cancelled", () => {
    const { floor, ask } = newFloor();
    ask();
    expect(floor.decline(1, seller)).toMatchObject({
      answer: { status: "declined", tradeStatus: "pending" },
    });
    expect(floor.decline(2, otherSeller)).toMatchObject({ answer: { tradeStatus: "cancelled" } });
    expect(floor.offer(2)).toMatchObject({ declinedBecause: "party" });
  });

  test("as the last answer after an acceptance lets the trade go on with what was accepted", () => {
    const { floor, ask } = newFloor();
    ask({ quantity: 3 });
    floor.accept(1, seller);
    expect(floor.decline(2, otherSeller)).toMatchObject({
      answer: { tradeStatus: "awaiting_shipping" },
    });
  });

  test("is only for the party whose turn it is, once", () => {
    const { floor, ask } = newFloor();
    ask();
    expect(floor.decline(1, buyer)).toMatchObject({ code: "not_your_turn" });
    floor.decline(1, seller);
    expect(floor.decline(1, seller)).toMatchObject({ code: "offer_closed", added: [] });
  });
});

function saleOf(itemId: string, units: number) {
  return {
    saleId: idOf(700),
    consignorId: seller,
    itemId,
    barcode1: null,
    units,
    priceCents: 100,
    shippingCents: 0,
    salesTaxCents: 0,
    taxRateBasisPoints: null,
    consignorPercentage: 50,
    channel: "online" as const,
    happenedAt: noon,
  };
}
