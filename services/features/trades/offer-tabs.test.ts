// Tests the tabs of a seller's offers over HTTP: each is filtered and counted by the server, and shows what can be accepted.
import { afterAll, beforeAll, expect, it } from "vitest";
import type {
  MyOffersResponse,
  MyTradesResponse,
  SellersTrade,
} from "#features/trades/contract-reads.ts";
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

it("an open offer is for no more units than the trade still needs, for its seller and its buyer", async () => {
  const buyer = await market.buyerWith(50_000);
  const [first, second] = [
    await market.sellerWith("LEFT-1", 4),
    await market.sellerWith("LEFT-1", 3),
  ];
  const tradeId = tradeIdIn(
    await market.request(buyer, "LEFT-1", { quantity: 5, pricePerItem: 500 }),
  );
  await market.post(second, offerPath(tradeId, 2, "counter"), { counterPrice: 500, quantity: 2 });
  await market.post(buyer, offerPath(tradeId, 2, "counter"), { counterPrice: 500, quantity: 3 });
  await market.post(first, offerPath(tradeId, 1, "accept"), {});
  const read = async (as: typeof buyer, path: string) =>
    (await market.shop.call("GET", `/api/trades/${path}`, { as })).body;
  const left = { quantity: 1, totalValue: 500, payoutCents: 450 };
  const { offers } = (await read(second, "offers/my-offers?tab=reply")) as MyOffersResponse;
  expect(offers).toMatchObject([left]);
  expect((await read(second, tradeId)) as SellersTrade).toMatchObject(left);
  const { trades } = (await read(buyer, "my-trades")) as MyTradesResponse;
  expect(trades[0]?.offers).toMatchObject([
    { status: "accepted", quantity: 4 },
    { quantityOffered: 3, quantity: 1 },
  ]);
});
