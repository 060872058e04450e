// What becomes of lines after paying, in a real browser: while they are saved, and how a person settles those that the ledger refused.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemsOnBoth, showAs } from "#testing/browser/look-at.ts";
import { bookedKeys, quantityOf } from "#testing/till/till-books.ts";
import {
  askedForPriceOf,
  holdAnswers,
  holdSaving,
  knows,
  scan,
  sell,
  settle,
  settleAsSecondFound,
  typeByHand,
} from "#testing/till/till-hands.ts";
import { openTillStore, type TillStore } from "#testing/till/till-store.ts";
import { sendTrade, tradeOfItem } from "#testing/till/trade-of-item.ts";

/** The calls that record a line. */
const salesCalls = /\/api\/(?:sales\/record|inventory\/master\/sale)$/u;

let shop: TillStore;

beforeAll(async () => {
  shop = await openTillStore();
});

afterAll(() => shop.close());

describe("a refused line", () => {
  it("is left to a person, who counts it in, books another item or refunds the money", async () => {
    const taken = await shop.item(shop.averyUid, "GONE-1", 1);
    const wrong = await shop.item(shop.averyUid, "GONE-2", 1);
    const other = await shop.item(shop.blakeUid, "INSTEAD-1", 1);
    await shop.item(shop.blakeUid, "INSTEAD-0", 1);
    await shop.item(null, "GONE-3", 1);
    await shop.call("PUT", `/settings/consignors/${shop.blakeUid}/share`, { percentage: 80 });
    const page = await shop.till();
    await knows(page, "GONE-1", "GONE-2", "GONE-3", "INSTEAD-1");
    await page.route(salesCalls, (route) => route.abort());
    for (const code of ["GONE-1", "GONE-2", "GONE-3"]) {
      await sell(page, code, "40");
    }
    const master = await shop.call("GET", "/inventory/search?searchTerm=GONE-3");
    const [item] = Object(master.body)["items"];
    await shop.call("POST", "/inventory/master/sale", { masterItemID: item.id, quantitySold: 1 });
    for (const [index, id] of [taken, wrong].entries()) {
      const sale = { consignorID: shop.averyUid, itemUID: id, barcode1: `GONE-${index + 1}` };
      await shop.call("POST", "/sales/record", { ...sale, salePrice: 9, quantitySold: 1 });
    }
    await page.unroute(salesCalls);
    const refused = page.getByRole("region", { name: "Taken, not booked" });
    await refused.getByRole("button", { name: "Settle" }).nth(2).waitFor();
    await expect.poll(() => refused.getByText("$120.00").count()).toBe(1);

    await settle(page, "It was in stock", "Count and book", "Item GONE-1");
    await refused
      .getByRole("listitem")
      .filter({ hasText: "Item GONE-2" })
      .getByRole("button")
      .click();
    await settleAsSecondFound(page, "INSTEAD", "INSTEAD-1");
    await settle(page, "Money back", /Refund/u, "Item GONE-3");
    await refused.waitFor({ state: "hidden" });
    await page.getByText(/sales? not sent yet/u).waitFor({ state: "hidden" });

    expect(await Promise.all([taken, other].map((id) => quantityOf(shop, id)))).toEqual([0, 0]);
    const settled = [...(await bookedKeys(shop)).keys()].filter((key) => key.endsWith(":1:2"));
    expect(settled).toHaveLength(2);
    // Blake's own share, not Avery's.
    const [sold] = await shop.store.sql<{ share: string }[]>`
      select data ->> 'consignorPercentage' as share from log.events
      where type = 'SaleRecorded' and data ->> 'itemId' = ${other}`;
    expect(sold).toEqual({ share: "80" });
  });

  it("comes out of the trade that holds it, and is cancelled and sold once though the first answer is lost", async () => {
    const id = await shop.item(shop.averyUid, "HELD-1", 1);
    const page = await shop.till();
    await knows(page, "HELD-1");
    await page.route(salesCalls, (route) => route.abort());
    await sell(page, "HELD-1", "40");
    const tradeId = await tradeOfItem(shop, id, "HELD-1");
    await page.unroute(salesCalls);
    const refused = page.getByRole("region", { name: "Taken, not booked" });
    await refused.getByRole("button", { name: "Settle" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("A trade holds it").waitFor();
    expect(await dialog.getByText("It was in stock").count()).toBe(0);
    const buyersPart = `1 unit of order ${tradeId.slice(0, 8)} is cancelled: $24.00 goes back to Blake.`;
    await dialog.getByText(buyersPart).waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    await showAs(page, "desktop", "light");

    const cancelCall = /\/api\/trades\/.*\/cancel$/u;
    let lost = 0;
    await page.route(cancelCall, async (route) => {
      const response = await route.fetch();
      lost += 1;
      await (lost === 1 ? route.abort() : route.fulfill({ response }));
    });
    // The item is read again once it is known that the call ended: here it still looks as before.
    const release = await holdAnswers(page, /\/api\/trades\/holding\//u);
    const act = dialog.getByRole("button", { name: "Cancel that acceptance and sell" });
    await act.click();
    await dialog.getByText(/The server cannot be reached/u).waitFor();
    await act.click();
    await dialog.waitFor({ state: "hidden" });
    release();
    await refused.waitFor({ state: "hidden" });
    await page.getByText(/sales? not sent yet/u).waitFor({ state: "hidden" });
    await page.unrouteAll({ behavior: "wait" });

    expect(lost).toBe(2);
    expect(await quantityOf(shop, id)).toBe(0);
    const { body } = await shop.call("GET", `/trades/holding/${id}`);
    expect(body).toMatchObject({ quantity: 0, acceptances: [] });
    const trade = await shop.call("GET", `/trades/${tradeId}`);
    expect(trade.body).toMatchObject({ status: "cancelled", heldCents: 0 });
  });

  it("is not counted in while its dialog is open either, if the trade that held it is sent to its buyer", async () => {
    const id = await shop.item(shop.averyUid, "SENT-1", 1);
    const page = await shop.till();
    await knows(page, "SENT-1");
    await page.route(salesCalls, (route) => route.abort());
    await sell(page, "SENT-1", "40");
    const tradeId = await tradeOfItem(shop, id, "SENT-1");
    await page.unroute(salesCalls);
    const refused = page.getByRole("region", { name: "Taken, not booked" });
    await refused.getByRole("button", { name: "Settle" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("A trade holds it").waitFor();
    await sendTrade(shop, tradeId);
    await dialog.getByText("The trade that held it was sent").waitFor();
    expect(await dialog.getByText("It was in stock").count()).toBe(0);
    await dialog.getByText("Money back").click();
    await dialog.getByRole("button", { name: /Refund/u }).click();
    await refused.waitFor({ state: "hidden" });
    expect(await quantityOf(shop, id)).toBe(0);
  });
});

it("leaves what is scanned while a sale is saved to the next customer", async () => {
  await shop.item(shop.averyUid, "SAVED-1", 1);
  const tagged = { itemName: "Item NEXT-1", barcode1: "NEXT-1", quantity: 9, tagPriceCents: 1000 };
  await shop.call("POST", "/inventory/consignor", { ...tagged, consignorID: shop.averyUid });
  const page = await shop.till();
  await knows(page, "SAVED-1", "NEXT-1");
  await scan(page, "SAVED-1");
  await askedForPriceOf(page, "Item SAVED-1");
  await typeByHand(page, "7");
  await page.keyboard.press("F9");
  const letSave = await holdSaving(page);
  await page.getByRole("button", { name: "Card", exact: true }).click();
  await page.getByRole("button", { name: "Saving..." }).waitFor();
  await scan(page, "NEXT-1");
  await letSave();
  await page.getByRole("button", { name: "Pay $10.00" }).waitFor();
  await page.getByRole("button", { name: "1 of Item NEXT-1" }).waitFor();
  expect(shop.pageErrors).toEqual([]);
});
