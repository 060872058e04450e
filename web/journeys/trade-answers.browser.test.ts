// Answers to offers while others act, in a real browser: what is accepted is always what the screen said, or the screen says so.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { acceptOffer } from "#features/trades/decider-answer.ts";
import { raiseTrade } from "#features/trades/decider-counter.ts";
import type { TradeMarket } from "#testing/browser/trade-market.ts";
import { fillAddress, look, openTradeMarket, said } from "#testing/browser/trade-market.ts";

const ITEM = "Film camera";

let market: TradeMarket;
let avery: Page;
let blake: Page;
let tradeId = "";

beforeAll(async () => {
  market = await openTradeMarket();
  ({ avery, blake } = market);
  await market.stock(market.uids.blake, ITEM, "CAM-1", 3);
  await market.stock(market.uids.admin, ITEM, "CAM-1", 4);
});

afterAll(() => market.shop.close());

it("a link to an item that is not on the marketplace says so", async () => {
  await market.open(avery, "/marketplace?item=848082252531");
  const drawer = avery.getByRole("dialog", { name: "Item" });
  await drawer.getByText("This item is not on the marketplace").waitFor();
  await look(avery);
  await drawer.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => avery.url()).not.toContain("item=");
});

it("a request without an address says once what is missing, and at each field what to enter", async () => {
  await market.open(avery, "/marketplace?item=CAM-1");
  const form = avery.getByRole("form", { name: "Trade request" });
  await form.getByText("the price of the accepted units and the shipping fee are held").waitFor();
  await form.getByLabel("Price").fill("5");
  await form.getByLabel("Quantity").fill("5");
  await form.getByRole("button", { name: "Request trade" }).click();
  await form.getByText("Enter the city").waitFor();
  await expect
    .poll(() => form.getByText("Please fill in all shipping address fields").count())
    .toBe(1);
  await look(avery);
  await fillAddress(form);
  await form.getByRole("button", { name: "Request trade" }).click();
  await avery.getByRole("link", { name: "Open trade" }).click();
  await avery.waitForURL(/\/my-trades\?trade=/u);
  tradeId = new URL(avery.url()).searchParams.get("trade") ?? "";
  await avery.getByRole("dialog", { name: ITEM }).getByRole("button", { name: "Close" }).click();
  await avery.getByRole("button", { name: `Raise price: ${ITEM}` }).waitFor();
});

it("a price that was raised meanwhile is shown after the refusal, and can then be accepted", async () => {
  await market.open(blake, "/my-offers");
  await blake.getByRole("button", { name: `Accept offer: ${ITEM}` }).click();
  const accept = blake.getByRole("dialog", { name: "Accept offer" });
  await accept.getByText("$13.50").waitFor();
  const happenedAt = new Date().toISOString();
  await market.execute(raiseTrade, {
    tradeId,
    actorUid: market.uids.avery,
    pricePerItem: 800,
    happenedAt,
  });
  const send = accept.getByRole("button", { name: "Accept offer" });
  await send.click();
  await accept.getByText("Error accepting offer: The price is $8.00 now").waitFor();
  await accept.getByText("It was $5.00 when you opened this").waitFor();
  await accept.getByText("$21.60").waitFor();
  await look(blake);

  // Another seller is faster: only one of the five units is still needed.
  const [faster] = await market.shop.store.sql<{ offer_id: string }[]>`
    select offer_id from read.trade_offers
    where trade_id = ${tradeId} and seller_uid = ${market.uids.admin}`;
  await market.execute(acceptOffer, {
    offerId: faster?.offer_id ?? "",
    actorUid: market.uids.admin,
    pricePerItem: null,
    quantity: null,
    happenedAt: new Date().toISOString(),
  });
  await send.click();
  await said(blake, "Only 1 of 3 units could still be accepted: you receive $7.20");
  await expect.poll(() => blake.getByRole("button", { name: /^Accept offer/u }).count()).toBe(0);
});
