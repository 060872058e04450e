// Fundings over HTTP: from a payout to sales, trades and what was given back, from a sale to payouts, and for whom.
import { afterAll, beforeAll, expect, it } from "vitest";
import { fundingResponse, paidByResponse } from "#features/accounts/contract-funding.ts";
import { ledgerResponse } from "#features/accounts/contract.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { Requested, TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";

let desk: TradeShop;
/** A buyer with $100, whose trade of $10 was cancelled. */
let cancelled: Requested;
/** A trade of $10 that was fulfilled. */
let fulfilled: Requested;

beforeAll(async () => {
  desk = await openTradeShop();
  cancelled = await desk.accepted();
  await desk.post(desk.admin, `${cancelled.tradeId}/cancel`, {});
  fulfilled = await desk.accepted();
  await desk.upload(desk.admin, fulfilled.tradeId);
  await desk.post(desk.admin, `${fulfilled.tradeId}/fulfill`, {});
});

afterAll(() => desk.close());

const get = (path: string, as: TestPerson) => desk.shop.call("GET", `/api${path}`, { as });
const post = (path: string, body: object, as: TestPerson) =>
  desk.shop.call("POST", `/api${path}`, { as, body });

async function request(person: TestPerson, amount: number): Promise<string> {
  const body = { amount, method: "venmo", paymentUsername: "@zoe-quill" };
  const answer = await post(`/payouts/${person.uid}/request`, body, person);
  expect(answer.status).toBe(200);
  return String(Reflect.get(Object(answer.body), "payoutId"));
}

async function sell(person: TestPerson, amount: number): Promise<string> {
  const body = { consignorID: person.uid, itemName: "Cable lot", amount };
  const answer = await post("/sales/custom", body, desk.admin);
  return String(Reflect.get(Object(answer.body), "saleID"));
}

const fundingOf = async (payoutId: string, as: TestPerson) =>
  fundingResponse.parse((await get(`/audit/payouts/${payoutId}/funding`, as)).body);

it("a seller's payout was funded by the trade, with the seller's own item and nobody's name", async () => {
  const { seller, buyer, tradeId } = fulfilled;
  const funding = await fundingOf(await request(seller, 4), seller);
  expect(funding).toMatchObject({
    payoutStatus: "pending",
    payoutWithdrawn: false,
    payoutReference: null,
    isBalanced: true,
    uncovered: 0,
    line: { lineAmount: 4 },
    sources: [{ origin: "trade", tradeID: tradeId, itemIDs: [seller.itemId], amount: 4 }],
  });
  expect(JSON.stringify(funding)).not.toContain(buyer.uid);
});

it("money that a cancelled trade gave back opens the line that had held it, and that one the money before", async () => {
  const { buyer, tradeId } = cancelled;
  const saleID = await sell(buyer, 5);
  const funding = await fundingOf(await request(buyer, 102), buyer);
  const [first, back, sale] = funding.sources;
  expect(first).toMatchObject({ origin: "other" });
  expect(back).toMatchObject({ origin: "returned", tradeID: tradeId });
  expect(sale).toMatchObject({ origin: "sale", saleID });
  expect(funding.sources.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(102, 6);
  const [held] = back?.returnedFrom ?? [];
  const hold = await get(`/audit/funding/${buyer.uid}/${held}`, buyer);
  expect(fundingResponse.parse(hold.body)).toMatchObject({
    payoutID: null,
    isBalanced: true,
    line: { kind: "trade", lineAmount: back?.lineAmount },
    sources: [{ line: first?.line, amount: back?.lineAmount }],
  });
});

it("a sale tells which payouts took its money, what a refund took, and what is left", async () => {
  const person = await desk.buyerWith(0);
  const saleID = await sell(person, 20);
  const payoutID = await request(person, 8);
  await post(
    `/sales/${saleID}/refund`,
    { quantity: 0, amount: 5, restock: false, reason: "Scratched" },
    desk.admin,
  );
  const answer = await get(`/audit/sales/${saleID}/paid-by`, person);
  expect(paidByResponse.parse(answer.body)).toMatchObject({
    saleID,
    credited: 20,
    reduced: 5,
    remaining: 7,
    isBalanced: true,
    uses: [{ use: "payout", payoutID, payoutStatus: "pending", amount: 8 }],
  });
  const funding = await fundingOf(payoutID, person);
  expect(funding.sources).toMatchObject([{ saleID, amount: 8, lineAmount: 20 }]);
});

it("a payout and a sale are for their consignor and for admins; nobody else learns that they exist", async () => {
  const person = await desk.buyerWith(0);
  const saleID = await sell(person, 20);
  const payoutID = await request(person, 8);
  const { buyer } = fulfilled;
  for (const path of [`/audit/payouts/${payoutID}/funding`, `/audit/sales/${saleID}/paid-by`]) {
    expect((await get(path, person)).status).toBe(200);
    expect((await get(path, desk.admin)).status).toBe(200);
    expect((await get(path, buyer)).status).toBe(404);
  }
  expect((await get(`/audit/funding/${person.uid}/2`, buyer)).status).toBe(403);
});

it("refuses what is not a line that took money, and garbage", async () => {
  const { buyer } = fulfilled;
  const ledger = ledgerResponse.parse((await get(`/sales/ledger/${buyer.uid}`, buyer)).body);
  const credit = ledger.lines.find(({ amount }) => amount > 0)?.line;
  for (const [line, status] of [
    [credit, 404],
    [99, 404],
    ["0", 400],
    ["x", 400],
    ["2?cursor=0", 400],
    ["2?limit=501", 400],
  ] as const) {
    expect(await get(`/audit/funding/${buyer.uid}/${line}`, buyer)).toMatchObject({ status });
  }
  expect((await get("/audit/payouts/none/funding", buyer)).status).toBe(400);
});
