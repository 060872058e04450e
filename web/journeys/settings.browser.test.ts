// The store's settings in a real browser: two admins change them at once, and the rest of the app goes by them from then on.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemsOf } from "#testing/browser/look-at.ts";
import { pngOf } from "#testing/service/tiny-images.ts";
import { knows, sell } from "#testing/till/till-hands.ts";
import { openTillStore } from "#testing/till/till-store.ts";
import type { TillStore } from "#testing/till/till-store.ts";
import { visit } from "#testing/browser/visit.ts";

let shop: TillStore;
let robin: Page;

beforeAll(async () => {
  shop = await openTillStore();
  robin = await shop.till();
});

afterAll(() => shop.close());

async function openSettings(page: Page): Promise<void> {
  await visit(page, `${shop.url}/admin/settings`);
  await page.getByRole("button", { name: "Edit rates" }).waitFor();
}

/** On a page at 400 %, nearly all of the window scrolls the form, to its last button. */
async function canScrollToItsEnd(form: Locator): Promise<void> {
  const before = robin.viewportSize() ?? { width: 1280, height: 900 };
  await robin.setViewportSize({ width: 320, height: 256 });
  const room = (field: Element): number => {
    let box: Element | null = field;
    while (box !== null && getComputedStyle(box).overflowY !== "auto") {
      box = box.parentElement;
    }
    return box?.clientHeight ?? 0;
  };
  await expect.poll(() => form.getByLabel("Store name").evaluate(room)).toBeGreaterThan(200);
  const save = form.getByRole("button", { name: "Save details" });
  await robin.mouse.move(160, 128);
  await robin.mouse.wheel(0, 5_000);
  await expect
    .poll(async () => {
      const box = await save.boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    })
    .toBeLessThanOrEqual(256);
  await robin.setViewportSize(before);
}

async function saveRates(page: Page): Promise<void> {
  await page.getByRole("dialog", { name: "Edit rates" }).getByText("Save rates").click();
  await page.getByRole("button", { name: "Change rates" }).click();
}

describe("the store's settings", () => {
  it("name the store on every screen, and say who changed what", async () => {
    await openSettings(robin);
    await robin.getByRole("button", { name: "Edit details" }).click();
    const form = robin.getByRole("dialog", { name: "Edit store details" });
    await form.getByLabel("Store name").fill("Harbor Resale");
    await form.getByLabel("Return policy").fill("Returns within 14 days.");
    await form.getByLabel("Street").fill("12 Pier Road");
    await form.getByText("Save details").click();
    await form.getByText("An address needs street, city, state and ZIP code").waitFor();
    await form.getByLabel("City").fill("Duluth");
    await form.getByLabel("State").fill("MN");
    await form.getByLabel("ZIP code").fill("55802");
    expect(await problemsOf(robin)).toEqual([]);
    await canScrollToItsEnd(form);
    await form.getByText("Save details").click();
    await form.waitFor({ state: "hidden" });
    await robin.getByRole("banner").getByText("Harbor Resale").waitFor();
    await expect.poll(() => robin.title()).toBe("Settings · Harbor Resale");
    const history = robin.getByRole("region", { name: "Store" }).getByRole("list");
    await history.getByText("Store name:").waitFor();

    await robin.getByLabel("Logo file").setInputFiles({
      name: "logo.png",
      mimeType: "image/png",
      buffer: Buffer.from(pngOf(64, 48)),
    });
    const logo = robin.getByRole("img", { name: "The store's logo" });
    await logo.waitFor();
    await expect
      .poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(64);
  });

  it("take another logo after an upload without an answer as another change", async () => {
    await openSettings(robin);
    const keys: (string | undefined)[] = [];
    const calls = /\/api\/settings\/logo$/u;
    await robin.route(calls, async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      await (keys.length === 1 ? route.abort() : route.continue());
    });
    const choose = (name: string, width: number) =>
      robin.getByLabel("Logo file").setInputFiles({
        name,
        mimeType: "image/png",
        buffer: Buffer.from(pngOf(width, 48)),
      });
    await choose("first.png", 80);
    await robin.getByText(/^Error saving the logo/u).waitFor();
    await choose("second.png", 96);
    const logo = robin.getByRole("img", { name: "The store's logo" });
    await expect
      .poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(96);
    await robin.unroute(calls);
    expect(new Set(keys).size).toBe(2);
  });

  it("take a time zone by its newer name, which this browser does not list", async () => {
    await openSettings(robin);
    await robin.getByRole("button", { name: "Edit time zone" }).click();
    const form = robin.getByRole("dialog", { name: "Edit time zone" });
    const newer = form.getByRole("option", { name: "Asia/Kolkata" });
    await newer.waitFor({ state: "attached" });
    const field = form.getByLabel("Time zone");
    await field.selectOption("Asia/Kolkata");
    expect(await field.inputValue()).toBe("Asia/Kolkata");
    await form.getByText(/^It is \d\d:\d\d there now$/u).waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();
    await robin.getByRole("button", { name: "Discard" }).click();
  });

  it("are not overwritten by an admin who has not seen the last change", async () => {
    const rival = await robin.context().newPage();
    for (const page of [rival, robin]) {
      await openSettings(page);
      await page.getByRole("button", { name: "Edit rates" }).click();
    }
    await rival.getByLabel("Default consignor share").fill("55");
    await robin.getByLabel("Tax rate").fill("9");
    await saveRates(rival);
    await rival.getByRole("dialog").waitFor({ state: "hidden" });
    await rival.close();

    await saveRates(robin);
    const news = robin.getByRole("alert").filter({ hasText: "Nothing was saved" });
    await news.getByText("Default consignor share:").waitFor();
    // What nobody typed here is what the other admin saved.
    await expect.poll(() => robin.getByLabel("Default consignor share").inputValue()).toBe("55");
    await saveRates(robin);
    await robin.getByRole("dialog").waitFor({ state: "hidden" });
    const rates = robin.getByRole("region", { name: "Rates" });
    await rates.getByText("Tax rate:").waitFor();
    await rates.getByRole("definition").getByText("9%", { exact: true }).waitFor();
    await rates.getByRole("definition").getByText("55%", { exact: true }).waitFor();
  });

  it("are what the till and the sale form go by, with the share agreed with a consignor", async () => {
    await shop.item(shop.averyUid, "SET-1", 5);
    await visit(robin, `${shop.url}/consignors`);
    await robin.getByRole("button", { name: "Avery", exact: true }).click();
    await robin.getByRole("button", { name: "Change the consignor share" }).click();
    await robin.getByLabel("Agreed share").fill("70");
    await robin.getByRole("button", { name: "Save share" }).click();
    await robin.getByText("70%, agreed").waitFor();

    await visit(robin, `${shop.url}/admin?searchTerm=SET-1`);
    await robin.getByRole("button", { name: "Sold: Item SET-1" }).click();
    await expect.poll(() => robin.getByLabel("Consignor share").inputValue()).toBe("70");

    await visit(robin, `${shop.url}/pos`);
    await knows(robin, "SET-1");
    await robin.getByText("Sales tax 9%, included").waitFor();
    // The till does not know of this yet: what it charges is booked, and marked.
    await shop.call("PUT", "/settings/rates", {
      taxRateBasisPoints: 1000,
      defaultConsignorPercentage: 55,
      tradeCommissionPercentage: 10,
      tradeShippingFee: 4,
    });
    await sell(robin, "SET-1", "10.90");
    const receipt = robin.getByRole("region", { name: "The last sale" });
    await receipt.getByText("Harbor Resale").waitFor();
    await receipt.getByText("Returns within 14 days.").waitFor();
    await receipt.getByText("Sales tax 9%, included").waitFor();
    await expect
      .poll(async () => {
        const [sale] = await shop.store.sql<{ data: Record<string, unknown> }[]>`
          select data from log.events where type = 'SaleRecorded' order by position desc limit 1`;
        return sale?.data;
      })
      .toMatchObject({
        priceCents: 1000,
        salesTaxCents: 90,
        taxRate: { basisPoints: 900, outdated: true },
        consignorPercentage: 70,
        payoutCents: 700,
      });
  });
});

it("a screen says since when the server has not answered, until it does again", async () => {
  await visit(robin, `${shop.url}/consignors`);
  const fresh = robin.getByText(/^Up to date as of /u);
  await fresh.waitFor();
  await shop.stopServer();
  const bar = robin.getByText(/^The server has not answered since /u);
  await bar.waitFor();
  await fresh.waitFor({ state: "hidden" });
  await shop.startServer();
  await fresh.waitFor();
  await expect.poll(() => bar.count()).toBe(0);
});
