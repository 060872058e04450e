// A trade request in a real browser: what is said once it is sent, on a small phone.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TradeMarket } from "#testing/browser/trade-market.ts";
import { fillAddress, openTradeMarket } from "#testing/browser/trade-market.ts";

let market: TradeMarket;
let avery: Page;
let form: Locator;

beforeAll(async () => {
  market = await openTradeMarket();
  ({ avery } = market);
  await market.stock(market.uids.blake, "Tripod", "TRI-1", 3);
  await avery.setViewportSize({ width: 360, height: 740 });
  form = avery.getByRole("form", { name: "Trade request" });
});

afterAll(() => market.shop.close());

it("says in the drawer that it was sent, where nothing lies above it", async () => {
  await market.open(avery, "/marketplace?item=TRI-1");
  await form.getByLabel("Price").fill("9");
  await fillAddress(form);
  await form.getByRole("button", { name: "Request trade" }).click();
  const drawer = avery.getByRole("dialog", { name: "Tripod" });
  await drawer.getByText("1 consignor can accept now").waitFor();
  const messages = avery.getByRole("region", { name: "Notifications" });
  expect(await messages.getByText("Requested").count()).toBe(0);
});
