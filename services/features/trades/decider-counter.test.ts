// Specs of changed terms before anybody accepts: counters, taking them back, and raising the price.
import { describe, expect, test } from "vitest";
import { declineOffer } from "#features/trades/decider-answer.ts";
import { counterOffer } from "#features/trades/decider-counter.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import {
  buyer,
  hoursOn,
  otherSeller,
  seller,
  tradeId,
  TradeFloor,
} from "#testing/shop/trade-floor.ts";

/** A request of 3 lamps at $5.00, offered to two sellers. */
function asked(balance = 5_000) {
  const floor = new TradeFloor().give(buyer, balance);
  const two = floor.stock(seller, 2);
  const five = floor.stock(otherSeller, 5);
  floor.request(
    [
      [seller, two],
      [otherSeller, five],
    ],
    { quantity: 3 },
  );
  return floor;
}

describe("a counter", () => {
  test("replaces the price, then it is the other party's turn, and the 48 hours begin again", () => {
    const floor = asked().at(40);
    const { added, ...decision } = floor.counter(1, seller, 700);
    expect(decision).toMatchObject({ answer: { status: "countered", tradeStatus: "pending" } });
    expect(added).toMatchObject([
      {
        type: "OfferCountered",
        data: { by: "seller", pricePerItem: 700, quantity: 2 },
        postings: [],
        movements: [],
      },
    ]);
    expect(floor.offer(1).expiresAt).toBe(hoursOn(88));
    expect(floor.accept(1, seller)).toMatchObject({ code: "not_your_turn" });
    expect(floor.accept(1, buyer)).toMatchObject({ answer: { acceptedCents: 1_400 } });
    expect(floor.held).toBe(1_800);
  });

  test("from the buyer is answered by the seller", () => {
    const floor = asked();
    floor.counter(1, seller, 700);
    floor.counter(1, buyer, 600);
    expect(floor.accept(1, buyer)).toMatchObject({ code: "not_your_turn" });
    expect(floor.decline(1, buyer)).toMatchObject({ code: "not_your_turn" });
    expect(floor.accept(1, seller, { pricePerItem: 600 })).toMatchObject({
      answer: { acceptedCents: 1_200 },
    });
  });

  test("can name fewer units, never more than were offered", () => {
    const floor = asked();
    expect(floor.counter(2, otherSeller, 700, 4)).toMatchObject({ code: "more_than_offered" });
    floor.counter(2, otherSeller, 700, 1);
    expect(floor.accept(2, buyer, { quantity: 2 })).toMatchObject({ code: "more_than_offered" });
    floor.counter(2, buyer, 700, 3);
    expect(floor.accept(2, otherSeller)).toMatchObject({ answer: { acceptedUnits: 3 } });
  });

  test("must change something", () => {
    expect(asked().counter(1, seller, 500)).toMatchObject({ code: "same_terms", added: [] });
    expect(asked().counter(1, seller, 500, 1).kind).toBe("accepted");
  });

  test("can be made five times at most, by both parties together", () => {
    const floor = asked();
    for (const [round, who] of [seller, buyer, seller, buyer, seller].entries()) {
      expect(floor.counter(1, who, 600 + round).kind).toBe("accepted");
    }
    expect(floor.counter(1, buyer, 900)).toMatchObject({
      status: 409,
      code: "too_many_counters",
      added: [],
    });
    expect(floor.accept(1, buyer).kind).toBe("accepted");
  });

  test("never lets an offer live longer than 7 days from the request", () => {
    const floor = asked();
    for (const [hours, who] of [
      [47, seller],
      [94, buyer],
      [141, seller],
    ] as const) {
      expect(floor.at(hours).counter(1, who, 600 + hours).kind).toBe("accepted");
    }
    expect(floor.offer(1).expiresAt).toBe(hoursOn(168));
    expect(floor.at(168).counter(1, buyer, 900)).toMatchObject({ code: "offer_expired" });
  });

  test("is refused out of turn, a second time, and from somebody else", () => {
    const floor = asked();
    expect(floor.counter(1, buyer, 600)).toMatchObject({ code: "not_your_turn" });
    expect(floor.counter(1, otherSeller, 600)).toMatchObject({ status: 404 });
    floor.counter(1, seller, 600);
    expect(floor.counter(1, seller, 700)).toMatchObject({ code: "not_your_turn", added: [] });
  });

  test("and a refusal are not taken for a price that the seller has not seen", () => {
    const floor = asked();
    floor.raise(900);
    const seen = { offerId: offerIdOf(tradeId, 1), actorUid: seller, shownPricePerItem: 500 };
    const changed = { code: "price_changed", current: { pricePerItem: 900 }, added: [] };
    const lower = { pricePerItem: 700, quantity: null };
    expect(floor.run(counterOffer, { ...seen, ...lower })).toMatchObject(changed);
    expect(floor.run(declineOffer, seen)).toMatchObject(changed);
    const now = { ...seen, shownPricePerItem: 900 };
    expect(floor.run(counterOffer, { ...now, ...lower, pricePerItem: 950 }).kind).toBe("accepted");
  });
});

describe("a counter that is taken back", () => {
  test("restores the terms before it", () => {
    const floor = asked();
    floor.counter(1, seller, 700, 1);
    floor.counter(1, buyer, 600);
    expect(floor.takeBack(1, buyer)).toMatchObject({ answer: { status: "countered" } });
    expect(floor.accept(1, buyer)).toMatchObject({ answer: { acceptedCents: 700 } });
  });

  test("that was the first one restores the buyer's price, with any raise since", () => {
    const floor = asked();
    floor.counter(1, seller, 900);
    floor.raise(600);
    expect(floor.offer(1)).toMatchObject({ status: "countered", pricePerItem: 500 });
    expect(floor.takeBack(1, seller)).toMatchObject({ answer: { status: "pending" } });
    expect(floor.accept(1, seller)).toMatchObject({ answer: { acceptedCents: 1_200 } });
  });

  test("still counts as one of the five", () => {
    const floor = asked();
    for (let round = 0; round < 5; round += 1) {
      floor.counter(1, seller, 600);
      floor.takeBack(1, seller);
    }
    expect(floor.counter(1, seller, 600)).toMatchObject({ code: "too_many_counters" });
  });

  test("must be one's own and not answered yet", () => {
    const floor = asked();
    expect(floor.takeBack(1, seller)).toMatchObject({ code: "no_counter" });
    floor.counter(1, seller, 700);
    expect(floor.takeBack(1, buyer)).toMatchObject({ code: "no_counter" });
    floor.counter(1, buyer, 600);
    expect(floor.takeBack(1, seller)).toMatchObject({ code: "no_counter", added: [] });
    floor.accept(1, seller);
    expect(floor.takeBack(1, buyer)).toMatchObject({ code: "offer_closed" });
  });
});

describe("raising the price", () => {
  test("reprices pending offers, whose 48 hours begin again; countered ones stay", () => {
    const floor = asked().at(10);
    floor.counter(1, seller, 900);
    const { added } = floor.at(20).raise(600);
    expect(added).toMatchObject([
      { type: "TradeRaised", data: { before: 500, after: 600 }, postings: [], movements: [] },
    ]);
    expect(floor.trade.pricePerItem).toBe(600);
    expect(floor.offer(1)).toMatchObject({ pricePerItem: 500, expiresAt: hoursOn(58) });
    expect(floor.offer(2)).toMatchObject({ pricePerItem: 600, expiresAt: hoursOn(68) });
  });

  test("checks the balance again", () => {
    const floor = asked(1_900 + 299);
    expect(floor.raise(600)).toMatchObject({ code: "insufficient_balance", added: [] });
    floor.give(buyer, 2_200);
    expect(floor.raise(600).kind).toBe("accepted");
  });

  test("must be higher, and is only for the buyer", () => {
    const floor = asked();
    expect(floor.raise(500)).toMatchObject({ code: "not_higher" });
    expect(floor.raise(499)).toMatchObject({ code: "not_higher" });
    expect(floor.raise(600, seller)).toMatchObject({ status: 404, code: "trade_not_found" });
  });

  test("is refused after somebody accepted, and if every open offer has a counter", () => {
    const floor = asked();
    floor.counter(1, seller, 900);
    floor.counter(2, otherSeller, 900);
    expect(floor.raise(600)).toMatchObject({ code: "nothing_to_raise" });
    floor.accept(1, buyer);
    expect(floor.raise(600)).toMatchObject({ code: "already_accepted" });
    floor.accept(2, buyer);
    expect(floor.raise(600)).toMatchObject({ code: "trade_not_pending", added: [] });
  });

  test("never revives an offer that has run out", () => {
    const floor = asked();
    floor.at(40).counter(1, seller, 900);
    floor.at(41).takeBack(1, seller);
    expect(floor.at(50).raise(600).added).toMatchObject([
      { type: "OffersExpired" },
      { type: "TradeRaised" },
    ]);
    expect([floor.offer(1).status, floor.offer(2).status]).toEqual(["pending", "expired"]);
  });
});
