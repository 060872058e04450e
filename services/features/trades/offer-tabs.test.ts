// Tests the tabs of a seller's offers over HTTP: each is filtered and counted by the server.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { MyOffersResponse } from "#features/trades/contract-reads.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { offerPath, openTradeShop, tradeIdIn } from "#testing/shop/trade-shop.ts";

let market: TradeShop;

beforeAll(async () => {
  market = await openTradeShop();
});

afterAll(() => market.close());

it("a seller's closed offers are found however many open ones there are, and each tab has its number", async () => {
  const buyer = await market.buyerWith(50_000);
  const seller = await market.sellerWith("TABS-1", 3);
  const read = async (path: string) =>
    (await market.shop.call("GET", `/api/trades/offers/my-offers${path}`, { as: seller })).body;
  const ask = async () =>
    tradeIdIn(await market.request(buyer, "TABS-1", { quantity: 1, pricePerItem: 300 }));
  const [closed, waiting, open] = [await ask(), await ask(), await ask()];
  await market.post(seller, offerPath(closed, 1, "decline"));
  await market.post(seller, offerPath(waiting, 1, "counter"), { counterPrice: 700 });
  const idsIn = async (tab: string) => {
    const { offers } = (await read(`?tab=${tab}&limit=1`)) as MyOffersResponse;
    return offers.map(({ tradeId }) => tradeId);
  };
  expect(await idsIn("closed")).toEqual([closed]);
  expect(await idsIn("waiting")).toEqual([waiting]);
  expect(await idsIn("reply")).toEqual([open]);
  expect(await read("/count")).toEqual({ reply: 1, waiting: 1 });
  expect(await read(`/count?q=${open.slice(0, 8)}`)).toEqual({ reply: 1, waiting: 0 });
});
