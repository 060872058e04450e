// Pictures of items in a real browser: found by the link, taken as a photo, shown in lists, and searched for all at once.
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BrowserStore, openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth, showAs } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import {
  linkTo,
  type RetailerStandIn,
  startRetailer,
  WITH_PICTURE,
  WITHOUT_PICTURE,
} from "#testing/service/retailer-stand-in.ts";
import { holdAnswers } from "#testing/till/till-hands.ts";
import { pngOf } from "#testing/service/tiny-images.ts";

let standIn: RetailerStandIn;
let shop: BrowserStore;
let visitor: BrowserContext;
let page: Page;

beforeAll(async () => {
  standIn = await startRetailer();
  shop = await openBrowserStore({ RETAILER_STAND_IN: standIn.url });
  await shop.person("admin@store.test", "Robin Admin", "admin");
  await shop.person("avery@store.test", "Avery Stone", "user");
  visitor = await shop.visitor();
  page = await shop.signedIn(visitor, "admin@store.test");
});

afterAll(async () => {
  await shop.close();
  await standIn.close();
});

/** The width of the picture in this part of the page; 0 while there is none. */
function widthIn(selector: string): Promise<number> {
  return page
    .locator(selector)
    .evaluateAll((images) =>
      Math.max(0, ...images.map((image) => Reflect.get(image, "naturalWidth") as number)),
    );
}

it("the item form shows the picture of a link, takes a photo in its place, and the list has it small", async () => {
  await visit(page, `${shop.url}/admin`);
  // An empty list offers it a second time.
  await page.getByRole("button", { name: "Add to Master Inventory" }).first().click();
  const form = page.getByRole("dialog", { name: "Add Item" });
  await form.getByText("No Image").waitFor();
  await form.getByLabel("Item name").fill("Kettle");
  await form.getByLabel("Barcode 1").fill("KETTLE-1");
  // A shop's single pixel is not a picture.
  await page.route("https://m.media-amazon.com/**", (route) => {
    const side = route.request().url().includes("pixel") ? 1 : 44;
    return route.fulfill({ contentType: "image/png", body: Buffer.from(pngOf(side, side)) });
  });
  const address = form.getByRole("textbox", { name: /^Image URL/u });
  await address.fill("https://m.media-amazon.com/thing.png");
  await expect.poll(() => widthIn("figure img")).toBe(44);
  await address.fill("https://m.media-amazon.com/pixel.png");
  await form.getByText("No Image").waitFor();
  await form.getByText(/Pictures are shown only from this store and its retailer/u).waitFor();
  await form.getByRole("button", { name: "Add photo" }).waitFor();
  await address.fill("");
  const link = form.getByRole("textbox", { name: /^Link/u });
  await link.fill(linkTo(WITHOUT_PICTURE));
  await link.blur();
  await form.getByText("No picture was found for this link").waitFor();
  await link.fill(linkTo(WITH_PICTURE));
  await link.blur();
  await expect.poll(() => widthIn("figure img")).toBe(120);
  await form.getByLabel("Photo file").setInputFiles({
    name: "photo.png",
    mimeType: "image/png",
    buffer: Buffer.from(pngOf(1_600, 800)),
  });
  // Drawn again, at most 1,200 pixels wide.
  await expect.poll(() => widthIn("figure img")).toBe(1_200);
  expect(await problemsOnBoth(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  await expect.poll(() => widthIn("tbody img")).toBe(160);
  // As high as a row without a picture, with everything in its middle.
  const row = page.locator("tbody tr", { hasText: "KETTLE-1" });
  const middleOf = async (part: Locator) => {
    const box = await part.boundingBox();
    return box === null ? null : box.y + box.height / 2;
  };
  await expect.poll(async () => (await row.boundingBox())?.height).toBe(36);
  const middle = await middleOf(row);
  for (const part of [row.locator("img"), row.getByText("Kettle", { exact: true })]) {
    expect(Math.abs(((await middleOf(part)) ?? 0) - (middle ?? 0))).toBeLessThan(1);
  }
  const [added] = await shop.store.sql<{ data: { after: { asin: string; imageUrl: string } } }[]>`
    select data from log.events where type = 'ItemAdded'`;
  expect(added?.data.after).toMatchObject({
    asin: WITH_PICTURE,
    imageUrl: expect.stringMatching(/^\/api\/images\//u),
  });
});

it("the next item begins with what was typed while one was on its way, and without its picture", async () => {
  await page.getByRole("button", { name: "Add to Master Inventory" }).first().click();
  const form = page.getByRole("dialog", { name: "Add Item" });
  const name = form.getByLabel("Item name");
  await name.fill("Teapot");
  await form.getByLabel("Barcode 1").fill("TEAPOT-1");
  await form.getByRole("textbox", { name: /^Link/u }).fill(linkTo(WITH_PICTURE));
  await name.focus();
  await expect.poll(() => widthIn("figure img")).toBe(120);
  const answer = await holdAnswers(page, /\/api\/inventory\/master$/u);
  await form.getByRole("button", { name: "Save & add another" }).click();
  await name.fill("Sugar bowl");
  answer();
  await form.getByText("1 item added so far").waitFor();
  await expect.poll(() => name.inputValue()).toBe("Sugar bowl");
  await expect.poll(() => form.getByLabel("Barcode 1").inputValue()).toBe("");
  await form.getByText("No Image").waitFor();
  await form.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  await form.waitFor({ state: "hidden" });
});

it("a photo is waited for, and one that comes after its item was saved is not put on the next item", async () => {
  await page.getByRole("button", { name: "Add to Master Inventory" }).first().click();
  const form = page.getByRole("dialog", { name: "Add Item" });
  const name = form.getByLabel("Item name");
  const again = form.getByRole("button", { name: "Save & add another" });
  const chooseFor = async (item: string, side: number) => {
    await name.fill(item);
    await form.getByLabel("Barcode 1").fill(`${item.toUpperCase()}-1`);
    await form.getByLabel("Photo file").setInputFiles({
      name: "photo.png",
      mimeType: "image/png",
      buffer: Buffer.from(pngOf(side, side)),
    });
    await form.getByRole("button", { name: "Uploading..." }).waitFor();
  };
  const imageOf = async (item: string) => {
    const [row] = await shop.store.sql<{ url: string }[]>`
      select data -> 'after' ->> 'imageUrl' as url from log.events
      where type = 'ItemAdded' and data -> 'after' ->> 'itemName' = ${item}`;
    return row?.url;
  };

  const soon = await holdAnswers(page, /\/api\/images$/u);
  await chooseFor("Vase", 200);
  await again.click();
  await expect.poll(() => again.isDisabled()).toBe(true);
  soon();
  await form.getByText("1 item added so far").waitFor();
  expect(await imageOf("Vase")).toMatch(/^\/api\/images\//u);
  await form.getByText("No Image").waitFor();
  await page.unroute(/\/api\/images$/u);

  const late = await holdAnswers(page, /\/api\/images$/u);
  await chooseFor("Bowl", 220);
  await again.click();
  await form.getByText("2 items added so far").waitFor();
  await page.getByText("The photo of Bowl came too late.").waitFor();
  await form.getByRole("button", { name: "Add photo" }).waitFor();
  const came = page.waitForResponse(/\/api\/images$/u);
  late();
  await came;
  await page.unroute(/\/api\/images$/u);
  await name.fill("Cup");
  await form.getByLabel("Barcode 1").fill("CUP-1");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  expect(await imageOf("Bowl")).toBe("");
  expect(await imageOf("Cup")).toBe("");
});

it("the backfill shows what it finds, survives a reload, and is for admins", async () => {
  // An empty list offers it a second time.
  await page.getByRole("button", { name: "Add to Master Inventory" }).first().click();
  const form = page.getByRole("dialog", { name: "Add Item" });
  await form.getByLabel("Item name").fill("Lamp without a picture");
  await form.getByLabel("Barcode 1").fill("LAMP-1");
  await form.getByRole("textbox", { name: /^Link/u }).fill(linkTo(WITHOUT_PICTURE));
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "No image" }).click();
  await page.getByRole("link", { name: "Find pictures" }).click();
  await page.getByText("3 items without a picture, 1 of them").waitFor();
  await showAs(page, "phone", "light");
  const startsAt = async (name: string) =>
    (await page.getByRole("button", { name, exact: true }).boundingBox())?.x;
  await expect
    .poll(async () => Number(await startsAt("Reload")) > Number(await startsAt("Start")))
    .toBe(true);
  await showAs(page, "desktop", "light");
  await page.getByRole("button", { name: "Start" }).click();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toMatch(/^(Pause|Start)/u);
  await page.getByText("Could not extract image from Amazon").waitFor();
  await page.getByRole("button", { name: "Retry: Lamp without a picture" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  expect(await problemsOnBoth(page)).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: "Retry: Lamp without a picture" }).waitFor();
  await page.getByText("1 of 1 item").waitFor();
  const consignor = await shop.signedIn(await shop.visitor(), "avery@store.test");
  await consignor.goto(`${shop.url}/admin/image-backfill`);
  await consignor.waitForURL(/\/dashboard/u);
});

it("no page logged an error", () => {
  expect(shop.pageErrors).toEqual([]);
});
