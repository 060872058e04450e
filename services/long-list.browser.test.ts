// A list that is longer than any screen: only what is in sight is drawn, and everything can be reached and sorted.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openInventoryFloor, type InventoryFloor } from "#testing/inventory-floor.ts";
import { problemsOf } from "#testing/look-at.ts";

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
}, 120_000);

afterAll(() => floor.close());

async function openAll(page: Page): Promise<void> {
  await floor.openInventory("q=lamp", page);
  await page.getByRole("button", { name: "Load more" }).click();
  await page.getByText(`${lamps} items`, { exact: true }).waitFor();
}

describe("a long list", () => {
  it("draws the rows in sight, reaches the last one, and sorts them all", async () => {
    const { page } = floor;
    await openAll(page);
    const table = page.getByRole("table", { name: "Inventory" });
    const rows = table.locator("tbody tr[aria-rowindex]");
    expect(await table.getAttribute("aria-rowcount")).toBe(String(lamps + 1));
    expect(await rows.count()).toBeLessThan(80);
    await table.getByRole("button", { name: "Item Name" }).click();
    await page.evaluate(() => scrollTo(0, 0));
    await table.getByRole("button", { name: lampNumber(1), exact: true }).waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const last = table.getByRole("button", { name: lampNumber(lamps), exact: true });
    await last.waitFor();
    expect(await rows.count()).toBeLessThan(80);
    expect(await rows.last().getAttribute("aria-rowindex")).toBe(String(lamps + 1));
    // The room that undrawn rows take is theirs to the pixel: the list ends where its foot begins.
    const lastBox = await rows.last().boundingBox();
    const tableBox = await table.boundingBox();
    expect((lastBox?.y ?? 0) + (lastBox?.height ?? 0)).toBeCloseTo(
      (tableBox?.y ?? 0) + (tableBox?.height ?? 0),
      0,
    );
  });

  it("draws the cards near the screen on a phone, and every one of them on the way down", async () => {
    const context = await floor.shop.visitor({ width: 360, height: 760 });
    const page = await floor.shop.signIn(context, "admin@store.test");
    await openAll(page);
    const cards = page.getByRole("list", { name: "Inventory" }).locator("li li");
    expect(await problemsOf(page)).toEqual([]);
    const seen = new Set<string>();
    await page.evaluate(() => scrollTo(0, 0));
    await cards.getByRole("button", { name: /^Lamp/ }).first().waitFor();
    for (let screen = 0; screen < 80 && seen.size < lamps; screen += 1) {
      for (const name of await cards
        .getByRole("button", { name: /^Lamp \d+$/ })
        .allTextContents()) {
        seen.add(name);
      }
      await page.evaluate(() => {
        scrollBy(0, innerHeight);
        return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30)));
      });
    }
    expect(seen.size).toBe(lamps);
    expect(await cards.count()).toBeLessThan(lamps / 2);
    await context.close();
  });
});
