// The days of the stock's shop: everything that can happen to items happens on them, and a comparison of nothing is refused.
import { afterAll, beforeAll, expect, it } from "vitest";
import { inventoryEvents } from "#features/inventory/events.ts";
import { itemTimelineProjection } from "#features/inventory/projection.ts";
import { expectLiveReplayFold } from "#testing/shop/live-replay-fold.ts";
import type { StockShop } from "#testing/shop/stock-shop.ts";
import { openStockShop } from "#testing/shop/stock-shop.ts";

let shop: StockShop;

beforeAll(async () => {
  shop = await openStockShop();
});

afterAll(() => shop.close());

it("has every event of the inventory on its ordinary days, in each history", async () => {
  for (const history of [1, 2]) {
    const before = (await shop.events()).length;
    shop.begin?.();
    for (const step of shop.days.ordinary.flat()) {
      await shop.take(step);
    }
    const types = new Set((await shop.events()).slice(before).map(({ type }) => type));
    const missing = inventoryEvents.map(({ type }) => type).filter((type) => !types.has(type));
    expect({ history, missing }).toEqual({ history, missing: [] });
  }
});

it("is not a shop for an oracle without rows", async () => {
  const nothing = () => Promise.resolve([]);
  const compared = expectLiveReplayFold(shop, itemTimelineProjection, nothing, () => []);
  // fast-check says only that it failed, and why in the cause.
  const message: unknown = expect.stringContaining("take a shop in which such events happen");
  await expect(compared).rejects.toMatchObject({ cause: { message } });
});
