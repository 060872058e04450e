// The audit log in a real browser: an admin finds an event and walks along its things; a consignor sees the own part.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addItem } from "#features/inventory/decider.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordCustomSale, recordSale } from "#features/sales/decider-record.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth } from "#testing/browser/look-at.ts";
import { detailsOf } from "#testing/shop/stock-room.ts";

const itemId = "00000000-0000-4000-8000-000000000001";
const saleId = "00000000-0000-4000-8000-0000000000aa";
const happenedAt = "2024-05-20T12:00:00.000Z";

let shop: BrowserStore;

beforeAll(async () => {
  shop = await openBrowserStore();
  const avery = await shop.person("avery@store.test", "Avery Stone", "user");
  const blake = await shop.person("blake@store.test", "Blake Reed", "user");
  const admin = await shop.person("admin@store.test", "Robin Keeper", "admin");
  const { ledger } = shop.store;
  const under = (key: string) => ({ actor: admin, scope: "store", key, requestHash: "00" });
  const details = detailsOf("AU-1", { itemName: "Desk lamp" });
  const item = { itemId, ownerUid: avery, details, quantity: 5, source: "manual" as const };
  await ledger.execute(addItem, { ...item, happenedAt }, under("item"));
  const sale = {
    saleId,
    consignorId: avery,
    itemId,
    barcode1: null,
    units: 2,
    priceCents: 4_000,
    shippingCents: 500,
    salesTaxCents: 0,
    taxRateBasisPoints: null,
    consignorPercentage: 50,
    channel: "online" as const,
  };
  await ledger.execute(recordSale, { ...sale, happenedAt }, under("sale"));
  const nothing = { itemName: null, units: null, shippingCents: null, salesTaxCents: null };
  const changes = { ...nothing, priceCents: 5_000, consignorPercentage: null, payoutCents: null };
  await ledger.execute(
    correctSale,
    { saleId, changes, expectedVersion: null, noteId: null, happenedAt },
    under("correction"),
  );
  const other = { consignorId: blake, itemName: "Cable lot", amountCents: 777 };
  await ledger.execute(
    recordCustomSale,
    { saleId: "00000000-0000-4000-8000-0000000000bb", ...other, happenedAt },
    under("other"),
  );
});

afterAll(() => shop.close());

it("an admin finds an event by its amount, opens it, and walks to what corrected it", async () => {
  const context = await shop.visitor();
  const page = await shop.signIn(context, "admin@store.test", "/admin/audit");
  await page.getByRole("button", { name: "Cable lot sold (custom sale)" }).waitFor();
  await page.getByRole("searchbox").fill("$40.00");
  await page.getByText("Searched for: Amount $40.00").waitFor();
  await expect.poll(() => page.getByRole("button", { name: /Cable lot/u }).count()).toBe(0);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/u);
  const file = await readFile(await download.path(), "utf8");
  expect(file).toContain(",SaleRecorded,2 × Desk lamp sold,,Robin Keeper,");
  expect(file).not.toContain("Cable lot");
  await page.getByRole("button", { name: "2 × Desk lamp sold" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("heading", { name: "Before and after" }).waitFor();
  await expect
    .poll(() => drawer.getByRole("table", { name: "What the event moved" }).innerText())
    .toMatch(/Store, revenue\s+Avery Stone, available\s+\$17\.50/u);
  await expect
    .poll(() => drawer.getByRole("table", { name: "What changed: Item Desk lamp" }).innerText())
    .toMatch(/Quantity\s+5\s+3/u);
  await drawer.getByText("Proof and call").click();
  await drawer.getByRole("button", { name: "Copy hash", exact: true }).waitFor();
  expect(await problemsOnBoth(page, "dark")).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await drawer.getByRole("button", { name: "Sale of Desk lamp corrected" }).click();
  await drawer.getByRole("button", { name: "2 × Desk lamp sold" }).waitFor();
  await drawer.getByRole("link", { name: /^Sale/u }).first().click();
  await page.getByRole("link", { name: "Show in audit log" }).click();
  await page.getByRole("button", { name: /^Remove filter: Sale/u }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: /Desk lamp/u }).count()).toBe(2);
  expect(shop.pageErrors).toEqual([]);
  await shop.leave(context);
});

it("a consignor reads the own events in the own words, reached from the sales history", async () => {
  const page = await shop.signedIn(await shop.visitor(), "avery@store.test");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${shop.url}/sales-history`);
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("button", { name: "Sale of Desk lamp corrected" }).waitFor();
  const sold = page.getByRole("button", { name: "2 × Desk lamp sold" });
  // The oldest entry: the whole list is there.
  await sold.waitFor();
  expect(await page.getByText("Cable lot").count()).toBe(0);
  expect(await page.getByText("Robin Keeper").count()).toBe(0);
  await sold.click();
  const drawer = page.getByRole("dialog");
  await expect
    .poll(() => drawer.getByRole("table", { name: "What the event moved" }).innerText())
    .toMatch(/Store\s+Your available balance\s+\$17\.50/u);
  expect(await problemsOnBoth(page)).toEqual([]);
  expect(shop.pageErrors).toEqual([]);
});

it("a long sentence goes on in a second line of the list instead of being cut", async () => {
  const consignorId = await shop.person("casey@store.test", "Casey Lind", "user");
  const itemName = "Walnut sideboard with three drawers, brass handles and its first key";
  const sold = { consignorId, itemName, amountCents: 50_000, happenedAt };
  await shop.execute(recordCustomSale, { ...sold, saleId: randomUUID() });
  const page = await shop.signedIn(await shop.visitor(), "admin@store.test");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${shop.url}/admin/audit`);
  const sentence = page.getByRole("button", { name: `${itemName} sold (custom sale)` });
  await sentence.waitFor();
  const hidden = await sentence.evaluate((button) =>
    [button, ...button.querySelectorAll("*")].map((part) => [
      part.scrollWidth - part.clientWidth,
      part.scrollHeight - part.clientHeight,
    ]),
  );
  expect(hidden.flat().filter((pixels) => pixels > 1)).toEqual([]);
  expect(await problemsOnBoth(page)).toEqual([]);
});
