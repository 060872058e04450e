// Trades in a real browser, by three people. Nobody reloads to see what another one did.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TradeMarket } from "#testing/browser/trade-market.ts";
import { entry, fillAddress, look, openTradeMarket, said } from "#testing/browser/trade-market.ts";
import { sized } from "#testing/trial/size.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";

const ITEM = "Film camera";

let market: TradeMarket;
let admin: Page;
let avery: Page;
let blake: Page;
/** The milliseconds until the other person's screen showed each action. */
const delays: number[] = [];

beforeAll(async () => {
  market = await openTradeMarket();
  ({ admin, avery, blake } = market);
  await market.stock(market.uids.blake, ITEM, "CAM-1", 6);
  await market.stock(market.uids.blake, "Tripod", "TRI-1", 1);
  await market.stock(market.uids.avery, "Own lamp", "LAMP-1", 6);
});

afterAll(() => market.shop.close());

/** Waits for what somebody else's action changes on this screen, and notes how long that took. */
async function appears(what: Locator): Promise<void> {
  const startedAt = performance.now();
  await what.first().waitFor();
  delays.push(performance.now() - startedAt);
}

describe("a trade", () => {
  it("is requested on the marketplace, where nobody finds their own units", async () => {
    await market.open(blake, "/my-offers");
    await blake.getByText("No offers need your reply").waitFor();
    await market.open(avery, "/marketplace");
    const card = avery.getByRole("button", { name: ITEM });
    await card.waitFor();
    await expect.poll(() => avery.getByText("Own lamp").count()).toBe(0);
    await look(avery);
    await card.click();
    const form = avery.getByRole("form", { name: "Trade request" });
    const wish = async () => {
      await form.getByLabel("Price").fill("20");
      await form.getByLabel("Quantity").fill("2");
    };
    await wish();
    // 2 × $20.00 and the fee of $4.00, which an own label saves.
    await form.getByText("$44.00").first().waitFor();
    const discard = avery.getByRole("alertdialog", { name: "Discard what you entered?" });
    const ownLabel = form.getByRole("checkbox");
    const leaves: readonly (() => Promise<unknown>)[] = [
      () => avery.keyboard.press("Escape"),
      () => avery.goBack(),
      () => avery.getByRole("button", { name: "Tripod" }).click(),
      () => entry(avery, "Dashboard").click(),
      async () => {
        await avery.keyboard.press("Control+k");
        await avery.getByRole("combobox", { name: "Find or do" }).fill("dashboard");
        await avery.keyboard.press("Enter");
      },
      async () => {
        await ownLabel.focus();
        await avery.keyboard.type("gd");
      },
    ];
    for (const leave of leaves) {
      await leave();
      await discard.getByRole("button", { name: "Keep editing" }).click();
      await expect.poll(() => avery.url()).toContain("/marketplace?item=CAM-1");
    }
    await avery.getByRole("button", { name: "Tripod" }).click();
    await discard.getByRole("button", { name: "Discard" }).click();
    await avery.waitForURL(/item=TRI-1$/u);
    await card.click();
    await avery.waitForURL(/item=CAM-1$/u);
    // The form of the other item may stay for a moment, and what is typed there is lost.
    await form.getByText("CAM-1").waitFor();
    await wish();
    await form.getByText("I upload my own shipping label").click();
    await expect.poll(() => form.innerText()).toMatch(/Total\s+\$40\.00[^]*\$100\.00[^]*\$60\.00/u);
    const send = form.getByRole("button", { name: "Request trade" });
    await send.click();
    await form.getByText("Please fill in all shipping address fields").first().waitFor();
    await look(avery);
    await fillAddress(form);
    await send.click();
    await avery.getByRole("link", { name: "Open trade" }).waitFor();
    await appears(blake.getByRole("button", { name: `Accept offer: ${ITEM}` }));
    await expect.poll(() => blake.getByText("$36.00").count()).toBeGreaterThan(0);
    await entry(blake, "Offers 1 to answer").waitFor();
    await look(blake);
  });

  it("is raised, countered, and countered back", async () => {
    await market.open(avery, "/my-trades");
    await avery.getByRole("button", { name: "Raise price" }).click();
    const raise = avery.getByRole("dialog", { name: "Raise price" });
    await raise.getByLabel("Price").fill("25");
    await raise.getByRole("button", { name: "Raise price" }).click();
    await said(avery, "Price raised");
    await appears(blake.getByText("2 units at $25.00"));

    await blake.getByRole("button", { name: `More answers: ${ITEM}` }).click();
    await blake.getByRole("menuitem", { name: "Counter offer" }).click();
    const counter = blake.getByRole("dialog", { name: "Counter offer" });
    await counter.getByLabel("Counter price").fill("0");
    await counter.getByRole("button", { name: "Send counter" }).click();
    await counter.getByText("Counter price must be greater than 0").waitFor();
    await counter.getByLabel("Counter price").fill("30");
    await counter.getByText("$54.00").waitFor();
    await counter.getByRole("button", { name: "Send counter" }).click();
    await said(blake, "Counter offer sent!");
    const banner = avery.getByRole("region", { name: "A counter waits for you" });
    await appears(banner.getByText("2 units at $30.00 each"));
    await look(avery);
    await entry(avery, "Trades 1 to answer").waitFor();

    await expect.poll(() => banner.count()).toBe(1);
    await banner.getByRole("button", { name: "Counter" }).click();
    const back = avery.getByRole("dialog", { name: "Counter offer" });
    await back.getByLabel("Counter price").fill("28");
    await back.getByRole("button", { name: "Send counter" }).click();
    await said(avery, "Counter offer sent!");
    await appears(blake.getByText("2 units at $28.00"));
  });

  it("says what the seller receives before Accept, and holds the buyer's money after", async () => {
    await blake.getByRole("button", { name: `Accept offer: ${ITEM}` }).click();
    const accept = blake.getByRole("dialog", { name: "Accept offer" });
    await expect
      .poll(() => accept.innerText())
      .toMatch(/\$56\.00[^]*10%[^]*−\$5\.60[^]*You receive[^]*\$50\.40/u);
    await look(blake);
    await accept.getByRole("button", { name: "Accept offer" }).click();
    await said(blake, "Offer accepted successfully!");
    await appears(avery.getByText("$56.00 held"));
    const own = avery.getByRole("list", { name: "Your trades" });
    await own.getByText("Waiting for label").waitFor();
    await market.open(blake, "/my-offers?tab=closed");
    await blake.getByText("2 units accepted").waitFor();
    await look(blake);
    // The seller opens the trade, and learns nothing about the buyer.
    await blake.getByRole("button", { name: ITEM }).click();
    const part = blake.getByRole("dialog", { name: ITEM });
    await part.getByText("You receive").waitFor();
    await expect
      .poll(() => part.getByRole("region", { name: "History" }).innerText())
      .toMatch(/Accepted: 2 units[^]*You[^]*Buyer[^]*Offered to you: 2 units at \$20\.00 each/u);
    await expect.poll(() => part.innerText()).not.toMatch(/Avery|Meadow|Austin/u);
    await look(blake);
  });

  it("gets its label, which the store sees at once", async () => {
    await market.open(admin, "/admin-fulfillment");
    const order = admin.getByRole("row", { name: new RegExp(ITEM, "u") });
    await order.getByText("Waiting for label").waitFor();
    await order.getByText("A-01").waitFor();
    const place = admin.getByRole("navigation", { name: "Main" });
    await place.getByRole("link", { name: /^Fulfillment Orders 1 order to ship/u }).waitFor();

    await avery.getByRole("button", { name: "Upload label" }).click();
    const upload = avery.getByRole("dialog", { name: "Upload label" });
    await upload.getByRole("button", { name: "Upload label" }).click();
    await upload.getByText("Please select a label file").waitFor();
    await upload.getByText("Please enter a tracking number").waitFor();
    await look(avery);
    await upload.getByLabel("Label file").setInputFiles({
      name: "label.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from(labelPdf(), "latin1"),
    });
    await upload.getByLabel("Carrier").selectOption("UPS");
    await upload.getByLabel("Tracking number").fill("1Z999AA10123456784");
    await upload.getByRole("button", { name: "Upload label" }).click();
    await said(avery, "Shipping label uploaded successfully!");
    await appears(order.getByText("Label uploaded"));
    await expect.poll(() => order.count()).toBe(1);
    await look(admin);

    await order.getByRole("button", { name: /^More for/u }).click();
    const read = admin.waitForResponse((response) => response.url().endsWith("/label"));
    const tab = admin.context().waitForEvent("page");
    await admin.getByRole("menuitem", { name: "Print label" }).click();
    expect((await read).headers()["content-type"]).toBe("application/pdf");
    await tab.then((opened) => opened.close());
    await admin.emulateMedia({ media: "print" });
    const list = admin.getByRole("region", { name: "Picking list" });
    await expect
      .poll(() => list.getByRole("row").last().innerText())
      .toMatch(/^A-01\s+Film camera\s+CAM-1\s+2\s+Blake Rivers\s+[0-9a-f]{8}\s+Avery Stone$/u);
    await expect.poll(() => admin.getByRole("tablist").count()).toBe(0);
    await admin.emulateMedia({ media: null });
  });

  it("is fulfilled, and confirmed by the buyer", async () => {
    await admin.getByRole("button", { name: new RegExp(`^Fulfill: ${ITEM}`, "u") }).click();
    const question = admin.getByRole("alertdialog");
    await question.getByText("$56.00").first().waitFor();
    await question.getByRole("row", { name: /Blake Rivers, available.*\+\$50\.40/u }).waitFor();
    await question.getByRole("row", { name: /Held for this trade.*\$56\.00.*\$0\.00/u }).waitFor();
    await look(admin);
    await question.getByRole("button", { name: "Fulfill" }).click();
    await said(admin, "fulfilled");
    await appears(avery.getByRole("button", { name: "Confirm arrival" }));
    await avery.getByRole("link", { name: "UPS 1Z999AA10123456784" }).waitFor();
    await market.open(admin, "/admin-fulfillment?tab=fulfilled");
    await admin.getByRole("row", { name: new RegExp(ITEM, "u") }).waitFor();
    await avery.getByRole("button", { name: "Confirm arrival" }).click();
    await avery.getByRole("alertdialog").getByRole("button", { name: "Confirm arrival" }).click();
    await said(avery, "Trade completed");
    await market.open(blake, "/dashboard");
    await expect.poll(() => blake.getByText("$50.40").count()).toBeGreaterThan(0);
  });

  it("opens its history where it is named", async () => {
    await avery.getByRole("button", { name: `History of ${ITEM}` }).click();
    const drawer = avery.getByRole("dialog", { name: ITEM });
    const history = drawer.getByRole("region", { name: "History" });
    await expect.poll(() => history.getByRole("listitem").count()).toBe(8);
    // Sellers are not named to buyers.
    await expect.poll(() => drawer.innerText()).not.toContain("Blake");
    await look(avery);
    await market.open(avery, "/sales-history");
    await avery
      .getByText(/the price held for it/u)
      .first()
      .click();
    await avery.getByRole("dialog").getByRole("link", { name: "Open trade" }).click();
    await avery.waitForURL(/\/my-trades\?trade=/u);
    await history.waitFor();
  });
});

/** Requests units of the item again, to the saved address. */
async function requestAgain(quantity: string): Promise<void> {
  await market.open(avery, "/marketplace");
  await avery.getByRole("button", { name: ITEM }).click();
  const form = avery.getByRole("form", { name: "Trade request" });
  await form.getByText("Last traded at $28.00").waitFor();
  await form.getByLabel("Price").fill("10");
  await form.getByLabel("Quantity").fill(quantity);
  await expect
    .poll(() => form.getByLabel("Saved addresses").locator("option:checked").innerText())
    .toContain("12 Long Meadow Road");
  await form.getByRole("button", { name: "Request trade" }).click();
  await avery.getByRole("link", { name: "Open trade" }).click();
  await avery.waitForURL(/\/my-trades/u);
  const drawer = avery.getByRole("dialog", { name: ITEM });
  await drawer.getByRole("button", { name: "Close" }).click();
  await drawer.waitFor({ state: "hidden" });
}

describe("when things go wrong", () => {
  it("lets the buyer withdraw, and the seller decline", async () => {
    await requestAgain("1");
    await avery
      .getByRole("button", { name: `More for ${ITEM}` })
      .first()
      .click();
    await avery.getByRole("menuitem", { name: "Withdraw request" }).click();
    await avery.getByRole("alertdialog").getByRole("button", { name: "Withdraw request" }).click();
    await said(avery, "Request withdrawn");
    await requestAgain("1");
    await market.open(blake, "/my-offers");
    await blake.getByRole("button", { name: `More answers: ${ITEM}` }).click();
    await blake.getByRole("menuitem", { name: "Decline offer" }).click();
    await blake.getByRole("alertdialog").getByRole("button", { name: "Decline offer" }).click();
    await said(blake, "Offer declined");
    await market.open(blake, "/my-offers?tab=closed");
    await expect.poll(() => blake.getByText("Withdrawn").count()).toBe(1);
    await expect.poll(() => blake.getByText("Declined").count()).toBe(1);
  });

  it("lets the store cancel a part, ship the rest, and refund what came damaged", async () => {
    await market.open(blake, "/my-offers");
    await blake.getByText("No offers need your reply").waitFor();
    await market.open(blake, "/dashboard");
    await requestAgain("2");
    await entry(blake, "Offers 1 to answer").waitFor();
    // The list is the cached one, from before the request, and no later event tells the screen to read again.
    await market.open(blake, "/my-offers");
    await blake.getByRole("button", { name: `Accept offer: ${ITEM}` }).click();
    await blake.getByRole("dialog").getByRole("button", { name: "Accept offer" }).click();
    await said(blake, "Offer accepted successfully!");

    await market.open(admin, "/admin-fulfillment");
    const order = admin.getByRole("row", { name: new RegExp(ITEM, "u") });
    await order.getByText("Store's").waitFor();
    await order.getByRole("button", { name: /^More for/u }).click();
    await admin.getByRole("menuitem", { name: "Cancel an acceptance" }).click();
    const cancel = admin.getByRole("dialog", { name: "Cancel an acceptance" });
    await cancel.getByLabel("Quantity").fill("1");
    await cancel.getByText("Damaged").click();
    await cancel.getByText(/\$10\.00 goes back to Avery Stone\. 1 unit of the order/u).waitFor();
    await look(admin);
    await cancel.getByRole("button", { name: "Cancel units" }).click();
    await said(admin, "1 unit cancelled");

    await order.getByRole("button", { name: /^Upload label/u }).click();
    const upload = admin.getByRole("dialog", { name: "Upload label" });
    await upload.getByText("12 Long Meadow Road").waitFor();
    await upload.getByLabel("Label file").setInputFiles({
      name: "label.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from(labelPdf(), "latin1"),
    });
    await upload.getByLabel("Tracking number").fill("9400111899223100001234");
    await upload.getByRole("button", { name: "Upload label" }).click();
    await said(admin, "Shipping label uploaded successfully!");
    await order.getByRole("button", { name: /^Fulfill/u }).click();
    await admin.getByRole("alertdialog").getByRole("button", { name: "Fulfill" }).click();

    await market.open(avery, "/my-trades");
    await avery
      .getByRole("button", { name: `More for ${ITEM}` })
      .first()
      .click();
    await avery.getByRole("menuitem", { name: "Report a problem" }).click();
    const report = avery.getByRole("dialog", { name: "Report a problem" });
    await report.getByLabel("What is wrong").selectOption("damaged");
    await look(avery);
    await report.getByRole("button", { name: "Report problem" }).click();
    await said(avery, "Problem reported");

    await market.open(admin, "/admin-fulfillment?tab=reported");
    await order.getByText("Reported: damaged").waitFor();
    await order.getByRole("button", { name: /^More for/u }).click();
    await admin.getByRole("menuitem", { name: "Turn down report" }).click();
    const down = admin.getByRole("alertdialog");
    await down.getByRole("button", { name: "Turn down report" }).click();
    await said(admin, "Report turned down");
    await avery
      .getByRole("button", { name: `More for ${ITEM}` })
      .first()
      .click();
    await avery.getByRole("menuitem", { name: "Report a problem" }).click();
    await report.getByLabel("What is wrong").selectOption("lost");
    await report.getByRole("button", { name: "Report problem" }).click();
    await order.getByText("Reported: lost").waitFor();
    await order.getByRole("button", { name: /^Refund/u }).click();
    const refund = admin.getByRole("dialog", { name: "Refund trade" });
    // The seller who pays, as well as the buyer.
    const outcome = refund.getByRole("region", { name: "What this does" });
    await expect
      .poll(() => outcome.innerText())
      .toMatch(/Avery Stone[^]*Blake Rivers|Blake Rivers[^]*Avery Stone/u);
    await refund.getByText("The store").click();
    await expect.poll(() => outcome.innerText()).not.toContain("Blake Rivers");
    await look(admin);
    await refund.getByRole("button", { name: "Refund $10.00" }).click();
    await said(admin, "$10.00 refunded");
    // 100 − 56 for the first trade, and only the fee of $4.00 for the last one.
    await market.open(avery, "/dashboard");
    await expect.poll(() => avery.getByText("$40.00").count()).toBeGreaterThan(0);
  });
});

it("showed each act to the other person without a reload, by live events alone", () => {
  expect(delays).toHaveLength(7);
  // Most take under a second on a machine of their own, as in the trial.
  expect(delays.toSorted((one, other) => one - other)[3]).toBeLessThan(sized(Infinity, 1000));
  expect(market.shop.pageErrors).toEqual([]);
});
