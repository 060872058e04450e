// Forms about a sale in a real browser, while another admin works on the same sale, and what an admin's own history says of others' sales.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { visit } from "#testing/browser/visit.ts";
import { openTillStore, type TillStore } from "#testing/till/till-store.ts";

let shop: TillStore;
let page: Page;

beforeAll(async () => {
  shop = await openTillStore();
  page = await shop.till();
  await page.goto(`${shop.url}/admin/sales`);
});

afterAll(() => shop.close());

const open = (path: string) => visit(page, `${shop.url}${path}`);

/** A sale of one unit of Avery's for $40.00; its id. */
async function soldItem(barcode1: string): Promise<string> {
  const itemUID = await shop.item(shop.averyUid, barcode1, 1);
  const sale = { consignorID: shop.averyUid, itemUID, barcode1, salePrice: 40, quantitySold: 1 };
  const { body } = await shop.call("POST", "/sales/record", sale);
  return String(body["saleID"]);
}

/** Also no part of it is below the fold of what scrolls. */
async function isWhollyInSight(thing: Locator): Promise<boolean> {
  const shares = (await thing.count()) === 0 ? [] : [await thing.evaluate(shareInSight)];
  return shares.some((share) => share > 0.99);
}

function shareInSight(thing: Element): Promise<number> {
  return new Promise((resolve) => {
    new IntersectionObserver(([entry], observer) => {
      observer.disconnect();
      resolve(entry?.intersectionRatio ?? 0);
    }).observe(thing);
  });
}

it.each([
  ["Refund sale", /^Refund \$/u],
  ["Edit sale", "Save"],
])("%s keeps what is typed while another admin corrects the sale", async (form, act) => {
  const id = await soldItem(form);
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(`/admin/sales?sale=${id}`);
  await page.getByRole("button", { name: form, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: new RegExp(`^${form}$`, "iu") });
  if (form === "Edit sale") {
    await dialog.getByLabel("Sale price").fill("45");
  }
  await dialog.getByLabel("Reason").fill("The clasp was broken");
  await shop.call("PUT", `/sales/${id}`, { salePrice: 30 }, "sam");
  // The sale behind the form is read again.
  await page.getByText("Corrected once").first().waitFor({ state: "attached" });
  expect(await dialog.getByLabel("Reason").inputValue()).toBe("The clasp was broken");
  // Nobody has to press what will be refused.
  const reload = dialog.getByRole("button", { name: "Show the sale as it is now" });
  await reload.waitFor();

  await dialog.getByRole("button", { name: act }).click();
  const refusal = dialog.getByText(/^Error (?:updating|refunding) sale: This sale changed since/u);
  await expect.poll(() => isWhollyInSight(refusal)).toBe(true);
  await expect.poll(() => isWhollyInSight(reload)).toBe(true);
  expect(await dialog.getByText("This sale changed since you opened it").count()).toBe(1);
  const [height, usual] = await Promise.all(
    [reload, dialog.getByRole("button", { name: act })].map(
      async (button) => (await button.boundingBox())?.height,
    ),
  );
  expect(height).toBe(usual);
  expect(await dialog.getByLabel("Reason").inputValue()).toBe("The clasp was broken");
  await reload.click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("dialog").getByText("$30.00").first().waitFor();
});

it("another consignor's sale in an admin's own history has a consignor's share, not the reader's", async () => {
  const id = await soldItem("FOREIGN-1");
  await open(`/sales-history?tab=sales&sale=${id}`);
  const drawer = page.getByRole("dialog", { name: "Item FOREIGN-1" });
  await drawer.getByText("Consignor share of $40.00").waitFor();
  expect(await drawer.getByText("Your share").count()).toBe(0);
});

it("logs no errors", () => {
  expect(shop.pageErrors).toEqual([]);
});
