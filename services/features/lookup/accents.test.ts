// Searches over HTTP by text without accents: they find what is written with them, and the other way round.
import { afterAll, beforeAll, expect, it } from "vitest";
import { addItem } from "#features/inventory/decider.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import { detailsOf } from "#testing/shop/stock-room.ts";
import { LONG_AGO, openTradeShop, type TradeShop } from "#testing/shop/trade-shop.ts";

const NAME = "Pokémon Élite Crème";

let market: TradeShop;
let seller: TestPerson;
let buyer: TestPerson;

beforeAll(async () => {
  market = await openTradeShop();
  const { deps, person, runner } = market.shop;
  seller = await person("Accent-seller");
  buyer = await market.buyerWith(50_000);
  const item = {
    itemId: deps.newId(),
    ownerUid: seller.uid,
    details: detailsOf("ACC-1", { itemName: NAME }),
    quantity: 3,
    source: "manual" as const,
    happenedAt: LONG_AGO,
  };
  const context = { actor: market.admin.uid, scope: "store", key: "accents", requestHash: "00" };
  await deps.ledger.execute(addItem, item, context);
  await market.request(buyer, "ACC-1", { itemName: NAME });
  const sale = { consignorID: seller.uid, itemName: NAME, amount: 5 };
  await market.shop.call("POST", "/api/sales/custom", { as: market.admin, body: sale });
  await runner.catchUp();
});

afterAll(() => market.close());

async function found(as: TestPerson, path: string): Promise<boolean> {
  const { status, body } = await market.shop.call("GET", `/api/${path}`, { as });
  expect(status).toBe(200);
  return JSON.stringify(body).includes("Pokémon");
}

it.each(["pokemon", "POKÉMON", "elite creme", "Poke\u0301mon"])(
  "everything named with accents is found by %s",
  async (text) => {
    const q = encodeURIComponent(text);
    const { admin } = market;
    const searches: readonly (readonly [TestPerson, string])[] = [
      [admin, `inventory/search?searchTerm=${q}`],
      [buyer, `marketplace/items?searchTerm=${q}`],
      [buyer, `trades/my-trades?q=${q}`],
      [seller, `trades/offers/my-offers?q=${q}`],
      [seller, `sales/history/${seller.uid}?searchTerm=${q}`],
      [admin, `lookup?by=text&q=${q}`],
      [buyer, `lookup?by=text&q=${q}`],
      [admin, `audit/events?q=${q}`],
      [seller, `audit/events?q=${q}`],
    ];
    for (const [as, path] of searches) {
      expect([path, await found(as, path)]).toEqual([path, true]);
    }
  },
);

it("a text without the accented word is not found", async () => {
  expect(await found(market.admin, "inventory/search?searchTerm=pokeman")).toBe(false);
});
