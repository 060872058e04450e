// A trade as of a position over HTTP, for each who may see it.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OpenedTrade, TradeHistoryResponse } from "#features/trades/contract-reads.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { offerPath, openTradeShop, tradeIdIn } from "#testing/shop/trade-shop.ts";

let market: TradeShop;
let admin: TestPerson;
let buyer: TestPerson;
let seller: TestPerson;

beforeAll(async () => {
  market = await openTradeShop();
  admin = market.admin;
  buyer = await market.buyerWith(50_000);
  seller = await market.sellerWith("R-1", 5);
});

afterAll(() => market.close());

async function read<Body>(as: TestPerson, path: string): Promise<Body> {
  const answer = await market.shop.call("GET", `/api/trades/${path}`, { as });
  expect(answer.status).toBe(200);
  return answer.body as Body;
}

const status = async (as: TestPerson, path: string) =>
  (await market.shop.call("GET", `/api/trades/${path}`, { as })).status;

it("is as it was recorded then, with its history until then, and 404 before it was requested", async () => {
  const tradeId = tradeIdIn(await market.request(buyer, "R-1", { quantity: 2, pricePerItem: 500 }));
  const whole = await read<TradeHistoryResponse>(admin, `${tradeId}/history`);
  const position = whole.lines[0]?.position ?? 0;
  await market.post(seller, offerPath(tradeId, 1, "accept"), { pricePerItem: 500 });
  const now = await read<OpenedTrade>(buyer, tradeId);
  expect(now).toMatchObject({ status: "awaiting_shipping", heldCents: 1_400 });
  const past = await read<OpenedTrade>(buyer, `${tradeId}?at=${position}`);
  expect(past).toMatchObject({ seenAs: "buyer", status: "pending", heldCents: 0 });
  expect(JSON.stringify(past)).not.toContain(seller.uid);
  expect(await read<OpenedTrade>(seller, `${tradeId}?at=${position}`)).toMatchObject({
    seenAs: "seller",
    status: "pending",
    turn: "seller",
  });
  const until = await read<TradeHistoryResponse>(admin, `${tradeId}/history?at=${position}`);
  expect(until.lines).toEqual(whole.lines.slice(0, 1));
  expect(await read<OpenedTrade>(buyer, `${tradeId}?at=2099-01-01T00:00:00Z`)).toEqual(now);
  expect(await status(buyer, `${tradeId}?at=${position - 1}`)).toBe(404);
  expect(await status(buyer, `${tradeId}?at=never`)).toBe(400);
  expect(await status(await market.buyerWith(1), `${tradeId}?at=${position}`)).toBe(404);
});
