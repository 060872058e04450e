// Specs of trades that are cancelled, wholly or in part: everything goes back to the same accounts and items.
import { describe, expect, test } from "vitest";
import { editItem } from "#features/inventory/decider.ts";
import { archiveItem } from "#features/inventory/decider-archive.ts";
import {
  boss,
  buyer,
  otherSeller,
  seller,
  TradeFloor,
  tradeId,
} from "#testing/shop/trade-floor.ts";

/** A request of 3 lamps; the first seller has 2 and the second one 5. */
function asked(given: { providesOwnShipping?: boolean } = {}) {
  const floor = new TradeFloor().give(buyer, 5_000);
  const two = floor.stock(seller, 2);
  const five = floor.stock(otherSeller, 5);
  floor.request(
    [
      [seller, two],
      [otherSeller, five],
    ],
    { quantity: 3, ...given },
  );
  return { floor, two, five };
}

/** The same, accepted by both. */
function filled(given: { providesOwnShipping?: boolean } = {}) {
  const all = asked(given);
  all.floor.accept(1, seller);
  all.floor.accept(2, otherSeller);
  return all;
}

describe("withdrawing", () => {
  test("is possible for the buyer while nobody has accepted, and ends open offers", () => {
    const { floor } = asked();
    floor.decline(1, seller);
    const { added, ...decision } = floor.cancel();
    expect(decision).toMatchObject({ answer: { tradeId, status: "cancelled", heldCents: 0 } });
    expect(added).toMatchObject([{ data: { by: "buyer" }, postings: [], movements: [] }]);
    expect([floor.offer(1).status, floor.offer(2).status]).toEqual(["declined", "withdrawn"]);
    expect(floor.accept(2, otherSeller)).toMatchObject({ code: "offer_closed" });
  });

  test("is too late after an acceptance, and possible again when that one was cancelled", () => {
    const { floor } = asked();
    floor.accept(1, seller);
    expect(floor.cancel()).toMatchObject({ status: 409, code: "already_accepted", added: [] });
    floor.cancelPart(1, null);
    expect(floor.cancel().kind).toBe("accepted");
  });

  test("is not possible for a seller or a stranger", () => {
    const { floor } = asked();
    for (const uid of [seller, "stranger-00000000000001"]) {
      expect(floor.cancel({ uid, isAdmin: false })).toMatchObject({ code: "trade_not_found" });
    }
  });
});

describe("closing the rest", () => {
  test("withdraws the open offers; what was accepted goes on", () => {
    const { floor } = asked();
    floor.accept(1, seller);
    expect(floor.close()).toMatchObject({
      answer: { status: "awaiting_shipping", heldCents: 1_400 },
      added: [{ type: "TradeRestClosed", postings: [], movements: [] }],
    });
    expect([floor.offer(1).status, floor.offer(2).status]).toEqual(["accepted", "withdrawn"]);
  });

  test("is for the buyer, after a first acceptance, once", () => {
    const { floor } = asked();
    expect(floor.close()).toMatchObject({ code: "nothing_accepted" });
    floor.accept(1, seller);
    expect(floor.close(seller)).toMatchObject({ status: 404 });
    floor.close();
    expect(floor.close()).toMatchObject({ code: "trade_not_pending", added: [] });
  });
});

describe("cancelling a trade", () => {
  test.each([
    ["while it is pending", () => {}],
    ["while it waits for its label", (floor: TradeFloor) => floor.accept(2, otherSeller)],
    [
      "with its label",
      (floor: TradeFloor) => {
        floor.accept(2, otherSeller);
        floor.upload();
      },
    ],
  ])("%s brings back money, fee and units", (_when, prepare) => {
    const { floor, two, five } = asked();
    floor.accept(1, seller);
    prepare(floor);
    expect(floor.cancel(boss)).toMatchObject({ answer: { status: "cancelled", heldCents: 0 } });
    expect([floor.held, floor.heldUnits, floor.available(buyer)]).toEqual([0, 0, 5_000]);
    expect([floor.units(two), floor.units(five)]).toEqual([2, 5]);
    expect(floor.offer(1)).toMatchObject({
      status: "cancelled",
      acceptance: { units: 0, rows: [] },
    });
  });

  test("happens once, and never after fulfillment", () => {
    const { floor } = filled();
    floor.cancel(boss);
    expect(floor.cancel(boss)).toMatchObject({ code: "trade_not_open", added: [] });
    const other = filled().floor;
    other.upload();
    other.fulfill();
    expect(other.cancel(boss)).toMatchObject({ code: "trade_not_open", added: [] });
  });

  test("brings a deleted item back, without the units that deleting took", () => {
    const { floor, five } = asked();
    floor.accept(2, otherSeller, { quantity: 2 });
    floor.books.when(archiveItem, { itemId: five, ownerUid: otherSeller, happenedAt: floor.now });
    const { added } = floor.cancel(boss);
    expect(added.map(({ type }) => type)).toEqual(["ItemRestored", "TradeCancelled"]);
    expect(floor.item(five)).toMatchObject({ archived: false, quantity: 2 });
  });

  test("gives the units to the item that has the barcode now", () => {
    const { floor, five } = asked();
    floor.accept(2, otherSeller, { quantity: 2 });
    floor.books.when(archiveItem, { itemId: five, ownerUid: otherSeller, happenedAt: floor.now });
    const successor = floor.stock(otherSeller, 1);
    expect(floor.cancel(boss).added.map(({ type }) => type)).toEqual(["TradeCancelled"]);
    expect(floor.item(five)).toMatchObject({ archived: true, quantity: 0 });
    expect(floor.units(successor)).toBe(3);
  });

  test("restores one of two deleted items that have one barcode, and gives it the units of both", () => {
    const floor = new TradeFloor().give(buyer, 5_000);
    const named = (itemId: string) => ({ itemId, ownerUid: seller, happenedAt: floor.now });
    const first = floor.stock(seller, 1);
    const second = floor.stock(seller, 1, "B-2");
    const sellers = [{ uid: seller, itemIds: [first, second], stock: 2 }];
    floor.request([], { sellers, quantity: 2 });
    floor.accept(1, seller);
    floor.books.when(archiveItem, named(first));
    const edit = { quantity: null, reason: null, expectedVersion: null };
    floor.books.when(editItem, { ...named(second), changes: { barcode1: "B-1" }, ...edit });
    floor.books.when(archiveItem, named(second));
    expect(floor.cancel(boss).added.map(({ type }) => type)).toEqual([
      "ItemRestored",
      "TradeCancelled",
    ]);
    expect([floor.item(first), floor.item(second)]).toMatchObject([
      { archived: false, quantity: 2 },
      { archived: true, quantity: 0 },
    ]);
  });

  test("is possible for the buyer if the store has not uploaded its label for 14 days", () => {
    const { floor } = filled();
    expect(floor.at(14 * 24 - 1).cancel()).toMatchObject({ code: "already_accepted" });
    expect(floor.at(14 * 24).cancel()).toMatchObject({ answer: { status: "cancelled" } });
    expect(floor.available(buyer)).toBe(5_000);
  });

  test("is not possible for the buyer while the buyer owes the label", () => {
    const { floor } = filled({ providesOwnShipping: true });
    expect(floor.at(20 * 24).cancel()).toMatchObject({ code: "already_accepted" });
  });
});

describe("cancelling one acceptance", () => {
  test("wholly: its price and its units go back, the rest ships, the fee stays", () => {
    const { floor, two } = filled();
    floor.upload();
    expect(floor.cancelPart(1, null)).toMatchObject({
      answer: { status: "shipping_uploaded", heldCents: 900 },
    });
    expect([floor.available(buyer), floor.units(two), floor.heldUnits]).toEqual([4_100, 2, 1]);
    expect(floor.offer(1).status).toBe("cancelled");
    floor.fulfill();
    expect([floor.available(seller), floor.available(otherSeller)]).toEqual([0, 450]);
  });

  test("by units: the units that were taken last go first", () => {
    const { floor, two } = filled();
    expect(floor.cancelPart(1, 1)).toMatchObject({ answer: { heldCents: 1_400 } });
    expect(floor.offer(1)).toMatchObject({
      status: "accepted",
      acceptance: { units: 1, rows: [{ itemId: two, units: 1 }] },
    });
    expect(floor.cancelPart(1, 2)).toMatchObject({ code: "more_than_accepted" });
    expect(floor.cancelPart(1, 1).kind).toBe("accepted");
    expect(floor.cancelPart(1, null)).toMatchObject({ code: "not_accepted", added: [] });
  });

  test("by units of one item: only that item gets them back, whatever was taken last", () => {
    const floor = new TradeFloor().give(buyer, 5_000);
    const [first, last] = [floor.stock(seller, 2, "ONE"), floor.stock(seller, 1, "TWO")];
    const sellers = [{ uid: seller, itemIds: [first, last], stock: 3 }];
    floor.request([], { sellers, quantity: 3 });
    floor.accept(1, seller);
    expect(floor.cancelPart(1, 1, "restock", first).kind).toBe("accepted");
    expect([floor.units(first), floor.units(last)]).toEqual([1, 0]);
    expect(floor.offer(1).acceptance).toMatchObject({
      units: 2,
      rows: [
        { itemId: first, units: 1 },
        { itemId: last, units: 1 },
      ],
    });
    expect(floor.cancelPart(1, 2, "restock", first)).toMatchObject({ code: "more_than_accepted" });
    expect(floor.cancelPart(1, null, "restock", first).kind).toBe("accepted");
    expect(floor.cancelPart(1, 1, "restock", first)).toMatchObject({ code: "not_accepted" });
  });

  test.each(["lost", "damaged"] as const)("as %s: the money goes back, the units do not", (as) => {
    const { floor, two } = filled();
    const { added } = floor.cancelPart(1, 1, as);
    expect(added).toMatchObject([
      {
        data: { as, units: 1, rows: [] },
        movements: [{ from: `trade:${tradeId}:units`, to: "world:adjusted", units: 1 }],
      },
    ]);
    expect([floor.units(two), floor.available(buyer)]).toEqual([0, 3_600]);
  });

  test("the fee goes back when nothing remains, and the trade is cancelled", () => {
    const { floor } = filled();
    floor.cancelPart(1, null);
    expect(floor.held).toBe(900);
    expect(floor.cancelPart(2, null)).toMatchObject({
      answer: { status: "cancelled", heldCents: 0 },
    });
    expect(floor.available(buyer)).toBe(5_000);
  });

  test("while others are asked the trade stays open: the next acceptance holds the fee again", () => {
    const { floor } = asked();
    floor.accept(1, seller);
    expect(floor.cancelPart(1, null)).toMatchObject({
      answer: { status: "pending", heldCents: 0 },
    });
    expect(floor.accept(2, otherSeller)).toMatchObject({
      answer: { acceptedUnits: 3, tradeStatus: "awaiting_shipping" },
    });
    expect(floor.held).toBe(1_900);
  });

  test("is refused for an unknown offer, and after fulfillment", () => {
    const { floor } = filled();
    expect(floor.cancelPart(7, null)).toMatchObject({ status: 404, code: "offer_not_found" });
    floor.upload();
    floor.fulfill();
    expect(floor.cancelPart(1, null)).toMatchObject({ code: "trade_not_open", added: [] });
  });
});
