// The ledger by kind: each line has the kind, the chip and the words that its event's feature gives it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ledgerResponse } from "#features/accounts/contract.ts";
import {
  type ItemOwner,
  openSaleShop,
  saleIdOf,
  saleOf,
  type SaleShop,
} from "#testing/shop/sale-shop.ts";
import { unexplainedEvents } from "#testing/shop/unexplained-events.ts";

let sales: SaleShop;
let owner: ItemOwner;

beforeAll(async () => {
  sales = await openSaleShop();
  owner = await sales.consignorWith(9);
  const saleId = saleIdOf(await sales.record(saleOf(owner)));
  await sales.correct(saleId, { salePrice: 60 });
  await sales.refund(saleId, { quantity: 1, restock: true, reason: "Came back" });
  const path = `/api/sales/balance/${owner.person.uid}`;
  await sales.shop.call("PUT", path, { as: sales.admin, body: { balance: 5 } });
});

afterAll(() => sales.close());

const get = (query: string) =>
  sales.shop.call("GET", `/api/sales/ledger/${owner.person.uid}${query}`, { as: owner.person });

async function linesOf(query: string) {
  const { lines } = ledgerResponse.parse((await get(query)).body);
  return lines.map(({ kind, chip, description }) => [kind, chip.label, chip.tone, description]);
}

const adjustment = [
  "adjustment",
  "Adjustment",
  "neutral",
  "Balance set from $13.75 to $5.00 by the store",
];
const refund = ["refund", "Refund", "debit", "Desk lamp refunded to the buyer"];
const correction = ["correction", "Correction", "correction", "Sale of Desk lamp corrected"];
const sale = ["sale", "Sale", "credit", "2 × Desk lamp sold"];

test("lines have a kind, a chip and a sentence", async () => {
  expect(await linesOf("")).toEqual([adjustment, refund, correction, sale]);
});

test.each([
  ["adjustment", [adjustment]],
  ["refund", [refund]],
  ["correction", [correction]],
  ["sale", [sale]],
  ["payout", []],
])("a filter for %s shows only lines of that kind", async (kind, lines) => {
  expect(await linesOf(`?kind=${kind}`)).toEqual(lines);
});

test("an export has the lines of the requested kind", async () => {
  const csv = String((await get("/export?kind=refund")).body);
  expect(csv).toContain("Desk lamp refunded to the buyer");
  expect(csv).not.toContain("corrected");
});

test("lines are filtered by kind or by type, not by both", async () => {
  expect(await get("?kind=sale&type=SaleRecorded")).toMatchObject({
    status: 400,
    body: { details: [{ path: "type", message: "Filter by kind or by type, not by both" }] },
  });
});

test("every event of this account is explained in the histories that show it", async () => {
  expect(await unexplainedEvents(sales.shop.database.sql)).toEqual([]);
});
