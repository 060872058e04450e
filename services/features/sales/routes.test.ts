// Recording sales over HTTP: once, whatever the network does, and never more than the stock.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endAccount } from "#testing/shop/people.ts";
import { openSaleShop, saleIdOf, saleOf, statusesOf } from "#testing/shop/sale-shop.ts";
import type { Fields, SaleShop } from "#testing/shop/sale-shop.ts";

let books: SaleShop;

beforeAll(async () => {
  books = await openSaleShop();
});

afterAll(() => books.close());

describe("recording a sale", () => {
  it("pays the consignor, takes the units, and is in the history at once with its calculation", async () => {
    const owner = await books.consignorWith(5);
    const answer = await books.record(saleOf(owner));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        message: "Sale recorded successfully",
        payoutAmount: 17.5,
        remainingQuantity: 3,
      },
    });
    expect(Number(answer.headers.get("Ledger-Position"))).toBeGreaterThan(0);
    expect(await books.balanceOf(owner)).toBe(17.5);
    const history = await books.shop.call("GET", `/api/sales/history/${owner.person.uid}`, {
      as: owner.person,
    });
    expect(history.body).toEqual({
      sales: [
        {
          saleID: saleIdOf(answer),
          kind: "consignor",
          consignorID: owner.person.uid,
          consignorDisplayName: expect.stringContaining("Consignor"),
          itemUID: owner.itemId,
          barcode1: owner.barcode1,
          itemName: "Desk lamp",
          soldQuantity: 2,
          salePrice: 40,
          shippingCost: 5,
          consignorPercentage: 50,
          payoutAmount: 17.5,
          saleRecord: "($40.00 − $5.00 shipping) × 50% = $17.50",
          dateSold: "2026-11-21T10:00:00.000Z",
          timestamp: Date.parse("2026-11-21T10:00:00.000Z"),
          channel: "online",
          status: "sold",
          refundedQuantity: 0,
          refundedAmount: 0,
          refundedPayout: 0,
          corrections: 0,
          version: 1,
        },
      ],
      nextCursor: null,
      hasMore: false,
      count: { value: 1, capped: false },
    });
  });

  it("defaults to a share of half, no shipping, no tax and now", async () => {
    const owner = await books.consignorWith(1);
    const answer = await books.record({
      consignorID: owner.person.uid,
      itemUID: owner.itemId,
      salePrice: 10.01,
      quantitySold: 1,
    });
    expect(answer).toMatchObject({ status: 200, body: { payoutAmount: 5.01 } });
  });

  it("repeats its answer for the same key and sells once, and answers 422 to another body", async () => {
    const owner = await books.consignorWith(5);
    const key = { "Idempotency-Key": `posSale:${owner.itemId}:1` };
    const first = await books.record(saleOf(owner), key);
    const again = await books.record(saleOf(owner), key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await books.balanceOf(owner)).toBe(17.5);
    expect((await books.record(saleOf(owner, { salePrice: 41 }), key)).status).toBe(422);
  });

  it("lets only one of two admins sell the last one", async () => {
    const owner = await books.consignorWith(1);
    const answers = await Promise.all([
      books.record(saleOf(owner, { quantitySold: 1 })),
      books.record(saleOf(owner, { quantitySold: 1 })),
    ]);
    expect(statusesOf(answers)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      error: "not_enough_stock",
      message: "Only 0 available in inventory",
    });
    expect(await books.balanceOf(owner)).toBe(17.5);
  });

  it("may have happened before, but not in the future", async () => {
    const owner = await books.consignorWith(5);
    const past = await books.record(saleOf(owner, { soldAt: "2026-10-31T22:00:00-05:00" }));
    expect(await books.saleNow(saleIdOf(past))).toMatchObject({
      dateSold: "2026-11-01T03:00:00.000Z",
    });
    expect(await books.record(saleOf(owner, { soldAt: "2026-11-21T10:01:00Z" }))).toMatchObject({
      status: 400,
      body: { error: "sold_in_future", details: [{ path: "soldAt" }] },
    });
    const clockAhead = await books.record(saleOf(owner, { soldAt: "2026-11-21T10:00:20Z" }));
    expect(await books.saleNow(saleIdOf(clockAhead))).toMatchObject({
      dateSold: "2026-11-21T10:00:00.000Z",
    });
  });

  it.each([
    [{ salePrice: 0 }, "salePrice"],
    [{ salePrice: -1 }, "salePrice"],
    [{ salePrice: 1.001 }, "salePrice"],
    [{ salePrice: "10" }, "salePrice"],
    [{ salePrice: 1e300 }, "salePrice"],
    [{ shippingCost: -0.01 }, "shippingCost"],
    [{ quantitySold: 0 }, "quantitySold"],
    [{ quantitySold: 1.5 }, "quantitySold"],
    [{ consignorPercentage: 101 }, "consignorPercentage"],
    [{ consignorPercentage: 33.3 }, "consignorPercentage"],
    [{ channel: "fax" }, "channel"],
    [{ soldAt: "yesterday" }, "soldAt"],
    [{ soldAt: "1999-12-31T23:59:59Z" }, "soldAt"],
    [{ itemUID: "1" }, "itemUID"],
    [{ consignorID: "short" }, "consignorID"],
    [{ payoutAmount: 5 }, ""],
  ])("refuses %j and changes nothing", async (given, path) => {
    const owner = await books.consignorWith(5);
    expect(await books.record(saleOf(owner, given))).toMatchObject({
      status: 400,
      body: { error: "validation_failed", details: [{ path, message: expect.any(String) }] },
    });
    expect(await books.balanceOf(owner)).toBe(0);
  });

  it("does not find another owner's item", async () => {
    const [owner, other] = [await books.consignorWith(1), await books.consignorWith(1)];
    expect(await books.record(saleOf(owner, { itemUID: other.itemId }))).toMatchObject({
      status: 404,
      body: { error: "item_not_found" },
    });
  });

  it("does not find an unknown or deleted consignor", async () => {
    const owner = await books.consignorWith(3);
    const unknown = saleOf(owner, { consignorID: "nobody-0000000000000000" });
    const refusal = { status: 404, body: { error: "consignor_not_found" } };
    expect(await books.record(unknown)).toMatchObject(refusal);
    const key = { "Idempotency-Key": `posSale:${owner.itemId}:left` };
    const sold = await books.record(saleOf(owner), key);
    const settled = await books.shop.call("PUT", `/api/sales/balance/${owner.person.uid}`, {
      as: books.admin,
      body: { balance: 0 },
    });
    expect(settled.status).toBe(200);
    await endAccount(books.shop.deps, owner.person.uid);
    expect(await books.record(saleOf(owner, { quantitySold: 1 }))).toMatchObject(refusal);
    // A sale from before gets its first answer, however late the point of sale repeats the request.
    expect((await books.record(saleOf(owner), key)).body).toEqual(sold.body);
    expect(await books.saleNow(saleIdOf(sold))).toMatchObject({ version: 1 });
  });

  it("is for admins only", async () => {
    const owner = await books.consignorWith(1);
    const body = saleOf(owner);
    const path = "/api/sales/record";
    expect((await books.shop.call("POST", path, { as: owner.person, body })).status).toBe(403);
    expect((await books.shop.call("POST", path, { body })).status).toBe(401);
  });
});

describe("other ways to sell", () => {
  it("a custom sale gives the consignor the full amount", async () => {
    const owner = await books.consignorWith(0);
    const itemName = "Cable\r\nlot\u202E";
    const body = { consignorID: owner.person.uid, itemName, amount: 19.99 };
    const answer = await books.shop.call("POST", "/api/sales/custom", { as: books.admin, body });
    expect(answer).toMatchObject({
      status: 200,
      body: { payoutAmount: 19.99, remainingQuantity: null },
    });
    expect(await books.balanceOf(owner)).toBe(19.99);
    expect(await books.saleNow(saleIdOf(answer))).toMatchObject({
      kind: "custom",
      itemName: "Cable lot",
      itemUID: null,
      channel: null,
      saleRecord: "$19.99, all of it to the consignor",
      storeAmount: 0,
    });
  });

  it("a custom sale needs a name, an amount and a known consignor", async () => {
    const owner = await books.consignorWith(0);
    const sell = (body: Fields) =>
      books.shop.call("POST", "/api/sales/custom", { as: books.admin, body });
    const body = { consignorID: owner.person.uid, itemName: "Cable lot", amount: 1 };
    const { amount: _amount, ...unpriced } = body;
    for (const [wrong, message] of [
      [{ ...body, itemName: " " }, "Please fill in all fields"],
      [unpriced, "Please fill in all fields"],
      [{ ...body, amount: "1" }, "Please enter a valid amount"],
    ] as const) {
      expect(await sell(wrong)).toMatchObject({ status: 400, body: { message } });
    }
    expect(await sell({ ...body, consignorID: "nobody-0000000000000000" })).toMatchObject({
      status: 404,
      body: { error: "consignor_not_found" },
    });
  });

  it("a sale of the store's own item pays no consignor, with or without a price", async () => {
    const { itemId } = await books.itemOf(null, 3);
    const sell = (body: Fields) =>
      books.shop.call("POST", "/api/inventory/master/sale", {
        as: books.admin,
        body: { masterItemID: itemId, quantitySold: 1, ...body },
      });
    const stockOnly = await sell({});
    expect(stockOnly).toMatchObject({ body: { payoutAmount: 0, remainingQuantity: 2 } });
    expect(await books.saleNow(saleIdOf(stockOnly))).toMatchObject({
      kind: "master",
      salePrice: null,
      saleRecord: "Stock only, without a price",
    });
    const priced = await sell({ salePrice: 10, salesTax: 0.83, channel: "pos" });
    expect(await books.saleNow(saleIdOf(priced))).toMatchObject({
      salePrice: 10,
      salesTax: 0.83,
      storeAmount: 10,
      channel: "pos",
    });
    expect(await sell({ salesTax: 0.83 })).toMatchObject({
      status: 400,
      body: { details: [{ path: "salesTax" }] },
    });
    expect(await sell({ quantitySold: 2 })).toMatchObject({
      status: 409,
      body: { message: "Only 1 available in inventory" },
    });
  });
});
