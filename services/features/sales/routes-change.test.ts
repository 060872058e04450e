// Correcting and refunding sales over HTTP: to the cent, once, and never more than was sold.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveItem } from "#features/inventory/decider-archive.ts";
import { toCents } from "#ledger/money.ts";
import {
  fieldsOf,
  ITEM_ADDED_AT,
  openSaleShop,
  saleIdOf,
  saleOf,
  statusesOf,
} from "#testing/shop/sale-shop.ts";
import type { SaleShop } from "#testing/shop/sale-shop.ts";

let books: SaleShop;

beforeAll(async () => {
  books = await openSaleShop();
});

afterAll(() => books.close());

describe("correcting and refunding", () => {
  it("a correction posts the difference and shows the consignor the reason", async () => {
    const owner = await books.consignorWith(5);
    const saleId = saleIdOf(await books.record(saleOf(owner)));
    const answer = await books.correct(saleId, {
      itemName: "Brass lamp",
      soldQuantity: 3,
      salePrice: 60,
      shippingCost: 5,
      payoutAmount: 17.5,
      reason: "Typing error",
      expectedVersion: 1,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { message: "Sale updated", version: 2, payoutAmount: 27.5 },
    });
    expect(await books.balanceOf(owner)).toBe(27.5);
    expect(await books.saleNow(saleId)).toMatchObject({
      itemName: "Brass lamp",
      soldQuantity: 3,
      corrections: 1,
      version: 2,
    });
    const ledger = await books.shop.call("GET", `/api/sales/ledger/${owner.person.uid}`, {
      as: owner.person,
    });
    expect(fieldsOf(ledger)["lines"]).toMatchObject([
      { type: "SaleCorrected", amount: 10, balanceAfter: 27.5, note: "Typing error" },
      { type: "SaleRecorded", amount: 17.5, balanceAfter: 17.5, note: null },
    ]);
  });

  it("a sale without a price takes its whole record back, with a price of null", async () => {
    const { itemId } = await books.itemOf(null, 5);
    const saleId = saleIdOf(
      await books.shop.call("POST", "/api/inventory/master/sale", {
        as: books.admin,
        body: { masterItemID: itemId, quantitySold: 2 },
      }),
    );
    const record = { soldQuantity: 3, salePrice: null, shippingCost: 0, payoutAmount: 0 };
    const answer = await books.correct(saleId, { itemName: "Brass lamp", ...record });
    expect(answer).toMatchObject({ status: 200 });
    expect(await books.saleNow(saleId)).toMatchObject({ ...record, itemName: "Brass lamp" });
  });

  it("a sale with a price keeps one", async () => {
    const owner = await books.consignorWith(5);
    const saleId = saleIdOf(await books.record(saleOf(owner)));
    expect(await books.correct(saleId, { salePrice: null })).toMatchObject({
      status: 409,
      body: { error: "price_stays" },
    });
    expect(await books.saleNow(saleId)).toMatchObject({ salePrice: 40, version: 1 });
  });

  it("a form that is older than another admin's change gets the current sale", async () => {
    const owner = await books.consignorWith(5);
    const saleId = saleIdOf(await books.record(saleOf(owner)));
    await books.correct(saleId, { salePrice: 50 });
    expect(await books.correct(saleId, { salePrice: 30, expectedVersion: 1 })).toMatchObject({
      status: 409,
      body: { error: "sale_changed", current: { version: 2, priceCents: 5000 } },
    });
  });

  it("a refund returns its share, once, and never more than was sold", async () => {
    const owner = await books.consignorWith(5);
    const saleId = saleIdOf(await books.record(saleOf(owner)));
    const body = { quantity: 1, restock: true, reason: "Came back" };
    const key = { "Idempotency-Key": `refund-${saleId}` };
    const first = await books.refund(saleId, body, key);
    expect(first).toMatchObject({
      status: 200,
      body: { message: "Refund recorded", refundedAmount: 20, refundedPayout: 8.75, version: 2 },
    });
    expect((await books.refund(saleId, body, key)).body).toEqual(first.body);
    expect(await books.balanceOf(owner)).toBe(8.75);
    expect(await books.refund(saleId, { ...body, quantity: 2 })).toMatchObject({
      status: 409,
      body: { error: "more_than_sold" },
    });
    await books.refund(saleId, { quantity: 1, restock: false, reason: "Broken" });
    expect(await books.saleNow(saleId)).toMatchObject({
      status: "refunded",
      refundedQuantity: 2,
      refundedAmount: 40,
      refundedPayout: 17.5,
    });
    expect(await books.balanceOf(owner)).toBe(0);
    // Four are left after one of the two was restocked.
    const last = saleOf(owner, { quantitySold: 4 });
    expect(await books.record(last)).toMatchObject({ body: { remainingQuantity: 0 } });
  });

  it("a reason is only kept if its change happened", async () => {
    const owner = await books.consignorWith(5);
    const saleId = saleIdOf(await books.record(saleOf(owner)));
    const key = { "Idempotency-Key": `reason-${saleId}` };
    const refund = { quantity: 1, restock: true, reason: "Came back" };
    const answers = [
      await books.refund(saleId, refund, key),
      await books.refund(saleId, refund, key),
      await books.refund(saleId, { ...refund, reason: "Another" }, key),
      await books.refund(saleId, { ...refund, quantity: 2 }),
      await books.refund(books.shop.deps.newId(), refund),
      await books.correct(saleId, { salePrice: 50, expectedVersion: 1, reason: "Too late" }),
      await books.correct(saleId, { salePrice: 40, reason: "It is so already" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 409, 404, 409, 200]);
    expect(await books.looseNotes()).toEqual([]);
    const ledger = await books.shop.call("GET", `/api/sales/ledger/${owner.person.uid}`, {
      as: owner.person,
    });
    expect(fieldsOf(ledger)["lines"]).toMatchObject([{ note: "Came back" }, { note: null }]);
  });

  it("two concurrent refunds of the last unit return it once", async () => {
    const owner = await books.consignorWith(1);
    const saleId = saleIdOf(await books.record(saleOf(owner, { quantitySold: 1 })));
    const body = { quantity: 1, restock: true, reason: "Came back" };
    const answers = await Promise.all([books.refund(saleId, body), books.refund(saleId, body)]);
    expect(statusesOf(answers)).toEqual([200, 409]);
    expect(await books.balanceOf(owner)).toBe(0);
  });

  it.each([
    [{ quantity: 0, restock: false, reason: "x" }, "quantity"],
    [{ quantity: 1, restock: false }, "reason"],
    [{ quantity: 1, reason: "x" }, "restock"],
    [{ quantity: 1, restock: true, reason: "x", amount: 0 }, "amount"],
  ])("refuses the refund %j", async (body, path) => {
    const owner = await books.consignorWith(5);
    const saleId = saleIdOf(await books.record(saleOf(owner)));
    expect(await books.refund(saleId, body)).toMatchObject({
      status: 400,
      body: { details: [{ path }] },
    });
  });

  it("a refund into the stock of a deleted item is refused", async () => {
    const owner = await books.consignorWith(5);
    const saleId = saleIdOf(await books.record(saleOf(owner)));
    await books.shop.deps.ledger.execute(
      archiveItem,
      { itemId: owner.itemId, ownerUid: owner.person.uid, happenedAt: ITEM_ADDED_AT },
      books.under(`archive-${owner.itemId}`),
    );
    expect(await books.refund(saleId, { quantity: 1, restock: true, reason: "x" })).toMatchObject({
      status: 409,
      body: { error: "item_archived" },
    });
  });

  it("an unknown sale is a 404 for both, and only admins may use them", async () => {
    const owner = await books.consignorWith(1);
    const saleId = books.shop.deps.newId();
    const body = { quantity: 1, restock: true, reason: "x" };
    expect((await books.correct(saleId, { salePrice: 1 })).status).toBe(404);
    expect((await books.refund(saleId, body)).status).toBe(404);
    const asUser = { as: owner.person, body };
    expect((await books.shop.call("POST", `/api/sales/${saleId}/refund`, asUser)).status).toBe(403);
  });
});

it("a wrong tender of a refund is corrected, and its day lists it where it belongs", async () => {
  const owner = await books.consignorWith(5);
  const price = { salePrice: 10, salesTax: 0.83, shippingCost: 0, quantitySold: 1 };
  const paid = { ...price, channel: "pos", tender: "card" };
  const sale = saleIdOf(await books.record(saleOf(owner, paid)));
  const back = { quantity: 1, restock: true, reason: "Broken", tender: "card" };
  expect((await books.refund(sale, back)).status).toBe(200);
  const refunds = async (query = "") => {
    const path = `/api/till/refunds?day=2026-11-21${query}`;
    const answer = await books.shop.call("GET", path, { as: books.admin });
    const rows = fieldsOf(answer)["refunds"] as { saleID: string; amount: number }[];
    const cents = rows.reduce((sum, { amount }) => sum + toCents(amount), 0);
    expect(fieldsOf(answer)["total"]).toEqual({ count: rows.length, amount: cents / 100 });
    return rows.filter(({ saleID }) => saleID === sale);
  };
  const one = { saleID: sale, itemName: "Desk lamp", units: 1, amount: 10.83, tender: "card" };
  expect(await refunds("&by=card")).toMatchObject([one]);
  const refundedNow = async () => {
    const day = await books.shop.call("GET", "/api/till/day", { as: books.admin });
    const payments = fieldsOf(day)["payments"] as { refundedAmount: number }[];
    return payments.map(({ refundedAmount }) => toCents(refundedAmount));
  };
  const before = await refundedNow();
  // The sums of the lists are the figures of the day, whatever page of the list is read.
  const sumOf = async (query: string) => {
    const list = `/api/till/refunds?day=2026-11-21&limit=1${query}`;
    const { body: page } = await books.shop.call("GET", list, { as: books.admin });
    return toCents((Object(page) as { total: { amount: number } }).total.amount);
  };
  const sums = await Promise.all(["cash", "card", "other"].map((by) => sumOf(`&by=${by}`)));
  expect(sums).toEqual(before.slice(0, 3));
  expect(await sumOf("")).toBe(before.reduce((sum, cents) => sum + cents, 0));
  const path = `/api/sales/${sale}/refunds/1/tender`;
  const correct = (body: object, headers: Record<string, string> = {}) =>
    books.shop.call("PUT", path, { as: books.admin, body, headers });
  const body = { tender: "cash", expectedVersion: 2, reason: "It was cash" };
  const key = { "Idempotency-Key": "refund-tender-1" };
  const answer = await correct(body, key);
  expect(answer).toMatchObject({ status: 200, body: { message: "Refund updated", version: 3 } });
  expect((await correct(body, key)).body).toEqual(answer.body);
  const both = await Promise.all(
    [1, 2].map(() => correct({ tender: "other", expectedVersion: 3 })),
  );
  expect(statusesOf(both)).toEqual([200, 409]);
  expect((await correct({ tender: "cash" })).body).toMatchObject({ message: "Refund updated" });
  expect((await correct({ tender: "cash" })).body).toMatchObject({
    message: "It is cash already",
    version: 5,
  });
  const logged = "/api/audit/events?group=sale&type=RefundTenderCorrected";
  const { body: listed } = await books.shop.call("GET", logged, { as: books.admin });
  expect(Object(listed)).toMatchObject({
    events: [
      { title: "Refund paid back in cash; another way was recorded before", group: "sale" },
      { title: "Refund paid back another way; cash was recorded before" },
      { title: "Refund paid back in cash; card was recorded before" },
    ],
  });
  expect(await refunds("&by=card")).toEqual([]);
  expect(await refunds("&by=cash")).toMatchObject([{ ...one, tender: "cash" }]);
  expect(await refunds()).toHaveLength(1);
  const after = await refundedNow();
  expect(after.map((cents, nth) => cents - (before[nth] ?? 0)).slice(0, 2)).toEqual([1083, -1083]);
  const story = await books.shop.call("GET", `/api/sales/${sale}/story`, { as: books.admin });
  expect(fieldsOf(story)["entries"]).toMatchObject([
    { title: "Payment of refund 1 corrected", changes: [{ before: "another way", after: "cash" }] },
    { refund: null },
    { changes: [{ before: "card", after: "cash" }], reason: "It was cash" },
    {
      title: "Refunded 1 unit, back in stock, money back by card",
      refund: { number: 1, tender: "cash" },
    },
    { title: "Sold 1 unit", refund: null },
  ]);
  const own = await books.shop.call("GET", `/api/sales/${sale}/story`, { as: owner.person });
  expect(fieldsOf(own)["entries"]).toMatchObject([{ refund: null }, { title: "Sold 1 unit" }]);
  expect((await books.shop.call("PUT", path, { as: owner.person, body })).status).toBe(403);
  const unknown = path.replace("/1/", "/2/");
  const missing = await books.shop.call("PUT", unknown, {
    as: books.admin,
    body: { tender: "cash" },
  });
  expect(missing).toMatchObject({ status: 404, body: { error: "refund_not_found" } });
});
