// A counted day that is changed afterwards, in a real browser: the list of counted days says so without anybody opening the day.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addItem } from "#features/inventory/decider.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordSale } from "#features/sales/decider-record.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsIn } from "#testing/browser/look-at.ts";

let shop: BrowserStore;
let page: Page;
let consignorId = "";

const itemId = randomUUID();
const now = () => new Date().toISOString();

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("admin@store.test", "Robin Admin", "admin");
  consignorId = await shop.person("avery@store.test", "Avery Stone", "user");
  const none = { listingTitle: "", barcode2: "", location: "", link: "", imageUrl: "", asin: "" };
  await shop.execute(addItem, {
    itemId,
    ownerUid: consignorId,
    source: "manual" as const,
    details: { itemName: "Vase", barcode1: "VASE-1", ...none },
    quantity: 9,
    happenedAt: now(),
  });
  page = await shop.signIn(await shop.visitor(), "admin@store.test", "/admin/end-of-day");
});

afterAll(() => shop.close());

/** A vase for cash at the till, without tax. */
async function sellFor(priceCents: number): Promise<string> {
  const saleId = randomUUID();
  await shop.execute(recordSale, {
    saleId,
    consignorId,
    itemId,
    barcode1: null,
    units: 1,
    priceCents,
    shippingCents: 0,
    salesTaxCents: 0,
    taxRateBasisPoints: null,
    consignorPercentage: 50,
    channel: "pos",
    till: { tender: "cash" },
    happenedAt: now(),
  });
  return saleId;
}

/** A row's text up to when it was recorded. */
function withoutTime(row: string): string {
  return row
    .replaceAll(/\s+/gu, " ")
    .replace(/ \d+ [A-Z].*$/u, "")
    .trim();
}

it("says what was sold and corrected after the drawer was counted", async () => {
  const saleId = await sellFor(5_000);
  await page
    .getByRole("table", { name: "Payments of the day" })
    .getByText("$50.00")
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Count the drawer" }).click();
  await page.getByRole("textbox", { name: "Counted" }).fill("50");
  await page.getByRole("button", { name: "Close the day" }).click();
  const counted = page.getByRole("table", { name: "Counted days" });
  await counted.getByText("Exact").waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await counted.getByText("Payments changed").count()).toBe(0);

  await sellFor(1_000);
  await counted.getByText("Payments changed").waitFor();
  const nothing = { itemName: null, units: null, shippingCents: null, salesTaxCents: null };
  const changes = { ...nothing, priceCents: 500, consignorPercentage: null, payoutCents: null };
  const correction = { saleId, changes, expectedVersion: null, noteId: null };
  await shop.execute(correctSale, { ...correction, happenedAt: now() });
  const payments = page.getByRole("region", { name: "Payments" });
  const corrected = payments.getByRole("link", { name: "1 correction was recorded on this day" });
  await corrected.waitFor();
  const views = [
    ["phone", "dark"],
    ["desktop", "light"],
  ] as const;
  expect(await problemsIn(page, views)).toEqual([]);

  await counted.getByText("Payments changed").click();
  const drawer = page.getByRole("dialog", { name: /^Count of/u });
  await drawer.getByText("Changed since the count: Cash −$35.00").waitFor();
  expect(await problemsIn(page, views)).toEqual([]);
  await drawer.getByRole("link", { name: "What changed" }).click();
  const listed = page.getByRole("list", { name: "Changes since the count" });
  await expect
    .poll(async () => (await listed.getByRole("listitem").allInnerTexts()).map(withoutTime))
    .toEqual(["Vase Cash −$45.00 Sale corrected", "Vase Cash +$10.00 Sold"]);
  expect(await problemsIn(page, views)).toEqual([]);
  await page.getByRole("dialog").last().getByRole("button", { name: "Close" }).click();

  await corrected.click();
  await page.getByText("Type sale corrected, sale tender corrected").first().waitFor();
  await page.getByText("Sale of Vase corrected").first().waitFor();
  expect(shop.pageErrors).toEqual([]);
});
