// Searches in a real browser: when requests are sent while somebody types, what the inventory's file has, and links to a consignor's items.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InventoryFloor, openInventoryFloor } from "#testing/shop/inventory-floor.ts";
import { stopClock } from "#testing/browser/page-clock.ts";
import { visit } from "#testing/browser/visit.ts";

let floor: InventoryFloor;
/** The admin's too, in a browser of its own, because a stopped clock also changes the times of keys. */
let own: Page;

beforeAll(async () => {
  floor = await openInventoryFloor();
  own = await floor.shop.signedIn(await floor.shop.visitor(), "admin@store.test");
  await own.clock.install();
});

afterAll(() => floor.close());

it("names have the room of the column for second barcodes where no listed item has one", async () => {
  await floor.stocked("Teak chair");
  await floor.stocked("Teak desk", { barcode2: "TEAK-2" });
  const { page } = floor;
  await page.setViewportSize({ width: 1280, height: 800 });
  const heading = page.getByRole("columnheader", { name: "Item Name" });
  const widthIn = async (search: string) => {
    await floor.openInventory(`q=${search}`);
    await page.getByText("1 item", { exact: true }).waitFor();
    return (await heading.boundingBox())?.width ?? 0;
  };
  const without = await widthIn("chair");
  expect(without).toBeGreaterThan((await widthIn("desk")) + 25);
  await page.getByRole("columnheader", { name: "Barcode 2" }).waitFor();
});

describe("the inventory's search", () => {
  it("waits a second after the last key, searches at once on Enter, and exports exactly what it shows", async () => {
    await floor.stocked("Walnut radio", { barcode1: "RAD-1" });
    await floor.stocked("Walnut shelf");
    await floor.openInventory("", own);
    const box = own.getByPlaceholder("Search by name, barcode, or title...");
    await stopClock(own);
    await box.pressSequentially("walnut");
    await own.clock.runFor(999);
    expect(own.url()).not.toContain("q=");
    await own.clock.runFor(1);
    await own.waitForURL(/q=walnut/u);
    await own.clock.resume();
    await own.getByText("2 items").waitFor();
    await stopClock(own);
    await box.fill("RAD-1");
    // The list still waits for the next key.
    const [file] = await Promise.all([
      own.waitForEvent("download"),
      own.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("Walnut radio");
    expect(own.url()).not.toContain("q=RAD-1");
    await box.press("Enter");
    await own.waitForURL(/q=RAD-1/u);
    await own.clock.resume();
    await own.getByText("1 item", { exact: true }).waitFor();
  });

  it("keeps its rows where an order of them is refused, and never those of other filters", async () => {
    await floor.stocked("Walnut stool");
    await floor.stocked("Copper kettle");
    const { page } = floor;
    const refused = /\/api\/inventory\/search\?.*sort=quantity/u;
    const message = "Up to 10,000 items can be sorted by quantity";
    await page.route(refused, (route) =>
      route.fulfill({ status: 400, json: { error: "too_many_to_sort", message } }),
    );
    await floor.openInventory("q=walnut+stool");
    const row = page.getByRole("button", { name: "Walnut stool", exact: true });
    await row.waitFor();
    await page.getByRole("columnheader").getByRole("button", { name: "Quantity" }).click();
    await page.getByText(message).waitFor();
    expect(await row.count()).toBe(1);
    const box = page.getByPlaceholder("Search by name, barcode, or title...");
    await box.fill("Copper kettle");
    await box.press("Enter");
    await page.getByText("Error searching items").waitFor();
    await page.getByText(message).waitFor();
    expect(await row.count()).toBe(0);
    await page.unroute(refused);
  });

  it("opens a link to one consignor's items with the consignor's name in its field", async () => {
    await floor.stocked("Avery's chair", { ownerUid: floor.averyUid });
    const { page } = floor;
    await floor.openInventory(`consignor=${floor.averyUid}`);
    await page.getByText("1 item", { exact: true }).waitFor();
    await expect
      .poll(() => page.getByLabel("Consignor", { exact: true }).inputValue())
      .toBe("Avery Stone");
    await page.getByRole("button", { name: "Avery's chair", exact: true }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Open Avery Stone" }).click();
    await page.waitForURL(new RegExp(`/consignors\\?consignor=${floor.averyUid}$`, "u"));
  });
});

describe("other fields that ask while somebody types", () => {
  it("searches for people 300 ms and checks a username 500 ms after the last key, never earlier", async () => {
    const page = own;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    /** Types while the page's clock is stopped. What is requested then is one search, at its exact time. */
    async function questionsAfter(field: Locator, text: string, delayMs: number) {
      const questions = () => asked.filter((url) => url.endsWith(`=${text}`)).length;
      const partial = () => asked.filter((url) => /=(?:ave|zoe)/u.test(url)).length;
      asked.length = 0;
      await stopClock(page);
      await field.pressSequentially(text);
      await page.clock.runFor(delayMs - 1);
      const early = partial();
      await page.clock.runFor(1);
      await expect.poll(questions).toBe(1);
      await page.clock.resume();
      return { early, all: partial() };
    }
    await visit(page, `${floor.shop.url}/consignors`);
    await page.getByRole("button", { name: "More for Avery Stone" }).click();
    await page.getByRole("menuitem", { name: "Record a custom sale" }).click();
    const who = page.getByRole("dialog", { name: "Custom sale" }).getByLabel("Consignor");
    await who.fill("");
    expect(await questionsAfter(who, "avery", 300)).toEqual({ early: 0, all: 1 });
    await visit(page, `${floor.shop.url}/profile`);
    await page.getByRole("button", { name: /the username|a username/u }).click();
    const name = page.getByRole("dialog").getByLabel("Username");
    await name.fill("");
    expect(await questionsAfter(name, "zoe-stone", 500)).toEqual({ early: 0, all: 1 });
  });
});
