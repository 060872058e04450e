// What counted days say of what came after their count, and how many corrections of sales a day has.
import { afterAll, beforeAll, expect, test } from "vitest";
import { toCents } from "#ledger/money.ts";
import { dayIn } from "#ledger/day-text.ts";
import { fieldsOf, openSaleShop, saleIdOf, saleOf } from "#testing/shop/sale-shop.ts";
import type { Fields, ItemOwner, SaleShop } from "#testing/shop/sale-shop.ts";
import type { TillClosing } from "#features/till/contract.ts";
import { tillChangesResponse, tillDayResponse, tillDaysResponse } from "#features/till/contract.ts";

let books: SaleShop;
let owner: ItemOwner;

beforeAll(async () => {
  books = await openSaleShop();
  owner = await books.consignorWith(50);
});

afterAll(() => books.close());

/** One lamp at the till for $10.00 and $0.83 tax. */
async function sold(day: string, given: Fields = {}): Promise<string> {
  const price = { salePrice: 10, salesTax: 0.83, shippingCost: 0, quantitySold: 1 };
  const paid = { channel: "pos", tender: "cash", soldAt: `${day}T10:00:00Z` };
  const answer = await books.record(saleOf(owner, { ...price, ...paid, ...given }));
  expect(answer.status).toBe(200);
  return saleIdOf(answer);
}

const call = (method: string, path: string, body?: Fields) =>
  books.shop.call(method, path, { as: books.admin, ...(body === undefined ? {} : { body }) });

async function count(day: string): Promise<void> {
  const counted = { openingAmount: 100, countedAmount: 100, note: "Counted" };
  expect((await call("POST", "/api/till/days", { day, ...counted })).status).toBe(200);
}

async function dayNow(day: string) {
  return tillDayResponse.parse((await call("GET", `/api/till/day?day=${day}`)).body);
}

/** The newest count of the day, as the list has it. */
async function listed(day: string): Promise<TillClosing | undefined> {
  const { closings } = tillDaysResponse.parse((await call("GET", "/api/till/days")).body);
  return closings.find((closing) => closing.day === day);
}

/** What was recorded about the day since its count, the last first. */
async function changesOf(day: string) {
  const { body } = await call("GET", `/api/till/changes?day=${day}`);
  return tillChangesResponse.parse(body).changes;
}

/** The lines behind what changed, summed by tender in cents. */
async function sumOfChanges(day: string): Promise<Readonly<Record<string, number>>> {
  const sums: Record<string, number> = {};
  for (const { tender, amount } of (await changesOf(day)).flatMap(({ parts }) => parts)) {
    sums[tender ?? "unsaid"] = (sums[tender ?? "unsaid"] ?? 0) + toCents(amount);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0));
}

test("the lines sum to what changed, also where a sale of no till gets a payment and refunds are another day's", async () => {
  const [day, today] = ["2026-11-16", "2026-11-21"];
  const online = { channel: "online", tender: undefined };
  const sale = await sold(day, { ...online, quantitySold: 2 });
  const back = { quantity: 1, restock: true, reason: "Broken" };
  expect((await books.refund(sale, back)).status).toBe(200);
  await count(day);
  await count(today);
  expect((await books.correct(sale, { salePrice: 50 })).status).toBe(200);
  expect((await books.correct(sale, { itemName: "Another lamp" })).status).toBe(200);
  // Nobody said how it was paid: none of it is a payment of the till's day.
  expect(await changesOf(day)).toEqual([]);
  const tender = { tender: "cash" };
  expect((await call("PUT", `/api/sales/${sale}/tender`, tender)).status).toBe(200);
  const since = (await listed(day))?.since ?? [];
  expect(since).toEqual([{ tender: "cash", amount: 50.83 }]);
  expect(await sumOfChanges(day)).toEqual({ cash: 5083 });
  expect(await changesOf(day)).toHaveLength(1);
  expect(await changesOf(today)).toEqual([]);
  expect((await call("PUT", `/api/sales/${sale}/refunds/1/tender`, tender)).status).toBe(200);
  expect(await changesOf(day)).toHaveLength(1);
  const [part] = (await listed(today))?.since ?? [];
  expect(part).toMatchObject({ tender: "cash" });
  expect(await changesOf(today)).toMatchObject([{ what: "refund-payment-corrected" }]);
  expect(await sumOfChanges(today)).toEqual({ cash: toCents(part?.amount ?? 0) });
});

test("a counted day says which payments were changed by what came later, until it is counted again", async () => {
  const day = "2026-11-10";
  const first = await sold(day);
  await sold(day, { tender: "card" });
  await count(day);
  expect(await listed(day)).toMatchObject({ isReplaced: false, since: [] });

  await sold(day);
  const late = [{ tender: "cash", amount: 10.83 }];
  expect(await listed(day)).toMatchObject({ since: late });
  expect((await dayNow(day)).closing).toMatchObject({ since: late });

  // Two of three cash sales are gone from the drawer: one is said to be less, one to have been paid by card.
  expect((await books.correct(first, { salePrice: 1, salesTax: 0 })).status).toBe(200);
  expect(await listed(day)).toMatchObject({ since: [{ tender: "cash", amount: 1 }] });
  const path = `/api/sales/${first}/tender`;
  expect((await call("PUT", path, { tender: "other", expectedVersion: 2 })).status).toBe(200);
  expect(await listed(day)).toMatchObject({ since: [{ tender: "other", amount: 1 }] });
  expect(await changesOf(day)).toMatchObject([
    {
      what: "payment-corrected",
      by: "Admin",
      parts: [
        { tender: "other", amount: 1 },
        { tender: "cash", amount: -1 },
      ],
    },
    { what: "corrected", saleID: first, parts: [{ tender: "cash", amount: -9.83 }] },
    { what: "sold", parts: late },
  ]);

  await count(day);
  expect(await listed(day)).toMatchObject({ isReplaced: false, since: [] });
  expect(await changesOf(day)).toEqual([]);
  const { closings } = tillDaysResponse.parse((await call("GET", "/api/till/days")).body);
  expect(closings.filter((one) => one.day === day)).toMatchObject([
    { isReplaced: false },
    { isReplaced: true, since: [] },
  ]);
});

test("a refund of an earlier day's sale changes the day on which it is made", async () => {
  const [day, later] = ["2026-11-12", "2026-11-21"];
  const sale = await sold(day);
  await count(day);
  await count(later);
  const back = { quantity: 1, restock: true, reason: "Broken", tender: "cash" };
  expect((await books.refund(sale, back)).status).toBe(200);
  expect(await listed(day)).toMatchObject({ since: [] });
  expect(await listed(later)).toMatchObject({ since: [{ tender: "cash", amount: -10.83 }] });
  expect(await changesOf(day)).toEqual([]);
  const moved = await call("PUT", `/api/sales/${sale}/refunds/1/tender`, { tender: "card" });
  expect(moved.status).toBe(200);
  expect(await listed(later)).toMatchObject({ since: [{ tender: "card", amount: -10.83 }] });
  expect(await changesOf(later)).toMatchObject([
    { what: "refund-payment-corrected" },
    { what: "refunded", parts: [{ tender: "cash", amount: -10.83 }] },
  ]);
  expect(await sumOfChanges(later)).toEqual({ card: -1083 });
  const { body } = await call("GET", "/api/till/days/export");
  const [head = "", ...lines] = String(body).trimEnd().split("\r\n");
  expect(head.endsWith("Cash since,Card since,Other since,Not said since")).toBe(true);
  expect(lines.find((line) => line.startsWith(later))?.endsWith(",,-10.83,,")).toBe(true);
});

test("a sale that was corrected before the count leaves no trace in the amounts, so the day says how many were", async () => {
  const { store, clock } = books.shop.deps;
  const sale = await sold("2026-11-15", { salePrice: 50 });
  const [last] = await books.shop.deps.sql<{ recorded_at: Date }[]>`
    select recorded_at from log.events order by position desc limit 1`;
  const recordedOn = dayIn(last?.recorded_at ?? clock(), await store.timeZone());
  const before = (await dayNow(recordedOn)).corrections;
  expect((await books.correct(sale, { salePrice: 5 })).status).toBe(200);
  const body = { tender: "other", expectedVersion: 2 };
  const tender = await call("PUT", `/api/sales/${sale}/tender`, body);
  expect(fieldsOf(tender)).toMatchObject({ sales: 1 });
  expect(await dayNow(recordedOn)).toMatchObject({ corrections: before + 2 });
  expect(await dayNow("2026-11-15")).toMatchObject({ corrections: 0 });
});
