// The file of the store's orders: all of a part of the list, which has an end on screen.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";

let market: TradeShop;
let admin: TestPerson;

beforeAll(async () => {
  market = await openTradeShop();
  admin = market.admin;
});

afterAll(() => market.close());

async function file(as: TestPerson, path: string): Promise<string[]> {
  const { status, body } = await market.shop.call("GET", `/api/trades/${path}`, { as });
  expect(status).toBe(200);
  return String(body).trimEnd().split("\r\n");
}

test("the file of orders has those of a tab and a search, and is for admins", async () => {
  const { tradeId, buyer: who } = await market.accepted({ quantity: 3 });
  const [, line, ...more] = await file(admin, `fulfillments/export?tab=label&q=${tradeId}`);
  expect(more).toEqual([]);
  expect(line).toMatch(/,awaiting_shipping,Trader-\d+,.*,3,no location \(3\),store,,,,/u);
  expect(await file(admin, `fulfillments/export?tab=ready&q=${tradeId}`)).toHaveLength(1);
  const refused = await market.shop.call("GET", "/api/trades/fulfillments/export", { as: who });
  expect(refused.status).toBe(403);
});

test("the file of orders has every one of a tab, however many there are", async () => {
  const { tradeId } = await market.accepted({ quantity: 1 });
  const { sql } = market.shop.database;
  await market.shop.runner.catchUp();
  const more = 600;
  await sql`
    insert into read.trades
    select (jsonb_populate_record(t, jsonb_build_object(
      'trade_id', gen_random_uuid(), 'position', 1000000 + n, 'item_name', 'One of many'))).*
    from read.trades t, generate_series(1, ${more}) n where t.trade_id = ${tradeId}`;
  const lines = await file(admin, "fulfillments/export?tab=label&q=one%20of%20many");
  await sql`delete from read.trades where position > 1000000`;
  expect(lines).toHaveLength(1 + more);
});
