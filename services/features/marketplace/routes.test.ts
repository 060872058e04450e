// The marketplace over HTTP: what others have, what is wanted, searched and sorted over the whole list, without sellers.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { MarketplaceItem, MarketplaceResponse } from "#features/marketplace/contract.ts";
import { exportMarketplace } from "#features/marketplace/exports.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import { batchesOf } from "#testing/service/batches-of.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { offerPath, openTradeShop, tradeIdIn } from "#testing/shop/trade-shop.ts";

let market: TradeShop;
let buyer: TestPerson;
let avery: TestPerson & { readonly itemId: string };
let blake: TestPerson & { readonly itemId: string };

beforeAll(async () => {
  market = await openTradeShop();
  buyer = await market.buyerWith(50_000);
  avery = await market.sellerWith("M-1", 5);
  blake = await market.sellerWith("M-1", 2);
  await market.sellerWith("M-2", 9);
  await market.sellerWith("M-10", 1);
});

afterAll(() => market.close());

async function list(as: TestPerson, query = ""): Promise<MarketplaceResponse> {
  const answer = await market.shop.call("GET", `/api/marketplace/items?${query}`, { as });
  expect(answer.status).toBe(200);
  return answer.body as MarketplaceResponse;
}

const codes = ({ items }: { readonly items: readonly MarketplaceItem[] }) =>
  items.map(({ barcode1 }) => barcode1);

it("adds up what others have of each barcode, newest first, without the viewer's own units and without sellers", async () => {
  const seen = await list(buyer);
  expect(codes(seen)).toEqual(["M-10", "M-2", "M-1"]);
  expect(seen.items[2]).toMatchObject({
    itemName: "Desk lamp",
    totalQuantity: 7,
    consignorCount: 2,
    lastTradedPriceCents: null,
    openRequests: 0,
    unitsWanted: 0,
  });
  expect(seen).toMatchObject({
    count: { value: 3, capped: false },
    nextCursor: null,
    shippingFeeCents: 400,
    commissionPercentage: 10,
  });
  expect(JSON.stringify(seen)).not.toContain(avery.uid);
  const own = await list(avery);
  expect(own.items[2]).toMatchObject({ barcode1: "M-1", totalQuantity: 2, consignorCount: 1 });
});

it("searches and sorts over the whole list, page by page", async () => {
  expect(codes(await list(buyer, "searchTerm=m-1"))).toEqual(["M-10", "M-1"]);
  expect(codes(await list(buyer, "searchTerm=M-1"))).toEqual(["M-1", "M-10"]);
  expect(codes(await list(buyer, "searchTerm=lamp%20m-2"))).toEqual(["M-2"]);
  expect(codes(await list(buyer, "searchTerm=absent"))).toEqual([]);
  for (const [sort, order, expected] of [
    ["totalQuantity", "asc", ["M-10", "M-1", "M-2"]],
    ["totalQuantity", "desc", ["M-2", "M-1", "M-10"]],
    ["itemName", "asc", ["M-1", "M-10", "M-2"]],
    ["added", "asc", ["M-1", "M-2", "M-10"]],
    ["lastTradedPrice", "desc", ["M-2", "M-10", "M-1"]],
  ] as const) {
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 4 && (page === 0 || cursor !== ""); page += 1) {
      const from = cursor === "" ? "" : `&cursor=${cursor}`;
      const answer = await list(buyer, `sort=${sort}&order=${order}&limit=1${from}`);
      seen.push(...codes(answer));
      cursor = answer.nextCursor ?? "";
    }
    expect(seen, `${sort} ${order}`).toEqual(expected);
  }
  const made = [
    [false, 1.5, "M-1"],
    [false, 1e21, "M-1"],
    [false, 1, "\0"],
  ].map((place) => Buffer.from(JSON.stringify(place)).toString("base64url"));
  for (const cursor of ["zzz", ...made]) {
    const path = `/api/marketplace/items?cursor=${cursor}`;
    const answer = await market.shop.call("GET", path, { as: buyer });
    expect({ cursor, status: answer.status }).toEqual({ cursor, status: 400 });
  }
});

it("is a file with what the viewer may see there, in the list's order, and too much for a file is refused", async () => {
  const asked = "/api/marketplace/items/export?sort=totalQuantity&order=desc&searchTerm=m-1";
  const file = String((await market.shop.call("GET", asked, { as: avery })).body);
  expect(file.trimEnd().split("\r\n")).toEqual([
    "Item,Barcode,Units,Consignors,Last traded at,Open requests,Units wanted,Link",
    // An exact barcode comes first, and Avery's own five units are not for Avery.
    "Desk lamp,M-1,2,1,,0,0,",
    "Desk lamp,M-10,1,1,,0,0,",
  ]);
  const lines = async (limits: { readonly lines: number; readonly page: number }) => {
    const batches = exportMarketplace(market.shop.deps, buyer.uid, { order: "asc" }, limits);
    return (await batchesOf(batches)).flat().map(([, barcode]) => barcode);
  };
  expect(await lines({ lines: 3, page: 1 })).toEqual(["M-10", "M-2", "M-1"]);
  await expect(lines({ lines: 2, page: 1 })).rejects.toMatchObject({ code: "too_many_lines" });
});

it("says what it was traded for last and what other people still want", async () => {
  const request = await market.request(buyer, "M-1", { quantity: 3, pricePerItem: 700 });
  const tradeId = tradeIdIn(request);
  await market.post(blake, offerPath(tradeId, 2, "accept"), { pricePerItem: 700, quantity: 1 });
  const stranger = await market.buyerWith(100);
  const one = async (as: TestPerson) => (await list(as, "searchTerm=M-1")).items[0];
  expect(await one(stranger)).toMatchObject({
    totalQuantity: 6,
    openRequests: 1,
    unitsWanted: 2,
    lastTradedPriceCents: null,
  });
  expect(await one(buyer)).toMatchObject({ openRequests: 0, unitsWanted: 0 });
  await market.post(avery, offerPath(tradeId, 1, "accept"), { pricePerItem: 700 });
  await market.upload(market.admin, tradeId);
  await market.post(market.admin, `${tradeId}/fulfill`);
  expect(await one(stranger)).toMatchObject({
    totalQuantity: 4,
    openRequests: 0,
    lastTradedPriceCents: 700,
  });
});
