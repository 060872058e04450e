// What a phone's small screen must not hide.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { visit } from "#testing/browser/visit.ts";
import { waitUntilStill } from "#testing/browser/look-at.ts";
import { openTillStore, type TillStore } from "#testing/till/till-store.ts";

/** A phone, less the browser's own bars. */
const SMALL = { width: 360, height: 560 };

let shop: TillStore;
let page: Page;

beforeAll(async () => {
  shop = await openTillStore();
  page = await shop.till();
  await page.goto(`${shop.url}/admin/sales`);
});

afterAll(() => shop.close());

/** Shows a new sale of one unit of Avery's for $40.00 and opens one of its forms. */
async function openForm(barcode1: string, form: string): Promise<Locator> {
  const itemUID = await shop.item(shop.averyUid, barcode1, 1);
  const sale = { consignorID: shop.averyUid, itemUID, barcode1, salePrice: 40, quantitySold: 1 };
  const { body } = await shop.call("POST", "/sales/record", sale);
  await visit(page, `${shop.url}/admin/sales?sale=${String(body["saleID"])}`);
  await page.getByRole("button", { name: form, exact: true }).click();
  return page.getByRole("dialog", { name: new RegExp(`^${form}$`, "iu") });
}

/** Whether the middle of it can be touched where it is now, without scrolling. */
function isInReach(thing: Locator): Promise<boolean> {
  return thing.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return element.contains(top) || (top?.contains(element) ?? false);
  });
}

it("what a refund takes from the consignor is in sight next to its button", async () => {
  await page.setViewportSize(SMALL);
  const dialog = await openForm("REFUND-1", "Refund sale");
  await dialog.getByLabel("Amount").fill("20");
  const loss = dialog.getByText(/^Avery.* gives back \$10\.00 of this sale\.$/u);
  await loss.waitFor();
  await waitUntilStill(page);
  expect(await isInReach(loss)).toBe(true);
  expect(await isInReach(dialog.getByRole("button", { name: /^Refund \$/u }))).toBe(true);
});

it("logs no errors", () => {
  expect(shop.pageErrors).toEqual([]);
});
