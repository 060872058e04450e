// What trades hold of an item, and the till's way out: cancel an acceptance and sell its unit, however often it is tried.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { offerIdOf } from "#features/trades/streams.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";

let market: TradeShop;

beforeAll(async () => {
  market = await openTradeShop();
});

afterAll(() => market.close());

const held = (itemId: string, as = market.admin) =>
  market.shop.call("GET", `/api/trades/holding/${itemId}`, { as });

describe("the units of an item that trades hold", () => {
  test("are listed for admins with their buyers and what these would get back, until they are shipped", async () => {
    const { buyer, seller, tradeId } = await market.accepted();
    const acceptance = {
      tradeId,
      offerId: offerIdOf(tradeId, 1),
      buyer: { uid: buyer.uid },
      status: "awaiting_shipping",
      units: 2,
      price: 500,
      tradeUnits: 2,
      heldCents: 1_400,
    };
    expect(await held(seller.itemId)).toMatchObject({
      status: 200,
      body: { quantity: 1, acceptances: [acceptance] },
    });
    expect((await held(seller.itemId, seller)).status).toBe(403);
    await market.upload(market.admin, tradeId);
    await market.post(market.admin, `${tradeId}/fulfill`);
    expect(await held(seller.itemId)).toMatchObject({ body: { quantity: 1, acceptances: [] } });
  });

  test("are cancelled once and sold once, however often the till repeats both calls", async () => {
    const { buyer, seller, barcode, tradeId } = await market.accepted();
    const before = await market.available(buyer);
    const path = `/api/trades/${tradeId}/offers/${offerIdOf(tradeId, 1)}/cancel`;
    const sale = {
      consignorID: seller.uid,
      itemUID: seller.itemId,
      barcode1: barcode,
      salePrice: 20,
      quantitySold: 2,
    };
    const again = async (call: string, body: unknown, key: string) => {
      const sent = { as: market.admin, body, headers: { "Idempotency-Key": key } };
      return (await market.shop.call("POST", call, sent)).status;
    };
    expect(await again("/api/sales/record", sale, "posSale:held:1")).toBe(409);
    const part = { units: 1, itemId: seller.itemId, as: "restock" };
    for (let time = 1; time <= 2; time += 1) {
      expect(await again(path, part, "posCancel:held:1:1:1")).toBe(200);
    }
    for (let time = 1; time <= 2; time += 1) {
      expect(await again("/api/sales/record", sale, "posSale:held:1:2")).toBe(200);
    }
    expect(await market.available(buyer)).toBe(before + 500);
    expect(await held(seller.itemId)).toMatchObject({
      body: { quantity: 0, acceptances: [{ tradeId, units: 1, tradeUnits: 1, heldCents: 900 }] },
    });
    expect(await market.wrongInBooks()).toEqual([]);
  });
});
