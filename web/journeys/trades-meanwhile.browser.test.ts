// Questions about a trade that the other side has settled while they were open, in a real browser: they say so and ask no more.
import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addItem } from "#features/inventory/decider.ts";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { acceptOffer } from "#features/trades/decider-answer.ts";
import { cancelTrade } from "#features/trades/decider-cancel.ts";
import { raiseTrade } from "#features/trades/decider-counter.ts";
import { requestTrade } from "#features/trades/decider-request.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import type { TradeMarket } from "#testing/browser/trade-market.ts";
import { look, openTradeMarket } from "#testing/browser/trade-market.ts";

/** Another name in each test: a screen first shows what it has read before. */
let item = "";
let lamps = 0;

let market: TradeMarket;
let admin: Page;
let avery: Page;
let blake: Page;
let tradeId = "";

const now = () => new Date().toISOString();

beforeAll(async () => {
  market = await openTradeMarket();
  ({ admin, avery, blake } = market);
});

afterAll(() => market.shop.close());

/** Avery asks for the one lamp that Blake has. */
beforeEach(async () => {
  lamps += 1;
  item = `Desk lamp ${lamps}`;
  const itemId = randomUUID();
  const barcode1 = itemId.slice(0, 8);
  await market.execute(addItem, {
    itemId,
    ownerUid: market.uids.blake,
    source: "manual" as const,
    details: {
      itemName: item,
      listingTitle: "",
      barcode1,
      barcode2: "",
      location: "A-01",
      link: "",
      imageUrl: "",
      asin: "",
    },
    quantity: 1,
    happenedAt: now(),
  });
  tradeId = randomUUID();
  await market.execute(requestTrade, {
    tradeId,
    buyerUid: market.uids.avery,
    itemName: item,
    barcode1,
    itemLink: "",
    imageUrl: "",
    quantity: 1,
    pricePerItem: 500,
    providesOwnShipping: false,
    addressId: randomUUID(),
    sellers: [{ uid: market.uids.blake, itemIds: [itemId], stock: 1 }],
    happenedAt: now(),
  });
});

const acceptIt = () =>
  market.execute(acceptOffer, {
    offerId: offerIdOf(tradeId, 1),
    actorUid: market.uids.blake,
    pricePerItem: null,
    quantity: null,
    happenedAt: now(),
  });

const cancelIt = (actor: { uid: string; isAdmin: boolean }) =>
  market.execute(cancelTrade, { tradeId, actor, noteId: null, happenedAt: now() });

/** The trade in the buyer's own list. */
const ownTrade = () =>
  avery
    .getByRole("list", { name: "Your trades" })
    .getByRole("listitem")
    .filter({ hasText: shortTradeId(tradeId) })
    .first();

const buyer = () => ({ uid: market.uids.avery, isAdmin: false });
const store = () => ({ uid: market.uids.admin, isAdmin: true });

/** It says this, and all that can be done is to close it: the buttons with words. */
async function wordsOnceOver(question: Locator, sentence: string): Promise<readonly string[]> {
  await question.getByText(sentence).waitFor();
  const buttons = await question.getByRole("button").allTextContents();
  await question.getByRole("button", { name: "Close" }).last().click();
  await question.waitFor({ state: "detached" });
  return buttons.filter((text) => text !== "");
}

it("a seller's answers say that the buyer withdrew the request", async () => {
  const over = "This offer was answered, withdrawn or ended in the meantime. Nothing is left to";
  await market.open(blake, "/my-offers");
  await blake.getByRole("button", { name: `Accept offer: ${item}` }).click();
  const accept = blake.getByRole("dialog", { name: "Accept offer" });
  await accept.getByText("The units leave your inventory now").waitFor();
  await cancelIt(buyer());
  await accept.getByText(over).waitFor();
  await look(blake);
  expect(await wordsOnceOver(accept, over)).toEqual(["Close"]);
});

it("a seller neither declines nor counters a price that was raised meanwhile and not seen", async () => {
  await market.open(blake, "/my-offers");
  await blake.getByRole("button", { name: `More answers: ${item}` }).click();
  await blake.getByRole("menuitem", { name: "Decline offer" }).click();
  const decline = blake.getByRole("alertdialog", { name: "Decline this offer?" });
  await decline.getByText("$5.00").waitFor();
  const by = { tradeId, actorUid: market.uids.avery };
  await market.execute(raiseTrade, { ...by, pricePerItem: 900, happenedAt: now() });
  await decline.getByRole("button", { name: "Decline offer" }).click();
  await decline.getByText("The price is $9.00 now").waitFor();
  await decline.getByText(`$9.00, ${item}. It was $5.00 when you opened this.`).waitFor();
  await decline.getByRole("button", { name: "Keep it open" }).click();

  await blake.getByRole("button", { name: `More answers: ${item}` }).click();
  await blake.getByRole("menuitem", { name: "Counter offer" }).click();
  const counter = blake.getByRole("dialog", { name: "Counter offer" });
  await counter.getByLabel("Counter price").fill("9.50");
  await market.execute(raiseTrade, { ...by, pricePerItem: 1_000, happenedAt: now() });
  await counter.getByRole("button", { name: "Send counter" }).click();
  await counter.getByText("The price is $10.00 now").waitFor();
  await counter.getByText("now $10.00 each. It was $9.00 when you opened this.").waitFor();
  await look(blake);
  await counter.getByLabel("Counter price").fill("11");
  await counter.getByRole("button", { name: "Send counter" }).click();
  await counter.waitFor({ state: "detached" });
  await market.open(avery, "/my-trades");
  const own = ownTrade();
  await own.getByText("A counter waits for you").waitFor();
  expect(await own.getByRole("button", { name: /^Raise price/u }).count()).toBe(0);
  await cancelIt(buyer());
});

it("the buyer's question says that a seller accepted", async () => {
  await market.open(avery, "/my-trades");
  const own = ownTrade();
  await own.getByRole("button", { name: /^More/u }).click();
  await avery.getByRole("menuitem", { name: "Withdraw request" }).click();
  const question = avery.getByRole("alertdialog", { name: "Withdraw this request?" });
  await question.getByText("Nothing was held").waitFor();
  await acceptIt();
  const asked = avery.getByRole("alertdialog");
  expect(
    await wordsOnceOver(
      asked,
      "This trade changed in the meantime: it cannot be taken back any more.",
    ),
  ).toEqual(["Close"]);
});

it("the store's questions about an order say that it was cancelled, which the list has lost by then", async () => {
  await acceptIt();
  await market.open(admin, "/admin-fulfillment?q=lamp");
  const order = admin.getByRole("row", { name: new RegExp(shortTradeId(tradeId), "u") });
  await order.getByRole("button", { name: /^More/u }).click();
  await admin.getByRole("menuitem", { name: "Cancel order" }).click();
  const cancel = admin.getByRole("dialog", { name: /^Cancel order/u });
  await cancel.getByText("goes back to Avery Stone").waitFor();
  await cancelIt(store());
  expect(
    await wordsOnceOver(
      cancel,
      "This order was shipped or cancelled in the meantime. Nothing is left to cancel.",
    ),
  ).toEqual(["Close"]);
});
