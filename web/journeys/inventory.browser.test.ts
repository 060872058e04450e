// An admin's work with the inventory in a real browser: bulk actions, a spreadsheet import, labels, scans, two admins.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemsOf, showAs } from "#testing/browser/look-at.ts";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { type InventoryFloor, openInventoryFloor, scan } from "#testing/shop/inventory-floor.ts";
import { chooseSheet } from "#testing/browser/stock-sheet.ts";
import { sized } from "#testing/trial/size.ts";

let floor: InventoryFloor;
let page: Page;

beforeAll(async () => {
  floor = await openInventoryFloor();
  ({ page } = floor);
});

afterAll(() => floor.close());

describe("many items at once", () => {
  it("moves each with its own event, and names the one that could not be moved", async () => {
    const ids = await Promise.all(
      ["Bulk lamp", "Bulk vase", "Bulk mug"].map((name) => floor.stocked(name)),
    );
    await floor.openInventory("q=Bulk");
    const bar = await floor.selectAll(3);
    await bar.getByRole("button", { name: "Set location" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Location").fill("B-09");
    const [, vase = ""] = ids;
    await floor.deleteItem(vase);
    await form.getByRole("button", { name: "Move 3 items" }).click();
    await form.getByText("2 done, 1 failed or not started").waitFor();
    await form.getByRole("row", { name: /Bulk vase.*This item was deleted/u }).waitFor();
    await form.getByRole("button", { name: "Close", exact: true }).last().click();
    await page.getByRole("cell", { name: "B-09" }).nth(1).waitFor();
    await expect.poll(() => floor.eventsOf("ItemEdited", ids)).toBe(2);
  });

  it("gives all units of the store's items to a consignor", async () => {
    await floor.stocked("Given lamp", { quantity: 4 });
    await floor.stocked("Given vase", { quantity: 2 });
    await floor.openInventory("q=Given&filter=master");
    const bar = await floor.selectAll(2);
    await bar.getByText("6 units").waitFor();
    await bar.getByRole("button", { name: "Add to Consignor" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "Add 2 items" }).click();
    await form.getByText("Please enter a user email or username").waitFor();
    await form.getByLabel("Consignor", { exact: true }).fill("avery");
    await page.getByRole("option", { name: /Avery Stone/u }).click();
    await form.getByRole("button", { name: "Add 2 items" }).click();
    await form.waitFor({ state: "hidden" });
    await floor.openInventory(`q=Given&consignor=${floor.averyUid}`);
    const units = (name: RegExp) => page.getByRole("row", { name }).getByRole("cell").nth(5);
    await expect.poll(() => units(/Given lamp/u).innerText()).toBe("4");
    await expect.poll(() => units(/Given vase/u).innerText()).toBe("2");
  });

  it("deletes them after a confirmation, and Undo brings all of them back", async () => {
    const ids = await Promise.all(["Gone lamp", "Gone vase"].map((name) => floor.stocked(name)));
    await floor.openInventory("q=Gone");
    const bar = await floor.selectAll(2);
    await bar.getByRole("button", { name: "More for the selected items" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "Delete 2 items" }).click();
    await form.getByText("Please select a reason").waitFor();
    await form.getByLabel("Reason").selectOption("Donated");
    await form.getByRole("button", { name: "Delete 2 items" }).click();
    await page.getByText("No items found").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("2 items restored").waitFor();
    await page.getByText("2 items", { exact: true }).waitFor();
    await expect.poll(() => floor.eventsOf("ItemArchived", ids)).toBe(2);
    await expect.poll(() => floor.eventsOf("ItemRestored", ids)).toBe(2);
  });

  it("marks them down together, says what is left out, and Undo gives each its price back", async () => {
    const ids = await Promise.all([
      floor.stocked("Priced lamp", { tagPriceCents: 2000 }),
      floor.stocked("Priced rug", { tagPriceCents: 9999 }),
      floor.stocked("Priced vase"),
    ]);
    await floor.openInventory("q=Priced");
    const bar = await floor.selectAll(3);
    await bar.getByRole("button", { name: "Change prices" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Percent off").last().fill("25");
    await form.getByRole("row", { name: /Priced lamp .* \$20\.00 becomes \$15\.00/u }).waitFor();
    await form.getByText("Left out: 1 item without a tag price.").waitFor();
    await form.getByRole("button", { name: "Change 2 prices" }).click();
    await page.getByText("2 tag prices changed").waitFor();
    await page.getByRole("button", { name: "Undo" }).last().click();
    await expect.poll(() => floor.eventsOf("ItemPriced", ids)).toBe(4);
    await page.getByRole("button", { name: "Priced rug", exact: true }).click();
    await page.getByText("Marked down by 25%: $99.99 to $74.99").waitFor();
    await page.getByText("Tag price changed: $74.99 to $99.99").waitFor();
  });

  it("takes units out of one with a reason that its history tells", async () => {
    const id = await floor.stocked("Broken mug", { ownerUid: floor.averyUid });
    await floor.openInventory(`item=${id}`);
    const drawer = page.getByRole("dialog", { name: "Broken mug" });
    await drawer.getByRole("button", { name: "More for Broken mug" }).click();
    await page.getByRole("menuitem", { name: "Remove units" }).click();
    const form = page.getByRole("dialog", { name: "Remove units" });
    await form.getByLabel("Units").fill("2");
    await form.getByLabel("Reason").selectOption("Returned to consignor");
    await form.getByRole("button", { name: "Remove 2 units" }).click();
    await page.getByText("Removed 2 units of Broken mug, 1 left").waitFor();
    await drawer.getByText("Removed 2 units (returned to consignor)").waitFor();
    expect(await floor.eventsOf("UnitsRemoved", [id])).toBe(1);
  });
});

describe("the focus", () => {
  it("goes to the next row when one is deleted, stays there after Undo, and ends at the heading", async () => {
    await Promise.all(
      ["Focus lamp", "Focus vase"].map((name) => floor.stocked(name, { quantity: 0 })),
    );
    await floor.openInventory("q=Focus");
    const focused = () =>
      page.evaluate(() => document.activeElement?.textContent?.replace("No Image", ""));
    const remove = async (name: string) => {
      await page.getByRole("button", { name: `More for ${name}` }).press("Enter");
      await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
    };
    await page.getByRole("button", { name: "Item Name" }).click();
    await remove("Focus lamp");
    await expect.poll(focused).toBe("Focus vase");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(focused).toBe("Focus vase");
    await page.getByText("2 items", { exact: true }).waitFor();
    await remove("Focus lamp");
    await expect.poll(focused).toBe("Focus vase");
    await remove("Focus vase");
    await expect.poll(focused).toBe("Inventory");
  });
});

describe("the item form", () => {
  it("warns about a barcode that already exists, keeps the location for the next item, and fills in what is known", async () => {
    await floor.stocked("Kept clock", { barcode1: "CLK-1" });
    const bell = { barcode1: "CLK-3", ownerUid: floor.averyUid, listingTitle: "Brass bell" };
    await floor.stocked("Kept bell", bell);
    await floor.openInventory("q=Kept");
    await page.getByRole("button", { name: "Add to Master Inventory" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Item name").fill("Kept watch");
    await form.getByLabel("Location").fill("C-03");
    await form.getByLabel("Barcode 1").fill("CLK-1");
    await form.getByText("“Kept clock” (3 units) already has this barcode.").waitFor();
    await form.getByRole("button", { name: "Open it" }).click();
    await page.getByRole("button", { name: "Keep editing" }).click();
    await form.getByLabel("Barcode 1").fill("CLK-2");
    await form.getByRole("button", { name: "Save & add another" }).click();
    await form.getByText("1 item added so far").waitFor();
    await expect.poll(() => form.getByLabel("Location").inputValue()).toBe("C-03");
    await expect.poll(() => form.getByLabel("Item name").inputValue()).toBe("");
    // The barcode comes first, and another item with it tells the rest.
    await page.keyboard.type("CLK-3");
    await form.getByText("Filled in from another item with this barcode").waitFor();
    await expect.poll(() => form.getByLabel("Item name").inputValue()).toBe("Kept bell");
    await expect.poll(() => form.getByLabel("Listing title").inputValue()).toBe("Brass bell");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await form.waitFor({ state: "hidden" });
    await page.getByText("4 items", { exact: true }).waitFor();
  });

  it("shows the second of two admins what the first one changed, and loses neither's changes", async () => {
    const id = await floor.stocked("Shared desk");
    for (const admin of [page, floor.rival]) {
      await floor.openInventory(`item=${id}`, admin);
      await admin.getByRole("dialog").getByRole("button", { name: "More for Shared desk" }).click();
      await admin.getByRole("menuitem", { name: "Edit" }).click();
      await admin.getByRole("heading", { name: "Edit Item" }).waitFor();
    }
    const formOf = (admin: Page) => admin.getByRole("dialog").filter({ hasText: "Edit Item" });
    const [first, second] = [formOf(page), formOf(floor.rival)];
    await first.getByLabel("Item name").fill("Shared oak desk");
    await first.getByLabel("Location").fill("D-01");
    await first.getByRole("button", { name: "Save", exact: true }).click();
    await first.waitFor({ state: "hidden" });

    await second.getByLabel("Item name").fill("Shared pine desk");
    await second.getByLabel("Barcode 2").fill("PINE");
    await second.getByRole("button", { name: "Save", exact: true }).click();
    const changed = second.getByRole("alert", { name: "Changed since you opened this" });
    await changed.getByText("Use theirs: Shared oak desk").waitFor();
    await changed.getByText("Keep yours: Shared pine desk").waitFor();
    await changed.getByText("Use theirs: D-01").waitFor();
    await second.getByRole("button", { name: "Save", exact: true }).click();
    await second.waitFor({ state: "hidden" });
    await floor.openInventory(`q=Shared`, floor.rival);
    const row = floor.rival.getByRole("row", { name: /Shared/u });
    await expect.poll(() => row.innerText()).toMatch(/Shared pine desk[^]*PINE[^]*D-01/u);
  });
});

describe("mass input", () => {
  it("loses none of many codes scanned at 20 per second, and takes a name per new code", async () => {
    const scanned = sized(24, 200);
    const different = sized(12, 40);
    await floor.stocked("Known thing", { barcode1: "SCAN-001", ownerUid: floor.averyUid });
    await floor.openInventory("");
    await page.getByRole("button", { name: "Mass Input" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Consignor", { exact: true }).fill("avery");
    await page.getByRole("option", { name: /Avery Stone/u }).click();
    await form.getByLabel("Item name").fill("Scanned thing");
    await form.getByLabel("Barcodes, one per line").click();
    await scan(
      page,
      Array.from(
        { length: scanned },
        (_, index) => `SCAN-${String(index % different).padStart(3, "0")}`,
      ),
    );
    await form.getByText(`${scanned} barcodes`).waitFor();
    await form.getByText(`${different} different items`).waitFor();
    await form.getByRole("button", { name: "Review" }).click();
    await form.getByText(`${different - 1} new, 1 known`).waitFor();
    await form.getByRole("row", { name: /Known thing Known \+\d/u }).waitFor();
    expect(await problemsOf(page)).toEqual([]);
    // The last line is below the fold of the dialog.
    await form.getByLabel(`Item name of SCAN-0${different - 1}`).fill("   ");
    await form.getByRole("button", { name: `Save ${scanned} units` }).click();
    const missing = form.getByRole("textbox", { description: "Please enter an item name" });
    await missing.and(page.locator(":focus")).fill("Thing of its own");
    await form.getByRole("button", { name: `Save ${scanned} units` }).click();
    await page
      .getByText(`${scanned} units added to ${different} items (${different - 1} new)`)
      .waitFor();
    const rows = () => floor.shop.store.sql<{ units: number; names: string[] }[]>`
      select sum(quantity)::int - 3 as units, array_agg(distinct item_name order by item_name) as names
      from read.inventory_items where barcode1 like 'SCAN-%'`;
    await expect
      .poll(async () => [...(await rows())])
      .toEqual([{ units: scanned, names: ["Known thing", "Scanned thing", "Thing of its own"] }]);
  });
});

describe("a list from a spreadsheet", () => {
  it("says line by line what it would do, then does it, and does nothing the second time", async () => {
    await floor.openInventory("q=Imported");
    const dialog = await chooseSheet(page);
    await dialog.getByText("Refused: 2 lines").waitFor();
    await dialog.getByRole("row", { name: /4 Imported mug CSV-3 many The quantity/u }).waitFor();
    await dialog.getByRole("row", { name: /5 .* Nobody has the email or username/u }).waitFor();
    await expect.poll(() => floor.eventsOf("ItemAdded", [])).toBe(0);
    await page.getByText("No items found").waitFor();
    const [refused] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save them as CSV" }).click(),
    ]);
    expect(await readFile(await refused.path(), "utf8")).toMatch(
      /^\uFEFFArtikel,.*\nCSV-3,Imported mug,many/u,
    );

    await dialog.getByRole("button", { name: "Import 3 lines" }).click();
    await dialog.getByText("3 lines imported.").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("2 items", { exact: true }).waitFor();
    await page
      .getByRole("row", { name: /Imported lamp/u })
      .getByRole("cell", { name: "5", exact: true })
      .waitFor();

    const again = await chooseSheet(page);
    await again.getByText("3 lines were imported earlier from this file").waitFor();
    await expect
      .poll(() => again.getByRole("button", { name: "Import 0 lines" }).isDisabled())
      .toBe(true);
    await again.getByRole("button", { name: "Close" }).click();
  });
});

describe("labels", () => {
  it("are printed for each unit in stock, at the sheet's positions, and a scanner reads them", async () => {
    const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
    const wasmBinary = new Uint8Array(await readFile(wasm)).buffer;
    prepareZXingModule({ overrides: { wasmBinary } });
    await floor.stocked("Labelled lamp", { barcode1: "LBL-0001", quantity: 31 });
    await floor.stocked("Labelled book", { barcode1: "Ein längerer Code — für QR", quantity: 1 });
    await floor.openInventory("q=Labelled");
    const bar = await floor.selectAll(2);
    await bar.getByRole("button", { name: "Print labels" }).click();
    const dialog = page.getByRole("dialog", { name: "Print labels" });
    await dialog.getByText("2 items, 32 labels on 2 sheets").waitFor();
    await dialog.getByRole("button", { name: "Print 32 labels" }).click();
    const printed = page.locator(".label-print .label");
    await printed.nth(31).waitFor({ state: "attached" });

    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => {
      document.querySelector<HTMLElement>(".label-print")?.style.setProperty("zoom", "3");
    });
    for (const code of ["LBL-0001", "Ein längerer Code — für QR"]) {
      const face = printed.filter({ hasText: code }).first();
      const readFace = async () => {
        const [read] = await readBarcodes(new Uint8Array(await face.screenshot()));
        return read?.text;
      };
      await expect.poll(readFace).toBe(code);
    }
    await page.evaluate(() => {
      document.querySelector<HTMLElement>(".label-print")?.style.removeProperty("zoom");
    });
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b/gu)).toHaveLength(2);
    expect(pdf).toMatch(/\/MediaBox \[0 0 61[12][.\d]* 79[12][.\d]*\]/u);
    await page.emulateMedia({ media: null });
    await dialog.getByLabel("Paper").selectOption({ label: "Roll, 62 mm wide (62 × 29 mm)" });
    await dialog.getByText("2 items, 32 labels", { exact: true }).waitFor();
  });
});

describe("every state of the screen", () => {
  beforeAll(() => Promise.all(["State lamp", "State vase"].map((name) => floor.stocked(name))));

  it.each([
    [1280, "light", 4],
    [360, "dark", 1],
  ] as const)("has no axe violations at %i px, %s", async (width, theme, inBar) => {
    await showAs(page, width === 360 ? "phone" : "desktop", theme);
    await floor.openInventory("q=State");
    for (const name of ["Select State lamp", "Select State vase"]) {
      await page.getByRole("checkbox", { name }).click();
    }
    const bar = page.getByRole("region", { name: "Selected rows" });
    await bar.waitFor();
    expect(await problemsOf(page)).toEqual([]);
    const viaMenu = async (name: string) => {
      await bar.getByRole("button", { name: "More for the selected items" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    const names = ["Set location", "Add to Consignor", "Print labels", "Change prices", "Delete"];
    const acts = names.map((name, index) =>
      index < inBar
        ? () => bar.getByRole("button", { name, exact: true }).click()
        : () => viaMenu(name),
    );
    // At the small size, one half of the dialogs is looked at on a desktop and the other on a phone.
    const half = acts.filter((_, index) => index % 2 === (width === 360 ? 0 : 1));
    for (const act of sized(half, acts)) {
      await act();
      await page.getByRole("dialog").waitFor();
      expect(await problemsOf(page)).toEqual([]);
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    }
    await bar.getByRole("button", { name: "Clear selection" }).click();
    await page.getByRole("button", { name: width === 360 ? "Add" : "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Import CSV" }).click();
    const dialog = page.getByRole("dialog", { name: "Import CSV" });
    await dialog.getByLabel("CSV file").setInputFiles({
      name: "more.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("Name,Barcode,Quantity\nA lamp,M-1,1\nA vase,M-2,x\n"),
    });
    await dialog.getByLabel("Column for Barcode 1").waitFor();
    expect(sized(width === 360, true) ? await problemsOf(page) : []).toEqual([]);
    await dialog.getByRole("button", { name: "Check the lines" }).click();
    await dialog.getByText("Refused: 1 line").waitFor();
    expect(sized(width === 1280, true) ? await problemsOf(page) : []).toEqual([]);
  });

  it("logs no errors except the refusals under test", () => {
    // An item that was just deleted may be read once more before the screen hears of it.
    const refusals = /409|status of 404 .*\/api\/inventory\//u;
    expect(floor.shop.pageErrors.filter((error) => !refusals.test(error))).toEqual([]);
  });
});
