// Explained numbers over HTTP: what the dashboard's tiles consist of, for whom they are, and what is refused.
import { afterAll, beforeAll, expect, it } from "vitest";
import { explainResponse } from "#features/accounts/contract-explain.ts";
import type { ExplainedNumber, ExplainResponse } from "#features/accounts/contract-explain.ts";
import { summaryResponse } from "#features/accounts/contract-summary.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { Requested, TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";

let desk: TradeShop;
let held: Requested;
let cancelled: Requested;

beforeAll(async () => {
  desk = await openTradeShop();
  held = await desk.accepted();
  cancelled = await desk.accepted();
  await desk.post(desk.admin, `${cancelled.tradeId}/cancel`, {});
});

afterAll(() => desk.close());

const get = (path: string, as: TestPerson) => desk.shop.call("GET", `/api${path}`, { as });

async function explain(
  { uid }: TestPerson,
  number: ExplainedNumber,
  as: TestPerson,
  more = "",
): Promise<ExplainResponse> {
  const answer = await get(`/audit/explain/${uid}?number=${number}${more}`, as);
  expect(answer.status).toBe(200);
  return explainResponse.parse(answer.body);
}

it("explains each number of the dashboard as the tile shows it", async () => {
  const { buyer } = held;
  await desk.shop.call("POST", "/api/sales/custom", {
    as: desk.admin,
    body: { consignorID: buyer.uid, itemName: "Cable lot", amount: 12.5 },
  });
  const request = { amount: 20, method: "venmo", paymentUsername: "@zoe-quill" };
  for (const settle of [true, false]) {
    const made = await desk.shop.call("POST", `/api/payouts/${buyer.uid}/request`, {
      as: buyer,
      body: request,
    });
    const payoutId = String(Reflect.get(Object(made.body), "payoutId"));
    if (settle) {
      const path = `/api/payouts/${buyer.uid}/${payoutId}/paid`;
      await desk.shop.call("PATCH", path, { as: desk.admin });
    }
  }
  const summary = summaryResponse.parse((await get(`/accounts/${buyer.uid}/summary`, buyer)).body);
  const tiles: Readonly<Record<ExplainedNumber, number>> = {
    available: summary.available,
    pendingPayouts: summary.inTransit,
    heldForTrades: summary.heldForTrades,
    totalPaid: summary.totalPaid,
    sales: summary.salesCount,
  };
  for (const [number, shown] of Object.entries(tiles) as [ExplainedNumber, number][]) {
    expect({ number, isThere: shown > 0 }).toEqual({ number, isThere: true });
    expect(await explain(buyer, number, buyer)).toMatchObject({
      number,
      closing: shown,
      summed: shown,
      isBalanced: true,
    });
  }
});

it("explains what trades hold by what was held and given back, now and as of any position", async () => {
  const { buyer, tradeId } = cancelled;
  const now = await explain(buyer, "heldForTrades", buyer);
  expect(now).toMatchObject({ closing: 0, isBalanced: true, lineCount: 2 });
  const [back, taken] = now.lines;
  expect(taken?.amount).toBeGreaterThan(0);
  expect((back?.amount ?? 0) + (taken?.amount ?? 0)).toBe(0);
  expect(now.lines.every((line) => line.tradeID === tradeId)).toBe(true);
  const then = await explain(buyer, "heldForTrades", buyer, `&at=${taken?.position}`);
  expect(then).toMatchObject({ closing: taken?.amount, lineCount: 1, isBalanced: true });
  expect(then.lines[0]?.description).toMatch(/^Desk lamp: Accepted/u);
  const paged = await explain(buyer, "heldForTrades", buyer, "&limit=1");
  const rest = await explain(buyer, "heldForTrades", buyer, `&limit=1&cursor=${paged.nextCursor}`);
  expect([...paged.lines, ...rest.lines]).toEqual(now.lines);
  expect(rest.nextCursor).toBeNull();
});

it("is for the person and for admins, and says nothing about the other party of a trade", async () => {
  const { buyer, seller } = held;
  await explain(buyer, "available", desk.admin);
  expect(await get(`/audit/explain/${buyer.uid}?number=available`, seller)).toMatchObject({
    status: 403,
  });
  for (const number of ["available", "heldForTrades"] as const) {
    const text = JSON.stringify(await explain(buyer, number, buyer));
    expect(text).not.toContain(seller.uid);
    expect(text).not.toMatch(/Trader-/u);
  }
});

it.each([
  ["", "number"],
  ["?number=owed", "number"],
  ["?number=available&at=yesterday", "at"],
  ["?number=available&at=99999999", "at"],
  ["?number=available&cursor=0", "cursor"],
  ["?number=available&from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z", "to"],
  ["?number=heldForTrades&from=2026-02-02T00:00:00Z", "from"],
  ["?number=available&limit=500", "limit"],
])("refuses %s", async (query, path) => {
  const answer = await get(`/audit/explain/${held.buyer.uid}${query}`, held.buyer);
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
});

it("a time is the last position that was recorded by then", async () => {
  const { buyer } = held;
  const later = await explain(buyer, "available", buyer, "&at=2099-01-01T00:00:00Z");
  expect(later).toEqual(await explain(buyer, "available", buyer));
  const before = await explain(buyer, "available", buyer, "&at=2001-01-01T00:00:00Z");
  expect(before).toMatchObject({ position: 0, closing: 0, lineCount: 0, lines: [] });
});
