// Specs of shipping a trade: who uploads the label, what another address does to it, and who is paid what.
import { describe, expect, test } from "vitest";
import { consignorStreamId } from "#features/accounts/streams.ts";
import { traderStreamId, tradeStreamId } from "#features/trades/streams.ts";
import { idOf } from "#testing/shop/stock-room.ts";
import {
  boss,
  buyer,
  byBuyer,
  hoursOn,
  otherSeller,
  seller,
  TradeFloor,
  tradeId,
} from "#testing/shop/trade-floor.ts";

/** 2 lamps of one seller and 1 of another, accepted at $5.00 and waiting for the label. */
function filled(given: { providesOwnShipping?: boolean; pricePerItem?: number } = {}) {
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
  floor.accept(1, seller);
  floor.accept(2, otherSeller);
  return floor;
}

describe("the label", () => {
  test("is uploaded by the store if the buyer pays for shipping", () => {
    const floor = filled();
    expect(floor.upload(byBuyer)).toMatchObject({ code: "store_owes_label", added: [] });
    expect(floor.upload(boss)).toMatchObject({
      answer: { status: "shipping_uploaded", heldCents: 1_900 },
      added: [{ type: "TradeLabelUploaded", data: { by: "admin", replacedLabelId: null } }],
    });
  });

  test("is uploaded by the buyer otherwise; an admin can help", () => {
    expect(filled({ providesOwnShipping: true }).upload(byBuyer)).toMatchObject({
      added: [{ data: { by: "buyer", labelId: idOf(800) } }],
    });
    expect(filled({ providesOwnShipping: true }).upload(boss).kind).toBe("accepted");
  });

  test("can be replaced until the trade is fulfilled", () => {
    const floor = filled();
    floor.upload(boss, idOf(801));
    expect(floor.upload(boss, idOf(802)).added).toMatchObject([
      { data: { labelId: idOf(802), replacedLabelId: idOf(801) } },
    ]);
    floor.fulfill();
    expect(floor.upload(boss, idOf(803))).toMatchObject({ code: "trade_not_open", added: [] });
  });

  test("has to wait until no offer is open, and sellers cannot upload it", () => {
    const floor = new TradeFloor().give(buyer, 5_000);
    floor.request([[seller, floor.stock(seller, 2)]]);
    expect(floor.upload(boss)).toMatchObject({ code: "no_label_yet", added: [] });
    expect(filled().upload({ uid: seller, isAdmin: false })).toMatchObject({ status: 404 });
  });
});

describe("another address", () => {
  test("voids the label: the trade waits for one again", () => {
    const floor = filled();
    floor.at(1).upload();
    expect(floor.at(2).moveTo(idOf(901))).toMatchObject({
      answer: { status: "awaiting_shipping" },
      added: [{ data: { before: idOf(900), after: idOf(901), voidedLabelId: idOf(800) } }],
    });
    expect(floor.trade).toMatchObject({ labelId: null, statusSince: hoursOn(2) });
    expect(floor.fulfill()).toMatchObject({ code: "no_label" });
  });

  test("changes nothing else if there is no label yet", () => {
    const floor = filled();
    expect(floor.at(2).moveTo(idOf(901), boss)).toMatchObject({
      answer: { status: "awaiting_shipping" },
      added: [{ data: { by: "admin", voidedLabelId: null } }],
    });
    expect(floor.trade.statusSince).toBe(hoursOn(0));
  });

  test("is too late after fulfillment", () => {
    const floor = filled();
    floor.upload();
    floor.fulfill();
    expect(floor.moveTo(idOf(901))).toMatchObject({ code: "trade_not_open", added: [] });
  });
});

describe("fulfilling", () => {
  test("pays each seller price less commission, and the store commission and fee", () => {
    const floor = filled();
    floor.upload();
    const { added, ...decision } = floor.fulfill();
    expect(decision).toMatchObject({ answer: { tradeId, status: "fulfilled", heldCents: 0 } });
    const escrow = `trade:${tradeId}:escrow`;
    expect(added).toMatchObject([
      {
        type: "TradeFulfilled",
        postings: [
          { from: escrow, to: `consignor:${seller}:available`, cents: 900 },
          { from: escrow, to: `consignor:${otherSeller}:available`, cents: 450 },
          { from: escrow, to: "store:trade-commission", cents: 150 },
          { from: escrow, to: "store:shipping", cents: 400 },
        ],
        movements: [{ from: `trade:${tradeId}:units`, to: "world:traded", units: 3 }],
      },
    ]);
    expect(added[0]?.streams.toSorted()).toEqual(
      [
        tradeStreamId(tradeId),
        ...[seller, otherSeller].flatMap((uid) => [consignorStreamId(uid), traderStreamId(uid)]),
      ].toSorted(),
    );
    expect([floor.held, floor.heldUnits]).toEqual([0, 0]);
  });

  test("rounds the commission half up, for each acceptance", () => {
    const floor = filled({ pricePerItem: 345 });
    floor.upload();
    floor.fulfill();
    // 10 % of $6.90 is 69 cents; of $3.45 it is 34.5, so 35.
    expect(floor.books.balanceOf("store:trade-commission")).toBe(69 + 35);
    expect([floor.available(seller), floor.available(otherSeller)]).toEqual([621, 310]);
  });

  test("pays no fee if the buyer provided the label", () => {
    const floor = filled({ providesOwnShipping: true });
    floor.upload(byBuyer);
    floor.fulfill();
    expect(floor.books.balanceOf("store:shipping")).toBe(0);
  });

  test("pays the held money, whatever happened to the buyer's balance since", () => {
    const floor = filled();
    floor.upload();
    floor.give(buyer, -900);
    expect(floor.fulfill().kind).toBe("accepted");
    expect([floor.available(buyer), floor.available(seller)]).toEqual([-900, 900]);
  });

  test("needs the label, and happens once", () => {
    const floor = filled();
    expect(floor.fulfill()).toMatchObject({ status: 409, code: "no_label", added: [] });
    floor.upload();
    floor.fulfill();
    expect(floor.fulfill()).toMatchObject({ code: "already_fulfilled", added: [] });
    floor.confirm();
    expect(floor.fulfill()).toMatchObject({ code: "already_fulfilled", added: [] });
    expect(floor.available(seller)).toBe(900);
  });

  test("is refused for a cancelled trade", () => {
    const floor = filled();
    floor.cancel(boss);
    expect(floor.fulfill()).toMatchObject({ code: "trade_not_open", added: [] });
  });
});

describe("confirming", () => {
  test("completes the trade; no money moves", () => {
    const floor = filled();
    floor.upload();
    floor.fulfill();
    expect(floor.confirm()).toMatchObject({
      answer: { status: "completed" },
      added: [{ type: "TradeCompleted", data: { by: "buyer" }, postings: [], movements: [] }],
    });
  });

  test("is possible for the buyer, after fulfillment, once", () => {
    const floor = filled();
    expect(floor.confirm()).toMatchObject({ code: "not_fulfilled" });
    floor.upload();
    floor.fulfill();
    expect(floor.confirm(seller)).toMatchObject({ status: 404, code: "trade_not_found" });
    floor.confirm();
    expect(floor.confirm()).toMatchObject({ code: "already_completed", added: [] });
  });
});
