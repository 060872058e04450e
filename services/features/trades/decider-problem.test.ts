// Specs of problems after fulfillment: reports delay completion, refunds settle them, and nobody gets more than was paid.
import { describe, expect, test } from "vitest";
import { archiveItem } from "#features/inventory/decider-archive.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";
import {
  boss,
  buyer,
  byBuyer,
  otherSeller,
  seller,
  TradeFloor,
  tradeId,
} from "#testing/shop/trade-floor.ts";

/** A fulfilled trade: 2 lamps of one seller at $5.00; with `both` also 1 of another. */
function fulfilled(both = false) {
  const floor = new TradeFloor().give(buyer, 5_000);
  const two = floor.stock(seller, 2);
  const five = floor.stock(otherSeller, 5);
  floor.request(
    [
      [seller, two],
      [otherSeller, five],
    ],
    { quantity: both ? 3 : 2 },
  );
  floor.accept(1, seller);
  if (both) {
    floor.accept(2, otherSeller);
  }
  floor.upload();
  floor.fulfill();
  return { floor, two, five };
}

/** Empties a person's account, so that it can be deleted. */
function leave(floor: TradeFloor, uid: string, itemIds: readonly string[]) {
  floor.give(uid, 0);
  return floor.run(deactivateUser, { uid, itemIds, noteId: null });
}

describe("a report", () => {
  test("delays completion until it is settled", () => {
    const { floor } = fulfilled();
    expect(floor.at(24).report()).toMatchObject({
      answer: { status: "fulfilled" },
      added: [{ type: "TradeReported", postings: [], movements: [] }],
    });
    expect(floor.confirm()).toMatchObject({ code: "report_open", added: [] });
    floor.closeReport();
    expect(floor.confirm().kind).toBe("accepted");
  });

  test("can be made for 30 days after fulfillment, also when the trade is completed", () => {
    const { floor } = fulfilled();
    floor.confirm();
    expect(floor.at(30 * 24).report()).toMatchObject({ code: "report_too_late", added: [] });
    expect(floor.at(30 * 24 - 1).report()).toMatchObject({ answer: { status: "completed" } });
  });

  test("is made by the buyer, after fulfillment, one at a time", () => {
    const { floor } = fulfilled();
    expect(floor.report(seller)).toMatchObject({ status: 404 });
    floor.report();
    expect(floor.report()).toMatchObject({ code: "report_open", added: [] });
    const early = new TradeFloor().give(buyer, 5_000);
    early.request([[seller, early.stock(seller, 1)]]);
    expect(early.report()).toMatchObject({ code: "not_fulfilled" });
  });

  test("is taken back by the buyer or turned down by an admin, once", () => {
    const { floor } = fulfilled();
    expect(floor.closeReport()).toMatchObject({ code: "no_report" });
    floor.report();
    expect(floor.closeReport({ uid: seller, isAdmin: false })).toMatchObject({ status: 404 });
    expect(floor.closeReport(boss).added).toMatchObject([{ data: { by: "admin" } }]);
    floor.report();
    expect(floor.closeReport(byBuyer).added).toMatchObject([{ data: { by: "buyer" } }]);
    expect(floor.closeReport(byBuyer)).toMatchObject({ code: "no_report", added: [] });
  });
});

describe("a refund", () => {
  test("borne by the seller goes from the seller to the buyer, also below zero; units go back to their row", () => {
    const { floor, two } = fulfilled();
    floor.report();
    floor.give(seller, 100);
    const { added, ...decision } = floor.refund({ cents: 500, units: 1, restock: true });
    expect(decision).toMatchObject({ answer: { tradeId, status: "fulfilled", heldCents: 0 } });
    expect(added).toMatchObject([
      {
        type: "TradeRefunded",
        data: { settledReport: true, rows: [{ itemId: two, units: 1 }] },
        postings: [
          { from: `consignor:${seller}:available`, to: `consignor:${buyer}:available`, cents: 500 },
        ],
        movements: [{ from: "world:traded", to: `item:${two}`, units: 1 }],
      },
    ]);
    expect([floor.available(seller), floor.available(buyer)]).toEqual([-400, 4_100]);
    expect(floor.trade.reportedAt).toBeNull();
  });

  test("borne by the store costs the seller nothing, and can include the shipping fee", () => {
    const { floor } = fulfilled();
    expect(floor.refund({ cents: 1_001 })).toMatchObject({
      status: 409,
      code: "more_than_paid",
      message: "Only $10.00 of what was paid can still be refunded",
    });
    expect(floor.refund({ cents: 1_400, borneBy: "store" }).added).toMatchObject([
      {
        postings: [{ from: "store:adjustments", to: `consignor:${buyer}:available`, cents: 1_400 }],
        movements: [],
      },
    ]);
    expect([floor.available(seller), floor.available(buyer)]).toEqual([900, 5_000]);
    expect(floor.refund({ cents: 1, borneBy: "store" })).toMatchObject({ code: "more_than_paid" });
  });

  test("gives back no more units than were traded, however often", () => {
    const { floor, two } = fulfilled();
    expect(floor.refund({ cents: 100, units: 3 })).toMatchObject({ code: "more_than_traded" });
    floor.refund({ cents: 100, units: 1 });
    expect(floor.refund({ cents: 100, units: 2, restock: true })).toMatchObject({
      code: "more_than_traded",
      message: "Only 1 of 2 traded units can still be refunded",
    });
    floor.refund({ cents: 0, units: 1, restock: true });
    expect([floor.units(two), floor.books.unitsIn("world:traded")]).toEqual([1, 1]);
  });

  test("of a trade with several sellers must name one", () => {
    const { floor } = fulfilled(true);
    expect(floor.refund({ cents: 100 })).toMatchObject({ code: "offer_needed", added: [] });
    expect(floor.refund({ cents: 100, nth: 9 })).toMatchObject({ status: 404 });
    expect(floor.refund({ cents: 501, nth: 2 })).toMatchObject({ code: "more_than_paid" });
    expect(floor.refund({ cents: 500, nth: 2 }).kind).toBe("accepted");
    expect([floor.available(seller), floor.available(otherSeller)]).toEqual([900, -50]);
    expect(floor.refund({ cents: 1_400, borneBy: "store", nth: 1 }).kind).toBe("accepted");
    expect(floor.available(buyer)).toBe(5_000);
  });

  test("restocks a deleted item", () => {
    const { floor, two } = fulfilled();
    floor.books.when(archiveItem, { itemId: two, ownerUid: seller, happenedAt: floor.now });
    floor.refund({ cents: 1_000, units: 2, restock: true });
    expect(floor.item(two)).toMatchObject({ archived: false, quantity: 2 });
  });

  test("is refused before fulfillment", () => {
    const floor = new TradeFloor().give(buyer, 5_000);
    floor.request([[seller, floor.stock(seller, 1)]]);
    floor.accept(1, seller);
    expect(floor.refund({ cents: 100 })).toMatchObject({ code: "not_fulfilled", added: [] });
  });

  test("cannot be borne by a seller who has left, nor go to a buyer who has", () => {
    const { floor, two } = fulfilled();
    expect(leave(floor, seller, [two]).kind).toBe("accepted");
    expect(floor.refund({ cents: 100 })).toMatchObject({ code: "seller_left" });
    expect(floor.refund({ cents: 100, units: 1, borneBy: "store", restock: true })).toMatchObject({
      code: "seller_left",
    });
    expect(floor.refund({ cents: 100, units: 1, borneBy: "store" }).kind).toBe("accepted");
    floor.confirm();
    expect(leave(floor, buyer, []).kind).toBe("accepted");
    expect(floor.refund({ cents: 100, borneBy: "store" })).toMatchObject({
      code: "consignor_not_found",
      added: [],
    });
  });
});

describe("deleting a person", () => {
  test("is refused to a buyer until the trade is over, and names it", () => {
    const { floor } = fulfilled();
    expect(leave(floor, buyer, [])).toMatchObject({
      status: 409,
      code: "user_not_settled",
      message: "This user cannot be deleted yet: open trade 11111111 left",
      current: { tradeIds: [tradeId] },
    });
    floor.confirm();
    expect(leave(floor, buyer, []).kind).toBe("accepted");
  });

  test("is refused to a buyer whose report of a completed trade is open, and names it", () => {
    const { floor } = fulfilled();
    floor.confirm();
    for (const settle of [
      () => floor.closeReport(),
      () => floor.refund({ cents: 100, borneBy: "store" }),
    ]) {
      floor.report();
      expect(leave(floor, buyer, [])).toMatchObject({
        code: "user_not_settled",
        current: { tradeIds: [tradeId] },
      });
      expect(settle().kind).toBe("accepted");
    }
    expect(leave(floor, buyer, []).kind).toBe("accepted");
    expect(floor.report()).toMatchObject({ code: "consignor_not_found", added: [] });
  });

  test("is refused to a seller whose units a trade holds, and to nobody who is only asked", () => {
    const floor = new TradeFloor().give(buyer, 5_000);
    const one = floor.stock(seller, 1);
    const other = floor.stock(otherSeller, 1);
    floor.request([
      [seller, one],
      [otherSeller, other],
    ]);
    floor.accept(1, seller);
    expect(leave(floor, seller, [one])).toMatchObject({
      current: { tradeIds: [tradeId], units: 0 },
    });
    floor.books.when(archiveItem, { itemId: other, ownerUid: otherSeller, happenedAt: floor.now });
    expect(leave(floor, otherSeller, [other]).kind).toBe("accepted");
    floor.upload();
    floor.fulfill();
    expect(leave(floor, seller, [one]).kind).toBe("accepted");
  });
});
