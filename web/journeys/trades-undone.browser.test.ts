// A trade with two sellers in a real browser: accepted in part, countered and taken back, sent elsewhere, and cancelled.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { counterOffer } from "#features/trades/decider-counter.ts";
import type { TradeMarket } from "#testing/browser/trade-market.ts";
import { fillAddress, look, openTradeMarket, said } from "#testing/browser/trade-market.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";

let market: TradeMarket;
let admin: Page;
let avery: Page;
let blake: Page;

beforeAll(async () => {
  market = await openTradeMarket();
  ({ admin, avery, blake } = market);
});

afterAll(() => market.shop.close());

const TRIPOD = "Tripod";
let tradeId = "";
const own = () =>
  avery
    .getByRole("list", { name: "Your trades" })
    .getByRole("listitem")
    .filter({ hasText: TRIPOD });

it("is accepted in part; the buyer takes a counter back and closes the rest", async () => {
  await market.stock(market.uids.blake, TRIPOD, "TRI-1", 2);
  await market.stock(market.uids.admin, TRIPOD, "TRI-1", 3);
  await market.open(avery, "/marketplace?item=TRI-1");
  const form = avery.getByRole("form", { name: "Trade request" });
  await form.getByLabel("Price").fill("5");
  await form.getByLabel("Quantity").fill("3");
  // The grid loses the item, as when the last unit is sold: what is typed about it stays.
  const search = avery.getByLabel("Search the marketplace");
  await search.fill("nothing like it");
  await avery.getByText("No items found").waitFor();
  await expect.poll(() => form.getByLabel("Price").inputValue()).toBe("5");
  await search.fill("");
  await fillAddress(form);
  await form.getByRole("button", { name: "Request trade" }).click();
  await avery.getByRole("link", { name: "Open trade" }).click();
  await avery.waitForURL(/\/my-trades\?trade=/u);
  tradeId = new URL(avery.url()).searchParams.get("trade") ?? "";
  await avery.getByRole("dialog", { name: TRIPOD }).getByRole("button", { name: "Close" }).click();

  await market.open(blake, "/my-offers?q=tripod");
  await blake.getByRole("button", { name: `Accept offer: ${TRIPOD}` }).click();
  const accept = blake.getByRole("dialog", { name: "Accept offer" });
  await accept.getByLabel("Quantity").fill("3");
  await accept.getByRole("button", { name: "Accept offer" }).click();
  await accept.getByText("Quantity is 1 to 2").waitFor();
  await accept.getByLabel("Quantity").fill("1");
  await accept.getByText("$4.50").waitFor();
  await accept.getByRole("button", { name: "Accept offer" }).click();
  await said(blake, "Offer accepted successfully!");
  await own()
    .getByText(/^1 (?:unit|of \d+ units) accepted at/u)
    .waitFor();

  const countered = { pricePerItem: 900, quantity: null };
  const offerId = `${tradeId}-2`;
  await market.execute(counterOffer, {
    shownPricePerItem: null,
    offerId,
    actorUid: market.uids.admin,
    ...countered,
    happenedAt: new Date().toISOString(),
  });
  await own()
    .getByRole("button", { name: `Counter: ${TRIPOD}` })
    .click();
  const back = avery.getByRole("dialog", { name: "Counter offer" });
  await back.getByLabel("Counter price").fill("6");
  await back.getByRole("button", { name: "Send counter" }).click();
  await own()
    .getByRole("button", { name: `Take back counter: ${TRIPOD}` })
    .press("Enter");
  await said(avery, "Counter taken back");
  await own().getByText("A counter waits for you").waitFor();
  // The button is gone, and the trade has the focus.
  await expect.poll(() => avery.evaluate(() => document.activeElement?.textContent)).toBe(TRIPOD);
  await own().getByRole("button", { name: "Close the rest" }).click();
  await avery.getByRole("alertdialog").getByRole("button", { name: "Close the rest" }).click();
  await said(avery, "The rest is closed");
  await expect.poll(() => own().getByText("Waiting for label").count()).toBe(1);
});

it("goes to another address, which voids its label, and is cancelled because the buyer owes money", async () => {
  const label = {
    name: "label.pdf",
    mimeType: "application/pdf",
    buffer: Buffer.from(labelPdf(), "latin1"),
  };
  await market.open(admin, "/admin-fulfillment?q=tripod");
  const order = admin.getByRole("row", { name: new RegExp(TRIPOD, "u") });
  const upload = async (number: string) => {
    await order.getByRole("button", { name: /^Upload label/u }).click();
    const dialog = admin.getByRole("dialog", { name: "Upload label" });
    await dialog.getByLabel("Label file").setInputFiles(label);
    await dialog.getByLabel("Tracking number").fill(number);
    await dialog.getByRole("button", { name: "Upload label" }).click();
    await order.getByText("Label uploaded").waitFor();
  };
  await upload("9400111899223100001235");
  await own().getByRole("button", { name: "Change address" }).click();
  const address = avery.getByRole("dialog", { name: "Change address" });
  await address.getByText("The label that was uploaded is void then").waitFor();
  await address.getByLabel("Street").fill("3 Short Lane");
  await address.getByRole("button", { name: "Change address" }).click();
  await said(avery, "Address changed");
  await order.getByText("Waiting for label").waitFor();
  await upload("9400111899223100001236");

  await market.setAvailable(market.uids.avery, -500);
  const question = admin.getByRole("alertdialog");
  await order.getByRole("button", { name: /^Fulfill/u }).click();
  await question.getByText("owed to the store").waitFor();
  await look(admin);
  await question.getByRole("button", { name: "Cancel order instead" }).click();
  const cancel = admin.getByRole("dialog", { name: /^Cancel order/u });
  await cancel.getByText("$9.00 goes back to Avery Stone").waitFor();
  await cancel.getByLabel("Reason").fill("Pay the store first");
  await cancel.getByRole("button", { name: "Cancel order" }).click();
  await said(admin, "cancelled");
  await expect.poll(() => own().innerText()).toContain("Cancelled because: Pay the store first");
});

it("is found by its status, saved as a file, and shown to admins beside the person", async () => {
  await avery.getByLabel("Status").selectOption("cancelled");
  await own().first().waitFor();
  await avery.getByLabel("Status").selectOption("completed");
  await avery.getByText("No trade matches").waitFor();
  await avery.getByRole("button", { name: "Clear" }).first().click();
  await own().first().waitFor();
  const search = avery.getByRole("searchbox", { name: "Search your trades" });
  await search.fill("tripod");
  await expect.poll(() => avery.url()).toMatch(/q=tripod/u);
  await avery.getByRole("button", { name: "Clear", exact: true }).first().click();
  await expect.poll(() => search.inputValue()).toBe("");
  await expect.poll(() => avery.url()).not.toMatch(/q=/u);
  const file = avery.waitForEvent("download");
  await avery.getByRole("button", { name: "Export CSV" }).click();
  expect((await file).suggestedFilename()).toMatch(/^trades-.*\.csv$/u);
  await look(avery);
  await market.open(admin, `/consignors?consignor=${market.uids.avery}&view=trades`);
  await admin.getByRole("list", { name: "Trades as buyer" }).getByText(TRIPOD).waitFor();
  await admin.getByText("No offers as seller").waitFor();
  await look(admin);
});
