// Remittances over HTTP: limits by what the ledger has, repeated and concurrent requests, taking one back, the audit log.
import { afterAll, beforeAll, expect, test } from "vitest";
import { remittancesResponse } from "#features/months/contract.ts";
import { taxReportResponse } from "#features/months/contract-tax.ts";
import { fieldsOf, openSaleShop, saleIdOf, saleOf, statusesOf } from "#testing/shop/sale-shop.ts";
import type { Fields, SaleShop } from "#testing/shop/sale-shop.ts";
import type { TestAnswer } from "#testing/service/test-app.ts";

let books: SaleShop;

beforeAll(async () => {
  books = await openSaleShop();
});

afterAll(() => books.close());

const path = "/api/sales-tax/remittances";
let keys = 0;

function remit(body: Fields, headers: Record<string, string> = {}): Promise<TestAnswer> {
  const given = { month: "2026-10", reference: "R-1", ...body };
  return books.shop.call("POST", path, { as: books.admin, body: given, headers });
}

function reverse(id: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
  const body = { reason: "Wrong amount" };
  return books.shop.call("POST", `${path}/${id}/reverse`, { as: books.admin, body, headers });
}

async function listed(): Promise<Fields> {
  const answer = await books.shop.call("GET", path, { as: books.admin });
  expect(answer.status).toBe(200);
  return fieldsOf(answer);
}

/** A sale with this much tax; returns its id. */
async function collect(salesTax: number): Promise<string> {
  const owner = await books.consignorWith(5);
  const answer = await books.record(saleOf(owner, { salesTax, channel: "pos" }));
  expect(answer.status).toBe(200);
  return saleIdOf(answer);
}

const idOf = (answer: TestAnswer) => String(fieldsOf(answer)["remittanceID"]);

test("collected tax is remitted once, however often and from wherever it is sent", async () => {
  await collect(3.3);
  keys += 1;
  const headers = { "Idempotency-Key": `remit-${keys}` };
  const body = { amount: 2, note: "By the bank's form", remittedAt: "2026-11-20T10:00:00Z" };
  const [one, again] = [await remit(body, headers), await remit(body, headers)];
  expect(one).toMatchObject({
    status: 200,
    body: { message: "$2.00 remitted for October 2026", owed: 1.3 },
  });
  expect(again.body).toEqual(one.body);
  expect(await listed()).toMatchObject({
    owed: 1.3,
    remittances: [
      {
        remittanceID: idOf(one),
        month: "2026-10",
        amount: 2,
        reference: "R-1",
        note: "By the bank's form",
        remittedAt: "2026-11-20T10:00:00.000Z",
        by: { uid: books.admin.uid },
        reversed: null,
      },
    ],
  });
  const both = await Promise.all([remit({ amount: 1.3 }), remit({ amount: 1.3 })]);
  expect(statusesOf(both)).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
    error: "more_than_owed",
    message: "All sales tax that was collected is remitted",
  });
});

test("a rehearsal posts nothing and says what would be posted", async () => {
  await collect(4);
  const before = await listed();
  const rehearsed = await remit({ amount: 4 }, { "Ledger-Rehearsal": "true" });
  expect(rehearsed.status).toBe(200);
  expect(JSON.stringify(rehearsed.body)).toContain(
    "$4.00 of sales tax remitted for October 2026 (R-1)",
  );
  expect(await listed()).toEqual(before);
  expect((await remit({ amount: 5 }, { "Ledger-Rehearsal": "true" })).status).toBe(409);
});

test("a wrong remittance is taken back once, and the right one is entered", async () => {
  const before = Number((await listed())["owed"]);
  await collect(9);
  const wrong = idOf(await remit({ amount: 9 }));
  const answers = await Promise.all([reverse(wrong), reverse(wrong)]);
  expect(statusesOf(answers)).toEqual([200, 409]);
  expect(await reverse("00000000-0000-4000-8000-000000000000")).toMatchObject({ status: 404 });
  expect((await remit({ amount: 8 })).status).toBe(200);
  const { owed, remittances } = await listed();
  expect(owed).toBe(before + 1);
  expect(remittances).toMatchObject([
    { amount: 8, reversed: null },
    { amount: 9, reversed: { reason: "Wrong amount", by: { uid: books.admin.uid } } },
    {},
    {},
  ]);
});

test("a refund afterwards leaves less than nothing to remit", async () => {
  const sale = await collect(6);
  expect((await remit({ amount: Number((await listed())["owed"]) })).status).toBe(200);
  const back = { quantity: 2, restock: false, reason: "Broken" };
  expect((await books.refund(sale, back)).status).toBe(200);
  expect(await listed()).toMatchObject({ owed: -6 });
  expect(await remit({ amount: 0.01 })).toMatchObject({ status: 409 });
});

test("a month or a day that has not come, a month that is none, and an amount of nothing are refused", async () => {
  const refused = await Promise.all([
    remit({ amount: 1, month: "2026-12" }),
    remit({ amount: 1, month: "2026-13" }),
    remit({ amount: 1, remittedAt: "2026-12-01T00:00:00Z" }),
    remit({ amount: 0 }),
    remit({ amount: 1.001 }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
});

test("the audit log names both kinds of entries as money, with the reasons", async () => {
  const answer = await books.shop.call("GET", "/api/audit/events?group=money&limit=50", {
    as: books.admin,
  });
  expect(answer.status).toBe(200);
  const text = JSON.stringify(answer.body);
  expect(text).toContain("$9.00 of sales tax remitted for October 2026 (R-1)");
  expect(text).toContain("Remittance of $9.00 of sales tax for October 2026 taken back");
});

async function taxMonths() {
  const answer = await books.shop.call("GET", "/api/sales-tax/report", { as: books.admin });
  return taxReportResponse.parse(answer.body).months;
}

test("the tax report has each month's sales by how they are taxed, and what is still owed for it", async () => {
  const owner = await books.consignorWith(20);
  const soldAt = "2026-09-10T12:00:00Z";
  const exempt = { taxExempt: { certificate: "X-1" }, channel: "pos" };
  const taxed = { salesTax: 3.3, channel: "pos" };
  const recorded = [];
  for (const given of [taxed, exempt, { channel: "online" }, taxed, { channel: "pos" }]) {
    recorded.push(await books.record(saleOf(owner, { soldAt, ...given })));
  }
  const [, , online] = recorded.map(saleIdOf);
  // The tax was forgotten: it is booked when it is corrected, in November.
  await books.correct(online ?? "", { salesTax: 3 });
  expect((await remit({ amount: 2, month: "2026-09" })).status).toBe(200);
  const months = await taxMonths();
  expect(months.find(({ month }) => month === "2026-09")).toEqual({
    month: "2026-09",
    taxable: 80,
    exempt: 40,
    untaxedOnline: 40,
    otherUntaxed: 40,
    collected: 6.6,
    refunded: 0,
    remitted: 2,
    owed: 4.6,
  });
  const november = months.find(({ month }) => month === "2026-11");
  expect(november?.untaxedOnline).toBe(-40);
  // August is before the first entry, but something was remitted for it.
  expect((await remit({ amount: 1, month: "2026-08" })).status).toBe(200);
  const owed = (await taxMonths()).reduce((sum, month) => sum + Math.round(month.owed * 100), 0);
  expect(owed).toBe(Math.round(Number((await listed())["owed"]) * 100));
});

test("a day on which it was paid is the store's, and not after today there", async () => {
  await collect(20);
  const paid = await remit({ amount: 1, remittedAt: "2026-11-01" });
  expect(paid.status).toBe(200);
  const list = remittancesResponse.parse(await listed()).remittances;
  // The store is in Chicago, where summer time ends on that day.
  expect(list.find(({ remittanceID }) => remittanceID === idOf(paid))?.remittedAt).toBe(
    "2026-11-01T05:00:00.000Z",
  );
  await reverse(idOf(paid));
  for (const remittedAt of ["2026-11-22", "2026-02-31"]) {
    const refused = await remit({ amount: 1, remittedAt });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: "remittedAt" }] } });
  }
});
