// What a phone's small screen must not hide, upright and on its side: what a form does, fields and buttons below messages, and the till.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { visit } from "#testing/browser/visit.ts";
import { waitUntilStill } from "#testing/browser/look-at.ts";
import { quantityOf } from "#testing/till/till-books.ts";
import { knows } from "#testing/till/till-hands.ts";
import { openTillStore, type TillStore } from "#testing/till/till-store.ts";

const UPRIGHT = { width: 360, height: 740 };
/** Another phone, less the browser's own bars. */
const SMALL = { width: 360, height: 560 };
const ON_ITS_SIDE = { width: 740, height: 360 };

let shop: TillStore;
let page: Page;

beforeAll(async () => {
  shop = await openTillStore();
  page = await shop.till();
  await page.setViewportSize(UPRIGHT);
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

/** A touch where it is now: Playwright's own would first scroll to it. */
async function touch(thing: Locator): Promise<void> {
  await expect.poll(() => isInReach(thing)).toBe(true);
  const box = await thing.boundingBox();
  await page.mouse.click(
    (box?.x ?? 0) + (box?.width ?? 0) / 2,
    (box?.y ?? 0) + (box?.height ?? 0) / 2,
  );
}

/** Runs in the page: the fields and buttons of the screen that this lies above. */
function coveredBy(toast: Element): readonly string[] {
  const above = toast.closest("[role=group]")?.getBoundingClientRect() ?? new DOMRect();
  return Array.from(document.querySelectorAll("main :is(a, button, input, select)"))
    .filter((control) => {
      const { top, bottom, left, right, height } = control.getBoundingClientRect();
      return (
        height > 0 &&
        top < above.bottom &&
        bottom > above.top &&
        left < above.right &&
        right > above.left
      );
    })
    .map((control) => control.getAttribute("aria-label") ?? control.textContent);
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

it("a message covers no field and no button of the screen, nor what closes a drawer", async () => {
  await page.setViewportSize(UPRIGHT);
  const dialog = await openForm("TOAST-1", "Edit sale");
  await dialog.getByLabel("Sale price").fill("45");
  await dialog.getByLabel("Reason").fill("A typing error");
  await dialog.getByRole("button", { name: "Save" }).click();
  const toast = page.getByRole("region", { name: /^Notifications/u }).getByText(/^Sale /u);
  await toast.waitFor();
  await touch(page.getByRole("dialog").getByRole("button", { name: "Close" }));
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await toast.evaluate(coveredBy)).toEqual([]);
});

it("a sale is made at the till by touch alone, on a phone that lies on its side", async () => {
  const item = await shop.item(shop.averyUid, "SIDE-1", 1, "Walnut radio");
  await page.setViewportSize(ON_ITS_SIDE);
  await visit(page, `${shop.url}/pos`);
  await knows(page, "SIDE-1");
  const field = page.getByRole("combobox");
  await touch(field);
  await page.keyboard.type("walnut");
  await touch(page.getByRole("option", { name: /Walnut radio/u }));
  await page.keyboard.type("45");
  await page.keyboard.press("Enter");
  await touch(page.getByRole("button", { name: "Pay $45.00" }));
  const exact = page.getByRole("button", { name: "Exact cash", disabled: false });
  // What is typed as cash stays in sight.
  await exact.waitFor();
  expect(await isInReach(field)).toBe(true);
  await touch(exact);
  await page.getByText("Sale complete").waitFor();
  await expect.poll(() => quantityOf(shop, item)).toBe(0);
});

it("logs no errors", () => {
  expect(shop.pageErrors).toEqual([]);
});
