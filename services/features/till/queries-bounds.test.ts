// Tests the bounds of the till's days: counted days keep theirs when the store's time zone changes, and none overlap.
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { fieldsOf, openSaleShop, saleOf } from "#testing/shop/sale-shop.ts";
import type { Fields, ItemOwner, SaleShop } from "#testing/shop/sale-shop.ts";
import { events, projections, streams } from "../../features.ts";
import { tillChecks } from "#features/till/checks.ts";
import { closeTillDay } from "#features/till/decider.ts";
import { boundsOf, dayAt } from "#features/till/queries-bounds.ts";

let books: SaleShop;
let owner: ItemOwner;

beforeAll(async () => {
  books = await openSaleShop({ fixedTimeZone: null });
  owner = await books.consignorWith(50);
  await setTimeZone("UTC");
});

afterAll(() => books.close());

/** One lamp at the till for $10.00 and $0.83 tax, in cash. */
async function sold(soldAt: string): Promise<void> {
  const price = { salePrice: 10, salesTax: 0.83, shippingCost: 0, quantitySold: 1 };
  const sale = saleOf(owner, { ...price, channel: "pos", tender: "cash", soldAt });
  expect((await books.record(sale)).status).toBe(200);
}

async function dayNow(day: string): Promise<Fields> {
  const answer = await books.shop.call("GET", `/api/till/day?day=${day}`, { as: books.admin });
  expect(answer.status).toBe(200);
  return fieldsOf(answer);
}

async function count(day: string): Promise<void> {
  const body = { day, openingAmount: 100, countedAmount: 100, note: "Change was short" };
  const answer = await books.shop.call("POST", "/api/till/days", { as: books.admin, body });
  expect(answer.status).toBe(200);
}

async function setTimeZone(timeZone: string): Promise<void> {
  const body = { timeZone };
  const answer = await books.shop.call("PUT", "/api/settings/time-zone", { as: books.admin, body });
  expect(answer.status).toBe(200);
}

async function boundsNow(day: string): Promise<string> {
  const { from, to } = await dayNow(day);
  return `${String(from).slice(8, 13)} to ${String(to).slice(8, 13)}`;
}

async function problems(): Promise<string[]> {
  const { sql } = books.shop.database;
  const store = { sql, events, streams, projections, checks: tillChecks, heads: [] };
  const found = await verifyBooks({ ...store, withoutReplay: true });
  return found.problems.map(({ message }) => message);
}

test("the time zone may change: counted days stay, and those around them end and begin where they do", async () => {
  await sold("2026-11-04T23:00:00Z");
  await sold("2026-11-05T12:00:00Z");
  await count("2026-11-04");
  await count("2026-11-05");
  const before = await Promise.all([dayNow("2026-11-04"), dayNow("2026-11-05")]);
  expect(before).toMatchObject([
    { payments: [{ soldAmount: 10.83 }, {}, {}] },
    { payments: [{ soldAmount: 10.83 }, {}, {}] },
  ]);

  await setTimeZone("Pacific/Auckland");
  expect(await Promise.all([dayNow("2026-11-04"), dayNow("2026-11-05")])).toEqual(
    before.map((day) => ({ ...day, today: expect.any(String) })),
  );
  // Auckland's midnight is 11:00.
  expect(await boundsNow("2026-11-02")).toBe("01T11 to 02T11");
  expect(await boundsNow("2026-11-03")).toBe("02T11 to 04T00");
  expect(await boundsNow("2026-11-06")).toBe("06T00 to 06T11");
  await count("2026-11-05");
  expect(await boundsNow("2026-11-05")).toBe("05T00 to 06T00");
  await count("2026-11-07");

  await setTimeZone("America/Chicago");
  expect(await boundsNow("2026-11-06")).toBe("06T00 to 06T11");
  expect(await boundsNow("2026-11-07")).toBe("06T11 to 07T11");
  expect(await boundsNow("2026-11-08")).toBe("07T11 to 09T06");
  await count("2026-11-08");
  await count("2026-11-06");
  await setTimeZone("UTC");
  expect(await problems()).toEqual([]);
});

test("verify names counted days that overlap, until the later one is counted again", async () => {
  const payments = [{ tender: "cash" as const, soldCents: 0, refundedCents: 0 }];
  const none = { openingCents: 0, paidInCents: 0, paidOutCents: 0, countedCents: 0, leftCents: 0 };
  const unchecked = { seenExpectedCents: null, expectedVersion: null, noteId: null };
  const happenedAt = "2026-11-02T10:00:00.000Z";
  const given = { throughPosition: 1, payments, ...none, ...unchecked, happenedAt };
  const counts = [
    { day: "2026-11-01", from: "2026-11-01T06:00:00.000Z", to: "2026-11-02T06:00:00.000Z" },
    { day: "2026-11-02", from: "2026-11-01T11:00:00.000Z", to: "2026-11-02T11:00:00.000Z" },
  ];
  for (const bounds of counts) {
    const context = books.under(`overlap-${bounds.day}`);
    await books.shop.deps.ledger.execute(closeTillDay, { ...given, ...bounds }, context);
  }
  const overlap = "2026-11-02 begins before 2026-11-01 ended: count it again";
  expect(await problems()).toEqual([expect.stringContaining(overlap)]);
  expect(await boundsNow("2026-11-01")).toBe("01T06 to 02T06");
  expect(await boundsNow("2026-11-02")).toBe("02T06 to 02T11");
  await count("2026-11-02");
  expect(await problems()).toEqual([]);
});

const dayOf = (day: string, from: string, to: string) => ({
  day: `2026-11-${day}`,
  from: new Date(`2026-11-${from}:00Z`),
  to: new Date(`2026-11-${to}:00Z`),
});

test("today is the counted day that has not ended, and a day that was counted does not come twice", () => {
  const auckland = [dayOf("24", "23T11:00", "24T11:00")];
  const chicagoAt = (at: string, day: string) =>
    dayAt(new Date(`2026-11-${at}:00Z`), `2026-11-${day}`, auckland);
  expect(chicagoAt("23T10:00", "23")).toBe("2026-11-23");
  expect(chicagoAt("23T12:00", "23")).toBe("2026-11-24");
  expect(chicagoAt("24T12:00", "24")).toBe("2026-11-25");
  expect(chicagoAt("25T12:00", "25")).toBe("2026-11-25");
});

test("days between counted ones share what lies between, without overlaps", () => {
  const around = [dayOf("20", "19T11:00", "20T11:00"), dayOf("23", "23T06:00", "24T06:00")];
  const between = (day: string, midnight: string, next: string) =>
    boundsOf(`2026-11-${day}`, dayOf(day, midnight, next), around);
  expect(between("21", "21T06:00", "22T06:00")).toMatchObject({
    from: new Date("2026-11-20T11:00:00Z"),
    to: new Date("2026-11-22T06:00:00Z"),
  });
  expect(between("22", "22T06:00", "23T06:00")).toMatchObject({
    from: new Date("2026-11-22T06:00:00Z"),
    to: new Date("2026-11-23T06:00:00Z"),
  });
});
