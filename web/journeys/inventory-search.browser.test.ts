// The inventory's search in a real browser: when it searches, what it exports, and links to a consignor's items.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InventoryFloor, openInventoryFloor } from "#testing/shop/inventory-floor.ts";
import { stopClock } from "#testing/browser/page-clock.ts";

let floor: InventoryFloor;

beforeAll(async () => {
  floor = await openInventoryFloor();
});

afterAll(() => floor.close());

describe("the inventory's search", () => {
  it("waits a second after the last key, searches at once on Enter, and exports exactly what it shows", async () => {
    await floor.stocked("Walnut radio", { barcode1: "RAD-1" });
    await floor.stocked("Walnut shelf");
    // In its own browser, because a stopped clock also changes the times of keys.
    const context = await floor.shop.visitor();
    const own = await floor.shop.signIn(context, "admin@store.test");
    await own.clock.install();
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
    await context.close();
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
