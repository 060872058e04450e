// Trades over HTTP: from a request to the last refund, who may do what, and that nothing personal gets into the log.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookChecks, events, projections, streams } from "../../features.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { address, offerPath, openTradeShop, tradeIdIn } from "#testing/shop/trade-shop.ts";
import { untoldEvents } from "#testing/shop/untold-events.ts";

let market: TradeShop;
let admin: TestPerson;
let barcodes = 0;

beforeAll(async () => {
  market = await openTradeShop();
  admin = market.admin;
});

afterAll(() => market.close());

/** A buyer with $100 and a seller with 3 units, and the buyer's request of them. */
async function requested(given: Readonly<Record<string, unknown>> = {}) {
  const barcode = `T-${(barcodes += 1)}`;
  const buyer = await market.buyerWith(10_000);
  const seller = await market.sellerWith(barcode, 3);
  const answer = await market.request(buyer, barcode, { quantity: 2, ...given });
  return { buyer, seller, barcode, answer, tradeId: tradeIdIn(answer) };
}

async function accepted(given: Readonly<Record<string, unknown>> = {}) {
  const all = await requested(given);
  await market.post(all.seller, offerPath(all.tradeId, 1, "accept"), {});
  return all;
}

describe("from a request to its end", () => {
  test("a trade is requested, accepted, labelled, fulfilled, confirmed, reported and refunded", async () => {
    const { buyer, seller, answer, tradeId } = await requested();
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
    const { buyer, seller, tradeId } = await requested();
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

  test("a decline, a withdrawal and a closed rest end what is open", async () => {
    const one = await requested();
    expect(await market.post(one.seller, offerPath(one.tradeId, 1, "decline"))).toMatchObject({
      body: { message: "Offer declined", tradeStatus: "cancelled" },
    });
    const two = await requested();
    expect(await market.post(two.buyer, `${two.tradeId}/cancel`, {})).toMatchObject({
      body: { message: "Trade cancelled", status: "cancelled" },
    });
    const three = await requested();
    const other = await market.sellerWith(three.barcode, 1);
    const again = tradeIdIn(await market.request(three.buyer, three.barcode, { quantity: 4 }));
    await market.post(other, offerPath(again, 2, "accept"), {});
    expect(await market.post(three.buyer, `${again}/close`)).toMatchObject({
      body: { message: "Open offers withdrawn", status: "awaiting_shipping", heldCents: 900 },
    });
  });

  test("an acceptance and a trade can be cancelled by an admin, with a reason beside the log", async () => {
    const { buyer, tradeId } = await accepted();
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
    const { seller, tradeId } = await requested();
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
  test("names a barcode: what it is called, and who has it, the store knows", async () => {
    const { answer, buyer, barcode } = await requested({ itemName: "A gold bar", imageUrl: "x" });
    const sql = market.shop.database.sql;
    const [row] = await sql<{ data: Record<string, unknown> }[]>`
      select data from log.events where type = 'TradeRequested' and data ->> 'tradeId' = ${tradeIdIn(answer)}`;
    expect(row?.data).toMatchObject({ itemName: "Desk lamp", imageUrl: "", barcode1: barcode });
    expect(await market.request(buyer, "nothing-like-it")).toMatchObject({
      status: 409,
      body: { error: "not_enough_stock", message: "Nobody has this item now" },
    });
  });

  test("asks for what just came in", async () => {
    const buyer = await market.buyerWith(10_000);
    const barcode = `T-${(barcodes += 1)}`;
    await market.sellerWith(barcode, 1);
    expect(await market.request(buyer, barcode)).toMatchObject({ status: 200 });
  });

  test("that comes again under its key is one request", async () => {
    const { buyer, barcode } = await requested();
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
    const { buyer, barcode } = await requested();
    expect(await market.request(buyer, barcode, wrong)).toMatchObject({
      status: 400,
      body: { message },
    });
  });

  test("fills itself in with the address of the last one, at the rates of now", async () => {
    const { buyer } = await requested();
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

describe("at once", () => {
  test("a double click accepts once, and two sellers never give more than was asked for", async () => {
    const { buyer, seller, barcode } = await requested();
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
    const barcode = `T-${(barcodes += 1)}`;
    const buyer = await market.buyerWith(900);
    const seller = await market.sellerWith(barcode, 5);
    const ids = [];
    for (let trades = 0; trades < 2; trades += 1) {
      ids.push(tradeIdIn(await market.request(buyer, barcode)));
    }
    const answers = await Promise.all(
      ids.map((id) => market.post(seller, offerPath(id, 1, "accept"), {})),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      message: "The buyer no longer has enough balance",
    });
    expect(await market.available(buyer)).toBe(0);
  });

  test("two admins fulfill once", async () => {
    const { seller, tradeId } = await accepted();
    await market.upload(admin, tradeId);
    const answers = await Promise.all([
      market.post(admin, `${tradeId}/fulfill`),
      market.post(admin, `${tradeId}/fulfill`),
      market.post(admin, `${tradeId}/cancel`, {}),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect([0, 900]).toContain(await market.available(seller));
  });
});

describe("a label", () => {
  const get = (as: TestPerson, tradeId: string, what: string) =>
    market.shop.call("GET", `/api/trades/${tradeId}/${what}`, { as });

  test("of the buyer is shown to the buyer and to admins alone", async () => {
    const { buyer, seller, tradeId } = await accepted({ providesOwnShipping: true });
    expect(await get(buyer, tradeId, "label")).toMatchObject({ status: 404 });
    expect(await market.upload(buyer, tradeId)).toMatchObject({ status: 200 });
    for (const who of [buyer, admin]) {
      const answer = await get(who, tradeId, "label");
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Content-Disposition")).toContain("attachment");
      expect(String(answer.body)).toContain("%PDF-1.4");
    }
    expect(await get(seller, tradeId, "label")).toMatchObject({ status: 404 });
    expect(await get(seller, tradeId, "shipping")).toMatchObject({ status: 404 });
  });

  test("that was replaced, or voided by another address, cannot be read any more", async () => {
    const { buyer, tradeId } = await accepted({ providesOwnShipping: true });
    await market.upload(buyer, tradeId);
    await market.upload(buyer, tradeId, { trackingNumber: "9400-QUILL-2" });
    const sql = market.shop.database.sql;
    const keys = () => sql`select id from identity.label_keys where uid = ${buyer.uid}`;
    expect(await keys()).toHaveLength(1);
    const body = { shippingAddress: { ...address, street: "1 Elsewhere" } };
    const path = `/api/trades/${tradeId}/address`;
    expect(await market.shop.call("PUT", path, { as: buyer, body })).toMatchObject({
      body: { message: "Shipping address changed", status: "awaiting_shipping" },
    });
    expect(await keys()).toHaveLength(0);
    expect(await get(buyer, tradeId, "label")).toMatchObject({
      status: 404,
      body: { error: "label_not_found" },
    });
    expect(await get(buyer, tradeId, "shipping")).toMatchObject({
      body: { shippingAddress: { street: "1 Elsewhere" } },
    });
  });

  test("needs what goes onto it", async () => {
    const { buyer, tradeId } = await accepted({ providesOwnShipping: true });
    expect(await get(buyer, tradeId, "shipping")).toMatchObject({
      status: 200,
      body: {
        shortId: buyer.uid.slice(-8).toUpperCase(),
        reference: tradeId.slice(0, 8),
        shippingAddress: { ...address, country: "USA" },
        units: 2,
        labelOwedBy: "buyer",
      },
    });
  });

  test.each([
    [{ trackingNumber: " " }, "Please enter a tracking number"],
    [{ carrier: "DHL" }, "Please select a carrier"],
    [{ label: "no file" }, "Please select a label file"],
    [{ label: new File(["GIF89a"], "label.pdf") }, "This is not a PDF file"],
  ])("with %j is a 400", async (wrong, message) => {
    const { buyer, tradeId } = await accepted({ providesOwnShipping: true });
    expect(await market.upload(buyer, tradeId, wrong)).toMatchObject({
      status: 400,
      body: { message },
    });
  });
});

describe("who may do what", () => {
  test("strangers find no trade and no offer, and sellers only their own offer", async () => {
    const { tradeId } = await accepted();
    const stranger = await market.buyerWith(0);
    const body = { shippingAddress: address };
    const answers = await Promise.all([
      market.post(stranger, offerPath(tradeId, 1, "accept"), {}),
      market.post(stranger, offerPath(tradeId, 1, "decline")),
      market.post(stranger, offerPath(tradeId, 1, "counter"), { counterPrice: 1 }),
      market.post(stranger, `${tradeId}/raise`, { pricePerItem: 900 }),
      market.post(stranger, `${tradeId}/close`),
      market.post(stranger, `${tradeId}/cancel`, {}),
      market.post(stranger, `${tradeId}/confirm`),
      market.post(stranger, `${tradeId}/report`, { kind: "lost" }),
      market.shop.call("PUT", `/api/trades/${tradeId}/address`, { as: stranger, body }),
      market.upload(stranger, tradeId),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });

  test("a buyer cannot fulfill, refund or cancel an acceptance", async () => {
    const { buyer, tradeId } = await accepted();
    const refund = { units: 1, cents: 1, borneBy: "store", restock: false };
    const answers = await Promise.all([
      market.post(buyer, `${tradeId}/fulfill`),
      market.post(buyer, `${tradeId}/refund`, refund),
      market.post(buyer, `${tradeId}/offers/${offerIdOf(tradeId, 1)}/cancel`, { as: "lost" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe("what is personal", () => {
  test("stands outside the log, and is erased with its person", async () => {
    const { buyer, tradeId } = await accepted({ providesOwnShipping: true });
    await market.upload(buyer, tradeId);
    await market.post(buyer, `${tradeId}/report`, { kind: "lost", description: "Quillfeather" });
    const sql = market.shop.database.sql;
    const [found] = await sql<{ found: number }[]>`
      select (select count(*) from log.events where data::text ~* 'quill|marfa')
        + (select count(*) from log.command_keys where answer::text ~* 'quill|marfa')
        + (select count(*) from log.streams where state::text ~* 'quill|marfa') as found`;
    expect(found?.found).toBe(0);
    const kept = async () => {
      const [row] = await sql<{ rows: number }[]>`
        select (select count(*) from identity.trade_addresses where uid = ${buyer.uid})
          + (select count(*) from identity.trade_labels where uid = ${buyer.uid}) as rows`;
      return row?.rows;
    };
    expect(await kept()).toBe(2);
    const exported = await market.shop.call("GET", "/api/auth/me/export", { as: buyer });
    expect(exported.body).toMatchObject({
      tradeAddresses: [{ street: address.street, city: address.city }],
      tradeLabels: [{ trackingNumber: "9400-QUILL-1" }],
    });
    const remove = () => market.shop.call("DELETE", `/api/auth/users/${buyer.uid}`, { as: admin });
    expect(await remove()).toMatchObject({
      status: 409,
      body: { error: "user_not_settled", current: { tradeIds: [tradeId] } },
    });
    await market.post(admin, `${tradeId}/cancel`, {});
    const balance = `/api/sales/balance/${buyer.uid}`;
    await market.shop.call("PUT", balance, { as: admin, body: { balance: 0 } });
    expect(await remove()).toMatchObject({ status: 200 });
    expect(await kept()).toBe(0);
  });
});

test("the books of all these trades prove right, and every event reads where it appears", async () => {
  const { sql } = market.shop.database;
  await market.shop.runner.catchUp();
  const books = { sql, streams, events, projections, heads: [], checks: bookChecks };
  expect((await verifyBooks(books)).problems).toEqual([]);
  expect(await untoldEvents(sql)).toEqual([]);
});
