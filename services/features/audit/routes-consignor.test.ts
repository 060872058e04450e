// What a consignor must not learn from the audit log: of busy things of others, and of how a trade's price is shared.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AuditEventResponse, AuditEventsResponse } from "#features/audit/contract.ts";
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

it("cursors tell a consignor nothing of a busy thing of others, and its owner where the next page begins", async () => {
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

it("a buyer reads what was paid for a trade, not how the seller and the store share it", async () => {
  const { tradeId, buyer, seller } = await market.accepted();
  await market.upload(admin, tradeId);
  await market.post(admin, `${tradeId}/fulfill`);
  await market.shop.runner.catchUp();
  const postingsOf = async (as: TestPerson) => {
    const { events } = await list(as, "type=TradeFulfilled");
    const path = `/api/audit/events/${events[0]?.position}`;
    return ((await call(as, "GET", path)) as AuditEventResponse).event.postings;
  };
  const [paid, ...others] = await postingsOf(buyer);
  expect(others).toEqual([]);
  expect(paid?.to).toEqual({ label: "Seller and store", name: null });
  const parts = await postingsOf(admin);
  expect(parts.length).toBeGreaterThan(1);
  const sum = parts.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0);
  expect(Math.round((paid?.amount ?? 0) * 100)).toBe(sum);
  expect(await postingsOf(seller)).toHaveLength(1);
});

it("a custom sale is found by its name and payouts by their handle, by the own person and admins", async () => {
  const handle = { method: "venmo", paymentUsername: "@avery-a" };
  const custom = { consignorID: avery.uid, itemName: "Rocking chair repair", amount: 50 };
  await call(admin, "POST", "/api/sales/custom", custom);
  await call(avery, "POST", `/api/payouts/${avery.uid}/request`, { amount: 12.34, ...handle });
  await market.shop.runner.catchUp();
  const other = await market.shop.person("Nosy");
  const sought = async (as: TestPerson, text: string) => {
    const { events, understood } = await list(as, `q=${encodeURIComponent(text)}`);
    return [understood, events.map(({ type }) => type)];
  };
  const payouts = [["Payouts with the handle @avery-a"], ["PayoutRequested"]];
  const sale = [["Custom sale Rocking chair repair"], ["CustomSaleRecorded"]];
  for (const as of [admin, avery]) {
    expect(await sought(as, "chair REPAIR")).toEqual(sale);
    expect(await sought(as, "@avery-a")).toEqual(payouts);
    expect(await sought(as, "Avery-A")).toEqual(payouts);
  }
  expect(await sought(other, "chair repair")).toEqual([[], []]);
  expect(await sought(other, "@avery-a")).toEqual([[], []]);
});
