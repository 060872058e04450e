// The audit log's cursors, where there are more events than one request checks.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AuditEventsResponse } from "#features/audit/contract.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";
import { sized } from "#testing/trial/size.ts";

type Item = TestPerson & { readonly itemId: string };

let market: TradeShop;
let admin: TestPerson;
let avery: Item;

beforeAll(async () => {
  market = await openTradeShop();
  admin = market.admin;
  avery = await market.sellerWith("AV-1", 9);
});

afterAll(() => market.close());

async function call(as: TestPerson, method: string, path: string, body?: unknown) {
  const answer = await market.shop.call(method, path, {
    as,
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status).toBe(200);
  return Object(answer.body) as Record<string, unknown>;
}

async function list(as: TestPerson, query: string): Promise<AuditEventsResponse> {
  return (await call(as, "GET", `/api/audit/events?${query}`)) as AuditEventsResponse;
}

it("tell a consignor nothing of a busy thing of others, and its owner where the next page begins", async () => {
  const busy = await market.sellerWith("BUSY-1", 1);
  const move = (item: Item, barcode1: string, shelf: number) =>
    call(admin, "PUT", `/api/inventory/consignor/${item.uid}/${item.itemId}`, {
      itemName: "Moved lamp",
      barcode1,
      quantity: 1,
      location: `Shelf ${shelf}`,
    });
  for (let from = 0; from < sized(50, 2_050); from += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => move(busy, "BUSY-1", from + index)));
  }
  for (const shelf of [1, 2, 3]) {
    await move(avery, "AV-1", shelf);
  }
  await market.shop.runner.catchUp();
  const { itemId } = busy;
  for (const query of [`item=${itemId}`, `q=${itemId}`, `q=${itemId.slice(0, 8)}`]) {
    for (const order of ["newest", "oldest"]) {
      const { events, nextCursor } = await list(avery, `${query}&order=${order}`);
      expect([query, order, events, nextCursor]).toEqual([query, order, [], null]);
    }
  }
  const own = await list(avery, `item=${avery.itemId}&limit=2`);
  expect(own.events.length).toBe(2);
  expect(own.nextCursor).toBe(String(own.events.at(-1)?.position));
}, 60_000);
