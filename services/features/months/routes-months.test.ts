// Closed months over HTTP: who closes first, what is dated into them afterwards, and that their numbers never change.
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { MonthView } from "#features/months/contract-months.ts";
import { lateEntriesResponse, monthsResponse } from "#features/months/contract-months.ts";
import type { MonthTotals } from "#features/reports/contract-month.ts";
import { fieldsOf, openSaleShop, saleIdOf, saleOf, statusesOf } from "#testing/shop/sale-shop.ts";
import type { Fields, ItemOwner, SaleShop } from "#testing/shop/sale-shop.ts";
import type { TestAnswer } from "#testing/service/test-app.ts";
import { sized } from "#testing/trial/size.ts";
import { closeMonth } from "#features/months/decider.ts";
import { noTotals } from "#testing/shop/month-totals.ts";
import { monthChecks } from "#features/months/checks.ts";
import { events, projections, streams } from "../../features.ts";

let books: SaleShop;
let owner: ItemOwner;

beforeAll(async () => {
  books = await openSaleShop({ fixedTimeZone: null });
  owner = await books.consignorWith(10_000);
  await setTimeZone("America/Chicago");
});

afterAll(() => books.close());

function close(month: string, given: Fields = {}, headers: Record<string, string> = {}) {
  const body = { month, ...given };
  return books.shop.call("POST", "/api/months/close", { as: books.admin, body, headers });
}

async function setTimeZone(timeZone: string): Promise<void> {
  const as = books.admin;
  const answer = await books.shop.call("PUT", "/api/settings/time-zone", {
    as,
    body: { timeZone },
  });
  expect(answer.status).toBe(200);
}

async function listed(year = 2026) {
  const answer = await books.shop.call("GET", `/api/months?year=${year}`, { as: books.admin });
  expect(answer.status).toBe(200);
  return monthsResponse.parse(answer.body);
}

async function monthNow(month: string): Promise<MonthView> {
  const found = (await listed()).months.find((one) => one.month === month);
  if (found === undefined) {
    throw new Error(`${month} is not in the list`);
  }
  return found;
}

/** What the consignor reads of their own account. */
async function own(path: string): Promise<Fields> {
  const { person } = owner;
  const url = `/api/accounts/${person.uid}/${path}`;
  return fieldsOf(await books.shop.call("GET", url, { as: person }));
}

async function ownLedger(): Promise<Fields> {
  const { person } = owner;
  const url = `/api/sales/ledger/${person.uid}`;
  return fieldsOf(await books.shop.call("GET", url, { as: person }));
}

/** Two lamps for $40.00, sold on this day. */
async function sold(day: string, given: Fields = {}): Promise<string> {
  const answer = await books.record(saleOf(owner, { soldAt: `${day}T12:00:00Z`, ...given }));
  expect(answer.status).toBe(200);
  return saleIdOf(answer);
}

test("of two admins who close a month at once one does it, and the other reads that it is closed", async () => {
  await sold("2026-06-10");
  await sold("2026-07-10");
  const other = await books.shop.person("Robin", "admin");
  const body = { month: "2026-06" };
  const answers = await Promise.all(
    [books.admin, other].map((as) => books.shop.call("POST", "/api/months/close", { as, body })),
  );
  expect(statusesOf(answers)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    error: "month_closed",
    message: "June 2026 is closed already",
  });
  expect(await monthNow("2026-06")).toMatchObject({
    status: "closed",
    canClose: false,
    closed: { by: { displayName: expect.stringMatching(/Admin|Robin/u) as string } },
    totals: { sales: 1, consigned: { soldCents: 4000 } },
    lateEntries: 0,
  });
  expect(await monthNow("2026-07")).toMatchObject({ status: "open", canClose: true });
});

test("a repeated request gets the first answer, a rehearsal closes nothing, and the present month stays open", async () => {
  const rehearsed = await close("2026-07", {}, { "Ledger-Rehearsal": "true" });
  expect(rehearsed.status).toBe(200);
  expect(JSON.stringify(rehearsed.body)).toContain("July 2026 closed");
  expect(await monthNow("2026-07")).toMatchObject({ status: "open" });
  expect(await close("2026-08")).toMatchObject({ body: { error: "month_out_of_order" } });
  const key = { "Idempotency-Key": "close-july" };
  const [one, again]: TestAnswer[] = [
    await close("2026-07", {}, key),
    await close("2026-07", {}, key),
  ];
  expect(one).toMatchObject({ status: 200, body: { message: "July 2026 closed" } });
  expect(again?.body).toEqual(one?.body);
  expect(await close("2026-11")).toMatchObject({ status: 409 });
});

test("what is dated into a closed month is booked when the open one begins, and is listed as late", async () => {
  const before = await monthNow("2026-06");
  const late = await sold("2026-06-15");
  expect(await monthNow("2026-06")).toEqual({ ...before, lateEntries: 1 });
  const answer = await books.shop.call("GET", "/api/months/2026-06/late", { as: books.admin });
  expect(answer.body).toMatchObject({
    entries: [
      {
        what: "Sale recorded",
        saleID: late,
        consignor: { uid: owner.person.uid },
        salePrice: 40,
        happenedAt: "2026-06-15T12:00:00.000Z",
        bookedAt: (await monthNow("2026-08")).from,
      },
    ],
  });
  // It stands in the open month, which lists it too.
  expect(await monthNow("2026-08")).toMatchObject({ totals: { sales: 1 }, lateBooked: 1 });
  const booked = await books.shop.call("GET", "/api/months/2026-08/late?by=booked", {
    as: books.admin,
  });
  expect(booked.body).toEqual(answer.body);
  expect((await ownLedger())["lines"]).toMatchObject([{ isLate: true, month: "2026-08" }, {}, {}]);
});

test("a late sale without a price and a late remittance are in the list, with what is known of them", async () => {
  const { shop, admin } = books;
  const added = await shop.call("POST", "/api/inventory/master", {
    as: admin,
    body: { itemName: "Own rug", barcode1: "OWN-1", quantity: 3 },
  });
  const before = await monthNow("2026-06");
  const open = await monthNow("2026-08");
  const soldAt = "2026-06-20T12:00:00.000Z";
  for (const at of [soldAt, "2026-08-05T12:00:00.000Z"]) {
    const body = { masterItemID: fieldsOf(added)["id"], quantitySold: 1, soldAt: at };
    const sale = await shop.call("POST", "/api/inventory/master/sale", { as: admin, body });
    expect(sale.status).toBe(200);
  }
  await sold("2026-08-04", { salesTax: 9 });
  const remitted = await shop.call("POST", "/api/sales-tax/remittances", {
    as: admin,
    body: { month: "2026-08", amount: 5, remittedAt: "2026-06-21T12:00:00.000Z" },
  });
  expect(remitted.status).toBe(200);
  expect(await monthNow("2026-06")).toEqual({ ...before, lateEntries: before.lateEntries + 2 });
  expect((await monthNow("2026-08")).lateBooked).toBe(open.lateBooked + 2);
  const { body } = await shop.call("GET", "/api/months/2026-06/late", { as: admin });
  const { entries } = lateEntriesResponse.parse(body);
  expect(entries).toHaveLength(before.lateEntries + 2);
  expect(entries).toMatchObject([
    { what: "Sales tax remitted", salePrice: 0, remitted: 5, withoutPrice: false },
    {
      consignor: null,
      saleID: expect.any(String) as string,
      salePrice: 0,
      withoutPrice: true,
      happenedAt: soldAt,
      bookedAt: open.from,
    },
    { salePrice: 40, remitted: 0, withoutPrice: false },
  ]);
});

test("a statement of a closed month says the same after a late entry", async () => {
  const statement = () => own("statement?from=2026-06-01&to=2026-07-31");
  const before = await statement();
  await sold("2026-07-20");
  const after = await statement();
  expect([after["lines"], after["closing"]]).toEqual([before["lines"], before["closing"]]);
});

test("a month whose totals changed while an admin looked at them is not closed", async () => {
  const { position } = await listed();
  await sold("2026-08-20");
  expect(await close("2026-08", { seenPosition: position })).toMatchObject({
    status: 409,
    body: { error: "month_changed" },
  });
  expect((await close("2026-08", { seenPosition: (await listed()).position })).status).toBe(200);
});

test("the time zone may change: closed months stay, and the open one begins where the last one ended", async () => {
  const closed = await monthNow("2026-08");
  const tillDay = async () => {
    const { body } = await books.shop.call("GET", "/api/till/day?day=2026-08-10", {
      as: books.admin,
    });
    return body;
  };
  const till = await tillDay();
  await setTimeZone("America/Los_Angeles");
  expect(await monthNow("2026-08")).toEqual(closed);
  expect(await tillDay()).toEqual(till);
  expect(await monthNow("2026-09")).toMatchObject({
    from: closed.to,
    to: "2026-10-01T07:00:00.000Z",
  });
  // In September as August was closed, in August by the new time zone's midnight.
  await sold("2026-09-01", { soldAt: "2026-09-01T06:00:00Z" });
  const report = await books.shop.call("GET", "/api/reports/months?from=2026-08-01&to=2026-09-30", {
    as: books.admin,
  });
  const soldIn = async (month: string) => (await monthNow(month)).totals.consigned.soldCents / 100;
  expect(report.body).toMatchObject({
    months: [{ sold: await soldIn("2026-08") }, { sold: await soldIn("2026-09") }],
  });
  const augustSold = await soldIn("2026-08");
  // A consignor's statements, yearly ones and ledger have the same months.
  const lines = async (from: string, to: string) =>
    (await own(`statement?from=${from}&to=${to}`))["lines"];
  const last = { happenedAt: "2026-09-01T06:00:00.000Z", month: "2026-09" };
  expect(await lines("2026-09-01", "2026-09-30")).toMatchObject([last]);
  const august = await lines("2026-08-01", "2026-08-31");
  expect(august).not.toContainEqual(expect.objectContaining(last));
  expect((await own("years/2026"))["months"]).toMatchObject(
    Array.from({ length: 11 }, (_, index) => (index === 7 ? { sold: augustSold } : {})),
  );
  expect(await ownLedger()).toMatchObject({
    lines: [
      last,
      ...Array.from({ length: Object(august).length }, () => ({ month: "2026-08" })),
      {},
      {},
    ],
    months: [{ month: "2026-09", lines: 1 }, { month: "2026-08" }, {}, {}],
  });
});

test("documents of closed months name the time zone of their closing, and those of both say so", async () => {
  const statement = (from: string, to: string) => own(`statement?from=${from}&to=${to}`);
  expect(await statement("2026-08-01", "2026-08-31")).toMatchObject({
    timeZone: "America/Chicago",
    closedZones: [],
  });
  expect(await statement("2026-09-01", "2026-09-30")).toMatchObject({
    timeZone: "America/Los_Angeles",
    closedZones: [],
  });
  const both = await statement("2026-08-01", "2026-09-30");
  const closedZones = [{ month: "2026-08", timeZone: "America/Chicago" }];
  expect(both).toMatchObject({ timeZone: "America/Los_Angeles", closedZones });
  const { uid, token } = owner.person;
  const text = async (path: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    const url = `http://app.test/api/accounts/${uid}/${path}&format=csv`;
    return (await books.shop.app.request(url, { headers })).text();
  };
  expect(await text("statement?from=2026-08-01&to=2026-08-31")).toContain(
    "2026-08-01 to 2026-08-31 (America/Chicago)",
  );
  expect(await text("years/2026?paper=a4")).toContain(
    "days of America/Los_Angeles; closed months keep the time zone of their closing, America/Chicago",
  );
  const tax = await books.shop.call("GET", "/api/sales-tax/report?year=2026", { as: books.admin });
  expect(tax.body).toMatchObject({ timeZone: "America/Los_Angeles", closedZones: [{}, {}, {}] });
});

const kept = new Map<string, MonthTotals>();

/** Everything that adds up over months. */
function summed(totals: readonly MonthTotals[]) {
  const sum = (of: (one: MonthTotals) => number) =>
    totals.reduce((total, one) => total + of(one), 0);
  return {
    sales: sum((one) => one.sales),
    sold: sum((one) => one.consigned.soldCents),
    refunded: sum((one) => one.consigned.refundedCents),
    corrected: sum((one) => one.consigned.correctedCents),
    share: sum((one) => one.consigned.storeCents),
    tax: sum((one) => one.tax.collectedCents - one.tax.refundedCents + one.tax.correctedCents),
    taxed: sum((one) => one.tax.taxedCents),
    untaxed: sum((one) => one.tax.untaxedCents),
  };
}

test("wherever months are closed between entries, closed months keep their totals, and all months are everything", async () => {
  const day = fc
    .integer({ min: 0, max: 140 })
    .map((days) => new Date(Date.UTC(2026, 5, 25) + days * 86_400_000).toISOString().slice(0, 10));
  const act = fc.record({
    what: fc.constantFrom("sell", "sell", "refund", "correct"),
    day,
    tax: fc.boolean(),
  });
  const closings = ["2026-09", "2026-10"];
  const sales: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 6 }), async (acts) => {
      for (const one of acts) {
        const of = sales.at(-1);
        if (one.what === "sell" || of === undefined) {
          sales.push(await sold(one.day, one.tax ? { salesTax: 3.3 } : {}));
        } else if (one.what === "refund") {
          await books.refund(of, { quantity: 1, restock: true, reason: "Back" });
        } else {
          await books.correct(of, { salePrice: 30 + sales.length, salesTax: one.tax ? 0 : 2 });
        }
      }
      const before = (await listed()).months;
      const month = closings.shift();
      expect(month === undefined ? 200 : (await close(month)).status).toBe(200);
      const after = (await listed()).months;
      const totals = (months: readonly MonthView[]) => months.map((one) => one.totals);
      // Closing changes no number.
      expect(totals(after)).toEqual(totals(before));
      for (const one of after.filter(({ closed }) => closed !== null)) {
        kept.set(one.month, kept.get(one.month) ?? one.totals);
        expect(one.totals).toEqual(kept.get(one.month));
      }
      const [all] = await books.shop.deps.sql<Record<string, number>[]>`
        select count(*) as sales, sum(price_cents)::bigint as price, sum(refunded_price_cents)::bigint as refunded,
          sum(sales_tax_cents - refunded_tax_cents)::bigint as tax, sum(store_cents)::bigint as share
        from read.sales where price_cents is not null`;
      const { sold: soldCents, corrected, taxed, untaxed, ...rest } = summed(totals(after));
      expect({ ...rest, price: soldCents + corrected }).toEqual(all);
      expect(taxed + untaxed).toBe(soldCents + corrected - rest.refunded);
    }),
    { numRuns: sized(4, 20), endOnFailure: true },
  );
  expect(await problems()).toEqual([]);
});

async function problems() {
  await books.shop.runner.catchUp();
  const { sql } = books.shop.database;
  const store = { sql, events, streams, projections, checks: monthChecks, heads: [] };
  return (await verifyBooks({ ...store, withoutReplay: true })).problems;
}

test("verify names a closed month that says something else than its lines", async () => {
  await books.shop.deps.ledger.execute(
    closeMonth,
    {
      month: "2026-11",
      from: (await monthNow("2026-10")).to,
      to: "2026-11-21T00:00:00.000Z",
      timeZone: "UTC",
      throughPosition: 1,
      totals: { ...noTotals, paidCents: 7 },
      happenedAt: "2026-11-21T10:00:00.000Z",
    },
    books.under("wrong"),
  );
  const found = await problems();
  expect(found.map(({ check }) => check)).toContain("months");
  expect(JSON.stringify(found)).toContain(
    "2026-11 was closed with 7 cents of payouts, where its lines make 0",
  );
});
