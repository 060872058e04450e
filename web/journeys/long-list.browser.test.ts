// Lists that are longer or wider than the screen: every row can be reached and sorted, and nothing overflows.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { requestPayout } from "#features/payouts/decider.ts";
import { recordCustomSale, recordSale } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import { openInventoryFloor, type InventoryFloor } from "#testing/shop/inventory-floor.ts";
import { cutAmounts, cutNames, highCards, sticksOut } from "#testing/browser/cut-off.ts";
import { firstRow, waitUntilStill } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";

const lamps = 190;
const lampNumber = (number: number) => `Lamp ${String(number).padStart(3, "0")}`;

let floor: InventoryFloor;

beforeAll(async () => {
  floor = await openInventoryFloor();
  // Not in the order of their names.
  await Promise.all(
    Array.from({ length: lamps }, (_, index) =>
      floor.stocked(lampNumber(1 + ((index * 77) % lamps))),
    ),
  );
}, 240_000);

afterAll(() => floor.close());

afterEach(() => floor.page.setViewportSize({ width: 1280, height: 900 }));

async function openAll(page: Page): Promise<void> {
  await floor.openInventory("q=lamp", page);
  await page.getByRole("button", { name: "Load more" }).click();
  await page.getByText(`${lamps} items`, { exact: true }).waitFor();
}

describe("a long list", () => {
  it("draws the visible rows, reaches the last one, and sorts all of them", async () => {
    const { page } = floor;
    await openAll(page);
    const table = page.getByRole("table", { name: "Inventory" });
    const rows = table.locator("tbody tr[aria-rowindex]");
    await expect.poll(() => table.getAttribute("aria-rowcount")).toBe(String(lamps + 1));
    await expect.poll(() => rows.count()).toBeLessThan(80);
    await table.getByRole("button", { name: "Item Name" }).click();
    await page.evaluate(() => scrollTo(0, 0));
    await table.getByRole("button", { name: lampNumber(1), exact: true }).waitFor();
    // Another order is another list, which starts at its first page.
    await page.getByRole("button", { name: "Load more" }).click();
    await page.getByText(`${lamps} items`, { exact: true }).waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const last = table.getByRole("button", { name: lampNumber(lamps), exact: true });
    await last.waitFor();
    await expect.poll(() => rows.count()).toBeLessThan(80);
    await expect.poll(() => rows.last().getAttribute("aria-rowindex")).toBe(String(lamps + 1));
    // The space for rows that are not drawn is exact to the pixel: the list ends where its footer starts.
    const roomBelowLast = () =>
      table.evaluate((whole) => {
        const drawn = whole.querySelectorAll("tbody tr[aria-rowindex]");
        const last = drawn.item(drawn.length - 1).getBoundingClientRect();
        return whole.getBoundingClientRect().bottom - last.bottom;
      });
    await expect.poll(roomBelowLast).toBeCloseTo(0, 0);
  });

  it("has the server sort the whole list, and keeps the order in the address", async () => {
    const { page } = floor;
    const table = page.getByRole("table", { name: "Inventory" });
    const first = table.locator("tbody tr").first();
    // In other letters, because the list keeps how much of it was loaded before.
    await floor.openInventory("q=Lamp", page);
    await page.getByText(`50 of ${lamps} items`, { exact: true }).waitFor();
    const heading = table.getByRole("button", { name: "Item Name" });
    await heading.click();
    await first.getByText(lampNumber(1), { exact: true }).waitFor();
    await heading.click();
    // The last of all by name, which was not among the fifty loaded rows.
    await first.getByText(lampNumber(lamps), { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?q=Lamp&sort=itemName&order=desc");
    const column = table.getByRole("columnheader", { name: "Item Name" });
    await expect.poll(() => column.getAttribute("aria-sort")).toBe("descending");
    await page.reload();
    await first.getByText(lampNumber(lamps), { exact: true }).waitFor();
    await heading.click();
    await expect.poll(() => new URL(page.url()).search).toBe("?q=Lamp");
    // A column that the server cannot sort by has no button.
    await expect
      .poll(() => table.getByRole("button", { name: "Link", exact: true }).count())
      .toBe(0);
  });

  it("draws the cards near the screen on a phone, and every card when scrolling down", async () => {
    const { page } = floor;
    await page.setViewportSize({ width: 360, height: 760 });
    await openAll(page);
    const cards = page.getByRole("list", { name: "Inventory" }).locator("li[data-index]");
    const seen = new Set<string>();
    await page.evaluate(() => scrollTo(0, 0));
    await cards.getByRole("button", { name: /^Lamp/ }).first().waitFor();
    // Scrolls half a screen each time that all visible cards are drawn.
    const lookOn = async () => {
      const names = await cards.evaluateAll((drawn) => {
        const end = Math.max(...drawn.map((card) => card.getBoundingClientRect().bottom));
        if (end >= innerHeight) {
          scrollBy(0, innerHeight / 2);
        }
        return drawn.map((card) => /Lamp \d{3}/.exec(card.textContent)?.[0]);
      });
      for (const name of names.filter((one) => one !== undefined)) {
        seen.add(name);
      }
      return seen.size;
    };
    await expect.poll(lookOn, { interval: 20 }).toBe(lamps);
    await expect.poll(() => cards.count()).toBeLessThan(lamps / 2);
  });
});

/** Several codes. */
const runTogether = "9781234567897".repeat(9);

/** A person with a long name, a long code, a refund with four digits, and a request above the remaining balance. */
async function makeWideRows(): Promise<void> {
  const happenedAt = "2026-11-02T10:00:00.000Z";
  const consignorId = await floor.shop.person(
    "bartholomew@featherstonehaugh-consignors.store.test",
    "Bartholomew Featherstonehaugh-Cholmondeley",
    "user",
  );
  const itemId = await floor.stocked("Runaway bureau with a name as long as its drawers are deep", {
    barcode1: runTogether,
    barcode2: `${runTogether}2`,
    location: "The furthest shelf of the long hall behind the shop",
    link: "https://example.com/bureau",
    ownerUid: consignorId,
  });
  const saleId = randomUUID();
  const common = { happenedAt, noteId: null };
  await floor.shop.execute(recordSale, {
    saleId,
    consignorId,
    itemId,
    barcode1: null,
    units: 2,
    priceCents: 1_234_567,
    shippingCents: 4550,
    salesTaxCents: 0,
    taxRateBasisPoints: null,
    consignorPercentage: 50,
    channel: "online",
    happenedAt,
  });
  await floor.shop.execute(refundSale, {
    ...common,
    saleId,
    units: 1,
    amountCents: null,
    restock: true,
    expectedVersion: null,
  });
  // Its amounts are usual ones: its name decides whether a tablet has room for a table.
  await floor.shop.execute(recordCustomSale, {
    saleId: randomUUID(),
    consignorId,
    itemName: "Walnut writing desk with seven drawers",
    amountCents: 234_567,
    happenedAt,
  });
  const handleId = randomUUID();
  await floor.shop.execute(requestPayout, {
    payoutId: randomUUID(),
    consignorId,
    amountCents: 185_000,
    method: "venmo",
    handleId,
    handleHash: "0".repeat(64),
    happenedAt,
  });
  await floor.shop.execute(setBalance, {
    ...common,
    uid: consignorId,
    balanceCents: -234_567,
    expectedCents: null,
  });
}

describe("a wide list", () => {
  beforeAll(makeWideRows);

  it.each([
    ["/admin?q=runaway", "Inventory", "More for Runaway bureau"],
    ["/admin/sales", "Sales", "Runaway bureau"],
    ["/consignors?q=bartholomew", "Consignors", "More for Bartholomew"],
    ["/payout-requests", "Pending payouts", "Delete Bartholomew"],
  ])("fits into a small desktop, %s with the acts in reach", async (path, list, act) => {
    const { page } = floor;
    await visit(page, `${floor.shop.url}${path}`);
    const button = page.getByRole("table", { name: list }).getByRole("button", { name: act });
    await button.waitFor();
    for (const width of [1000, 1024, 1100, 1200, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(async () => [width, await sticksOut(page)]).toEqual([width, 0]);
      const endsAt = async () => {
        const box = await button.boundingBox();
        return (box?.x ?? width) + (box?.width ?? 0);
      };
      await expect.poll(endsAt).toBeLessThan(width);
    }
  });

  it.each([
    ["/admin/sales", "Sales"],
    ["/admin/sales?q=walnut", "Sales"],
    ["/consignors?q=bartholomew", "Consignors"],
    ["/payout-requests", "Pending payouts"],
    ["/admin/reports", "Months"],
    ["/admin/reports?tab=tax", "Sales tax by month"],
  ])("cuts no amount and no name on a tablet, %s", async (path, name) => {
    const { page } = floor;
    await page.setViewportSize({ width: 820, height: 1180 });
    await visit(page, `${floor.shop.url}${path}`);
    for (const width of [820, 768]) {
      await page.setViewportSize({ width, height: 1180 });
      const list = page.getByRole("table", { name }).or(page.getByRole("list", { name }));
      await list
        .getByText(/^−?\$\d/u)
        .first()
        .waitFor();
      await expect
        .poll(async () => [
          width,
          await sticksOut(page),
          await cutAmounts(page),
          await cutNames(page),
        ])
        .toEqual([width, 0, [], []]);
    }
  });

  it("takes three lines of a phone for the longest name, beside its picture, and shows all of a code in the drawer", async () => {
    const { page } = floor;
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await floor.openInventory("q=runaway", page);
      await expect.poll(() => highCards(page, "Inventory", [320, 360, width])).toEqual([]);
      await expect.poll(async () => [width, await sticksOut(page)]).toEqual([width, 0]);
      await page.getByRole("button", { name: /^Runaway bureau/ }).click();
      const drawer = page.getByRole("dialog");
      await drawer.getByText(runTogether, { exact: true }).waitFor();
      await waitUntilStill(page);
      const over = () =>
        drawer.evaluate((box) =>
          [box, ...box.querySelectorAll("*")].reduce(
            (most, part) => Math.max(most, part.getBoundingClientRect().right - innerWidth),
            0,
          ),
        );
      await expect.poll(async () => [width, await over()]).toEqual([width, 0]);
    }
  });
});

it("filters the sales by one consignor, who is kept in the address, and back to all", async () => {
  const { page } = floor;
  await floor.shop.execute(recordCustomSale, {
    saleId: randomUUID(),
    consignorId: floor.averyUid,
    itemName: "Averys cable lot",
    amountCents: 1200,
    happenedAt: "2026-11-03T10:00:00.000Z",
  });
  await visit(page, `${floor.shop.url}/admin/sales`);
  const rows = page.getByRole("table", { name: "Sales" }).locator("tbody tr");
  const bureau = rows.getByRole("button", { name: /^Runaway bureau/ });
  await bureau.waitFor();
  const field = page.getByRole("combobox", { name: "Consignor" });
  await field.fill("avery");
  await page.getByText("Please select a user from the dropdown").waitFor();
  await page.getByRole("option", { name: /Avery Stone/ }).click();
  await bureau.waitFor({ state: "detached" });
  await expect.poll(() => rows.count()).toBe(1);
  await expect.poll(() => new URL(page.url()).searchParams.get("consignor")).toBe(floor.averyUid);
  await page.reload();
  await rows.getByRole("button", { name: "Averys cable lot" }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("Avery Stone");
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await bureau.waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
});

describe("what is in sight without scrolling", () => {
  it("is room for 15 rows of the desk's lists at 1280 × 800, below one row of filters", async () => {
    const { page, shop } = floor;
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const path of ["/admin?q=lamp", "/admin/sales", "/consignors"]) {
      await visit(page, `${shop.url}${path}`);
      const rowsInSight = async () => {
        const { top, height } = await firstRow(page);
        return [path, Math.floor((800 - top) / height) >= 15];
      };
      await expect.poll(rowsInSight).toEqual([path, true]);
    }
    await visit(page, `${shop.url}/admin?q=lamp`);
    // The whole navigation too.
    const navigation = page.getByRole("navigation", { name: "Main" });
    await expect
      .poll(() =>
        navigation.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
      )
      .toBe(0);
    const headings = page.getByRole("table", { name: "Inventory" }).getByRole("columnheader");
    // All columns of the specification.
    await expect
      .poll(async () => (await headings.allInnerTexts()).join(", "))
      .toBe(", Item Name, Barcode 1, Barcode 2, Location, Quantity, Source, Link, Actions");
  });

  it("is the first card of every list on a phone, which can be sorted and filtered", async () => {
    const { page, shop } = floor;
    await page.setViewportSize({ width: 360, height: 740 });
    const consignor = await shop.store.sql<{ uid: string }[]>`
      select uid from identity.profiles where email like 'bartholomew%'`;
    for (const path of [
      "/admin",
      "/admin/sales",
      "/consignors",
      "/payout-requests",
      "/admin/audit",
      "/admin/security",
      `/consignors/${consignor[0]?.uid ?? ""}/history`,
    ]) {
      await visit(page, `${shop.url}${path}`);
      const endOfFirst = async () => {
        const { top, height } = await firstRow(page);
        return [path, top + height < 740];
      };
      await expect.poll(endOfFirst).toEqual([path, true]);
    }
    await visit(page, `${shop.url}/admin?q=lamp`);
    const cards = page.getByRole("list", { name: "Inventory" }).getByRole("listitem");
    // Two lines, with the picture.
    await expect.poll(async () => (await cards.first().boundingBox())?.height).toBeLessThan(70);
    await cards.first().getByText("No Image").waitFor({ state: "attached" });
    await page.getByLabel("Sort by").selectOption("Item Name");
    await expect.poll(() => cards.first().innerText()).toContain(lampNumber(1));
    await page.getByRole("button", { name: "Sorted up: sort down" }).click();
    await expect.poll(() => cards.first().innerText()).toContain(lampNumber(lamps));
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    await page.getByRole("button", { name: "No location" }).click();
    await page.getByRole("button", { name: "Filters (1)", exact: true }).waitFor();
  });

  it("is printed as a whole, without filters", async () => {
    const { page } = floor;
    // Ctrl P loads the pages that are missing, and only then prints.
    await floor.openInventory("q=LAMP", page);
    await page.getByText(`50 of ${lamps} items`, { exact: true }).waitFor();
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute("data-printed", "");
    });
    // A page that is refused is named below the list, which is not printed in part.
    const nextPage = /limit=(?!50&)/u;
    const refusal = { status: 400, json: { error: "refused", message: "Not there" } };
    await page.route(nextPage, (route) => route.fulfill(refusal));
    await page.keyboard.press("Control+p");
    await page.getByText("so it was not printed: Not there").first().waitFor();
    await page.getByRole("alert").getByText("Error loading more: Not there").waitFor();
    expect(await page.locator("[data-printed]").count()).toBe(0);
    await page.unroute(nextPage);
    await page.keyboard.press("Control+p");
    await page.locator("[data-printed]").waitFor();
    await page.getByText(`${lamps} items`, { exact: true }).waitFor();
    const rows = page.getByRole("table", { name: "Inventory" }).locator("tbody tr[data-index]");
    await expect.poll(() => rows.count()).toBeLessThan(80);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await expect.poll(() => rows.count()).toBe(lamps);
    await expect.poll(() => page.getByRole("search").isVisible()).toBe(false);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: null });
    await expect.poll(() => rows.count()).toBeLessThan(80);
  });
});
