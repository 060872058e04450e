// Trades over HTTP: from a request to the last refund, who may do what, and nothing personal gets into the log.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statementResponse } from "#features/accounts/contract.ts";
import { dueOf } from "#features/trades/deadlines.ts";
import { readTrade } from "#features/trades/look-ups.ts";
import { meetDeadline } from "#features/trades/meet-deadline.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import { toCents } from "#ledger/money.ts";
import type { TestAnswer, TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { address, offerPath, openTradeShop, tradeIdIn } from "#testing/shop/trade-shop.ts";

let market: TradeShop;
let admin: TestPerson;

beforeAll(async () => {
  market = await openTradeShop();
  admin = market.admin;
});

afterAll(() => market.close());

describe("from a request to its end", () => {
  test("a trade is requested, accepted, labelled, fulfilled, confirmed, reported and refunded", async () => {
    const { buyer, seller, answer, tradeId } = await market.requested();
    expect(answer).toMatchObject({
      status: 200,
      body: { message: "Trade requested", offers: 1, totalCost: 1_400 },
    });
    expect(
      await market.post(seller, offerPath(tradeId, 1, "accept"), { pricePerItem: 500 }),
    ).toMatchObject({
      status: 200,
      body: {
        message: "Offer accepted successfully!",
        offerId: offerIdOf(tradeId, 1),
        status: "accepted",
        tradeStatus: "awaiting_shipping",
        acceptedQuantity: 2,
        totalValue: 1_000,
      },
    });
    expect(await market.available(buyer)).toBe(8_600);
    expect(await market.upload(buyer, tradeId)).toMatchObject({
      status: 409,
      body: { error: "store_owes_label" },
    });
    expect(await market.upload(admin, tradeId)).toMatchObject({
      status: 200,
      body: {
        message: "Shipping label uploaded successfully!",
        status: "shipping_uploaded",
        heldCents: 1_400,
      },
    });
    expect(await market.post(admin, `${tradeId}/fulfill`)).toMatchObject({
      status: 200,
      body: { status: "fulfilled", heldCents: 0 },
    });
    expect(await market.available(seller)).toBe(900);
    expect(await market.post(buyer, `${tradeId}/confirm`)).toMatchObject({
      body: { message: "Trade completed", status: "completed" },
    });
    expect(
      await market.post(buyer, `${tradeId}/report`, { kind: "damaged", description: "Cracked" }),
    ).toMatchObject({ status: 200, body: { message: "Problem reported" } });
    const refund = { units: 1, cents: 500, borneBy: "seller", restock: false };
    expect(await market.post(admin, `${tradeId}/refund`, refund)).toMatchObject({ status: 200 });
    expect([await market.available(buyer), await market.available(seller)]).toEqual([9_100, 400]);
  });

  test("prices go back and forth until one side accepts", async () => {
    const { buyer, seller, tradeId } = await market.requested();
    const offer = (who: TestPerson, what: string, body: unknown) =>
      market.post(who, offerPath(tradeId, 1, what), body);
    expect(await offer(seller, "counter", { counterPrice: 900 })).toMatchObject({
      body: { message: "Counter offer sent!", status: "countered" },
    });
    const counter = `/api/trades/${offerPath(tradeId, 1, "counter")}`;
    expect(await market.shop.call("DELETE", counter, { as: seller })).toMatchObject({
      body: { status: "pending" },
    });
    expect(await market.post(buyer, `${tradeId}/raise`, { pricePerItem: 600 })).toMatchObject({
      body: { message: "Price raised", status: "pending" },
    });
    expect(await offer(seller, "accept", { pricePerItem: 500 })).toMatchObject({
      status: 409,
      body: { error: "price_changed", message: "The price is $6.00 now" },
    });
    await offer(seller, "counter", { counterPrice: 700, quantity: 1 });
    expect(await offer(buyer, "accept", {})).toMatchObject({
      body: { acceptedQuantity: 1, totalValue: 700, tradeStatus: "awaiting_shipping" },
    });
  });

  test("declining, withdrawing and closing the rest end what is open", async () => {
    const one = await market.requested();
    expect(await market.post(one.seller, offerPath(one.tradeId, 1, "decline"))).toMatchObject({
      body: { message: "Offer declined", tradeStatus: "cancelled" },
    });
    const two = await market.requested();
    expect(await market.post(two.buyer, `${two.tradeId}/cancel`, {})).toMatchObject({
      body: { message: "Trade cancelled", status: "cancelled" },
    });
    const three = await market.requested();
    const other = await market.sellerWith(three.barcode, 1);
    const again = tradeIdIn(await market.request(three.buyer, three.barcode, { quantity: 4 }));
    await market.post(other, offerPath(again, 2, "accept"), {});
    expect(await market.post(three.buyer, `${again}/close`)).toMatchObject({
      body: { message: "Open offers withdrawn", status: "awaiting_shipping", heldCents: 900 },
    });
  });

  test("an acceptance and a trade can be cancelled by an admin, with a reason that is kept outside the log", async () => {
    const { buyer, tradeId } = await market.accepted();
    const offer = offerIdOf(tradeId, 1);
    const part = { units: 1, as: "damaged", reason: "Fell off the shelf" };
    expect(await market.post(admin, `${tradeId}/offers/${offer}/cancel`, part)).toMatchObject({
      body: { message: "Acceptance cancelled", status: "awaiting_shipping", heldCents: 900 },
    });
    expect(await market.post(admin, `${tradeId}/cancel`, { reason: "Sold out" })).toMatchObject({
      body: { status: "cancelled", heldCents: 0 },
    });
    expect(await market.available(buyer)).toBe(10_000);
    const notes = await market.shop.database.sql<{ text: string }[]>`
      select text from identity.notes where about_uid = ${buyer.uid} order by text`;
    expect(notes.map(({ text }) => text)).toEqual(["Fell off the shelf", "Sold out"]);
  });

  test("a seller who has none left closes the offer by accepting", async () => {
    const { seller, tradeId } = await market.requested();
    const item = `/api/inventory/consignor/${seller.uid}/${seller.itemId}`;
    await market.shop.call("DELETE", item, { as: admin });
    expect(await market.post(seller, offerPath(tradeId, 1, "accept"), {})).toMatchObject({
      status: 409,
      body: {
        error: "no_stock",
        message: "There are none left in stock, so this offer was closed",
      },
    });
    expect(await market.post(seller, offerPath(tradeId, 1, "accept"), {})).toMatchObject({
      status: 409,
      body: { error: "offer_closed" },
    });
  });
});

describe("a request", () => {
  test("names a barcode; the store knows the item's name and who has it", async () => {
    const { answer, buyer, barcode } = await market.requested({
      itemName: "A gold bar",
      imageUrl: "x",
    });
    const sql = market.shop.database.sql;
    const [row] = await sql<{ data: Record<string, unknown> }[]>`
      select data from log.events where type = 'TradeRequested' and data ->> 'tradeId' = ${tradeIdIn(answer)}`;
    expect(row?.data).toMatchObject({ itemName: "Desk lamp", imageUrl: "", barcode1: barcode });
    expect(await market.request(buyer, "nothing-like-it")).toMatchObject({
      status: 409,
      body: { error: "not_enough_stock", message: "Nobody has this item now" },
    });
  });

  test("finds an item that just came in", async () => {
    const buyer = await market.buyerWith(10_000);
    const barcode = market.newBarcode();
    await market.sellerWith(barcode, 1);
    expect(await market.request(buyer, barcode)).toMatchObject({ status: 200 });
  });

  test("that is repeated with its key is one request", async () => {
    const { buyer, barcode } = await market.requested();
    const body = {
      itemName: "Desk lamp",
      itemBarcode: barcode,
      quantity: 1,
      pricePerItem: 500,
      shippingAddress: address,
    };
    const headers = { "Idempotency-Key": "request-once" };
    const first = await market.post(buyer, "request", body, headers);
    const second = await market.post(buyer, "request", body, headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
  });

  test.each([
    [{ shippingAddress: { ...address, city: "" } }, "Please fill in all shipping address fields"],
    [{ pricePerItem: 0 }, "Price must be greater than 0"],
    [{ pricePerItem: 4.5 }, "A price is whole cents"],
    [{ quantity: 0 }, "Quantity must be at least 1"],
  ])("with %j is a 400", async (wrong, message) => {
    const { buyer, barcode } = await market.requested();
    expect(await market.request(buyer, barcode, wrong)).toMatchObject({
      status: 400,
      body: { message },
    });
  });

  test("is prefilled with the last address and the current rates", async () => {
    const { buyer } = await market.requested();
    expect(await market.shop.call("GET", "/api/trades/terms", { as: buyer })).toMatchObject({
      status: 200,
      body: {
        commissionPercentage: 10,
        shippingFee: 400,
        availableCents: 10_000,
        shippingAddress: { ...address, country: "USA" },
      },
    });
    const newcomer = await market.buyerWith(0);
    expect(
      (await market.shop.call("GET", "/api/trades/terms", { as: newcomer })).body,
    ).toMatchObject({ shippingAddress: null });
  });
});

const statusesOf = (answers: readonly TestAnswer[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

describe("at once", () => {
  test("a double click accepts once, and two sellers never give more than was asked for", async () => {
    const { buyer, seller, barcode } = await market.requested();
    const other = await market.sellerWith(barcode, 2);
    const tradeId = tradeIdIn(await market.request(buyer, barcode, { quantity: 3 }));
    const accept = (who: TestPerson, nth: number) =>
      market.post(who, offerPath(tradeId, nth, "accept"), {});
    const answers = await Promise.all([
      accept(seller, 1),
      accept(seller, 1),
      accept(other, 2),
      accept(other, 2),
    ]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2);
    const units = await market.shop.database.sql<{ units: number }[]>`
      select sum(units)::int as units from log.movements where to_holding = log.trade_units_holding(${tradeId})`;
    expect(units).toEqual([{ units: 3 }]);
    expect(await market.available(buyer)).toBe(10_000 - 1_900);
  });

  test("one balance pays for one of two trades", async () => {
    const barcode = market.newBarcode();
    const buyer = await market.buyerWith(900);
    const seller = await market.sellerWith(barcode, 5);
    const ids = [];
    for (let trades = 0; trades < 2; trades += 1) {
      ids.push(tradeIdIn(await market.request(buyer, barcode)));
    }
    const answers = await Promise.all(
      ids.map((id) => market.post(seller, offerPath(id, 1, "accept"), {})),
    );
    expect(statusesOf(answers)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      message: "The buyer no longer has enough balance",
    });
    expect(await market.available(buyer)).toBe(0);
  });

  test("two workers on one trade meet each deadline once", async () => {
    const { tradeId } = await market.requested();
    const { deps, database } = market.shop;
    const later = new Date(deps.clock().getTime() + 49 * 3_600_000).toISOString();
    const trade = await readTrade(deps, tradeId);
    const due = trade === null ? [] : dueOf(tradeId, trade, later);
    expect(due.map(({ kind }) => kind)).toEqual(["expire"]);
    const meeting = { ledger: deps.ledger, queueLetters: () => Promise.resolve() };
    const met = await Promise.all(
      [...due, ...due, ...due].map((one) => meetDeadline(meeting, tradeId, one, later)),
    );
    expect(met.map(({ happened }) => happened)).toEqual([true, true, true]);
    expect(met.filter(({ isFirst }) => isFirst)).toHaveLength(1);
    const happened = await database.sql<{ type: string; actor: string }[]>`
      select e.type, e.actor from log.event_streams s join log.events e on e.position = s.position
      where s.stream_id = log.trade_stream(${tradeId}) order by s.version`;
    expect(happened.map(({ type }) => type)).toEqual(["TradeRequested", "OffersExpired"]);
    expect(happened[1]?.actor).toBe("system:trades");
  });

  test("two admins fulfill once", async () => {
    const { seller, tradeId } = await market.accepted();
    await market.upload(admin, tradeId);
    const answers = await Promise.all([
      market.post(admin, `${tradeId}/fulfill`),
      market.post(admin, `${tradeId}/fulfill`),
      market.post(admin, `${tradeId}/cancel`, {}),
    ]);
    expect(statusesOf(answers)).toEqual([200, 409, 409]);
    expect([0, 900]).toContain(await market.available(seller));
  });
});

test("a statement has trades among its sums, which lead from the opening to the closing balance", async () => {
  const { buyer } = await market.accepted();
  const path = `/api/accounts/${buyer.uid}/statement?from=2000-01-01&to=2099-12-31`;
  const { body } = await market.shop.call("GET", path, { as: buyer });
  const { opening, sums, closing, lines } = statementResponse.parse(body);
  const change = sums.reduce((sum, { amount }) => sum + toCents(amount), 0);
  expect(sums.map(({ kind }) => kind)).toEqual(["trade", "adjustment"]);
  expect(toCents(opening.balance) + change).toBe(toCents(closing.balance));
  expect(sums.reduce((sum, { lines: own }) => sum + own, 0)).toBe(lines.length);
});

test("the books of all these trades prove right, and every event reads where it appears", async () => {
  expect(await market.wrongInBooks({ withoutReplay: true })).toEqual([]);
});
