// A trade request in a real browser: what the buyer's balance allows, and what is said once it is sent and countered, on a small phone.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { counterOffer } from "#features/trades/decider-counter.ts";
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

it("says at the price that the balance is too small, before the address, and is not sent", async () => {
  const sent: string[] = [];
  avery.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/trades/request")) {
      sent.push(request.url());
    }
  });
  await market.setAvailable(market.uids.avery, 0);
  await market.open(avery, "/marketplace?item=TRI-1");
  const price = form.getByLabel("Price");
  await price.fill("8");
  await form.getByText("This needs $12.00, and you have $0.00 available").waitFor();
  await expect.poll(() => price.getAttribute("aria-invalid")).toBe("true");
  expect(await form.getByText("owed to the store").count()).toBe(0);
  await fillAddress(form);
  await form.getByRole("button", { name: "Request trade" }).click();
  await expect.poll(() => price.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(sent).toEqual([]);
  await market.setAvailable(market.uids.avery, 10_000);
  await form.getByRole("row", { name: /Available \$100\.00 \$88\.00/u }).waitFor();
});

it("says in the drawer that it was sent, where nothing lies above it", async () => {
  await form.getByLabel("Price").fill("9");
  await form.getByRole("button", { name: "Request trade" }).click();
  const drawer = avery.getByRole("dialog", { name: "Tripod" });
  await drawer.getByText("1 consignor can accept now").waitFor();
  const messages = avery.getByRole("region", { name: "Notifications" });
  expect(await messages.getByText("Requested").count()).toBe(0);
});

it("says before a counter is accepted who gets the money, and when", async () => {
  // From the log: the read tables may not have it yet.
  const [offer] = await market.shop.store.sql<{ id: string }[]>`
    select data -> 'offers' -> 0 ->> 'offerId' as id from log.events where type = 'TradeRequested'`;
  await market.execute(counterOffer, {
    shownPricePerItem: null,
    offerId: offer?.id ?? "",
    actorUid: market.uids.blake,
    pricePerItem: 1_000,
    quantity: null,
    happenedAt: new Date().toISOString(),
  });
  await market.open(avery, "/my-trades");
  const banner = avery.getByRole("region", { name: "A counter waits for you" });
  await banner.getByRole("button", { name: "Accept" }).click();
  const rule = "The sellers and the store get their part when the goods are shipped.";
  const question = avery.getByRole("dialog", { name: "Accept counter" });
  await expect.poll(() => question.getByText(rule).count()).toBe(1);
});
