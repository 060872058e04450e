// Files and paper of the inventory while the machine is slow: labels whose dialog is closed, and two stock lists chosen quickly.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { InventoryFloor } from "#testing/shop/inventory-floor.ts";
import { openInventoryFloor } from "#testing/shop/inventory-floor.ts";

let floor: InventoryFloor;
let page: Page;

beforeAll(async () => {
  floor = await openInventoryFloor();
  page = floor.page;
});

afterAll(() => floor.close());

/** From now on, preparing labels stops after each item until the page hears "go-on"; and the page counts what it prints. */
function prepareSlowly(): void {
  const { setTimeout: start } = globalThis;
  const clock = performance;
  const now = clock.now.bind(clock);
  const held: (() => void)[] = [];
  let late = 0;
  clock.now = () => {
    late += 1_000;
    return now() + late;
  };
  const hold = (act: () => void, delayMs?: number) => {
    if (delayMs === undefined) {
      held.push(act);
      return 0;
    }
    return start(act, delayMs);
  };
  Object.defineProperty(globalThis, "setTimeout", { value: hold, configurable: true });
  globalThis.addEventListener("go-on", () => {
    Object.defineProperty(globalThis, "setTimeout", { value: start });
    clock.now = now;
    for (const act of held) {
      act();
    }
    // After all of them and what follows from them.
    start(() => {
      document.body.dataset["wentOn"] = "";
    });
  });
  const { dataset } = document.body;
  dataset["printed"] = "0";
  globalThis.print = () => {
    dataset["printed"] = String(Number(dataset["printed"]) + 1);
  };
}

const printed = () => page.evaluate(() => document.body.dataset["printed"]);

it("closing the dialog while labels are prepared prints nothing", async () => {
  await floor.stocked("Labelled lamp");
  await floor.stocked("Labelled vase");
  await floor.openInventory("q=Labelled");
  const bar = await floor.selectAll(2);
  const open = bar.getByRole("button", { name: "Print labels" });
  const dialog = page.getByRole("dialog", { name: "Print labels" });
  const print = dialog.getByRole("button", { name: "Print 6 labels" });
  await open.click();
  await dialog.locator(".label").first().waitFor();
  await page.evaluate(prepareSlowly);
  await print.click();
  await dialog.getByText("Preparing...").waitFor();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await dialog.waitFor({ state: "hidden" });
  await page.evaluate(() => void dispatchEvent(new Event("go-on")));
  await page.locator("body[data-went-on]").waitFor();
  expect(await printed()).toBe("0");

  await open.click();
  await print.click();
  await expect.poll(printed).toBe("1");
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await dialog.waitFor({ state: "hidden" });
  await bar.getByRole("button", { name: "Clear selection" }).click();
});

/** From now on, the file `slow.csv` is read only when the page hears "go-on". */
function readSlowly(): void {
  const files = File.prototype;
  const read = (file: File) => Blob.prototype.arrayBuffer.call(file);
  files.arrayBuffer = async function waiting(this: File) {
    if (this.name === "slow.csv") {
      document.body.dataset["isReading"] = "";
      await new Promise((resolve) => {
        globalThis.addEventListener("go-on", resolve);
      });
    }
    return read(this);
  };
}

it("of two stock lists chosen quickly, the later one stays, also if the first takes longer to read", async () => {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Import CSV" });
  await page.evaluate(readSlowly);
  const choose = (name: string, lines: string) =>
    dialog.getByLabel("CSV file").setInputFiles({
      name,
      mimeType: "text/csv",
      buffer: Buffer.from(`Name,Barcode,Quantity\n${lines}`),
    });
  await choose("slow.csv", "A lamp,M-1,1\nA vase,M-2,1\n");
  await page.locator("body[data-is-reading]").waitFor();
  await choose("quick.csv", "A clock,M-3,1\n");
  await dialog.getByText("quick.csv, 1 line. Check what each column is.").waitFor();
  await page.evaluate(() => void dispatchEvent(new Event("go-on")));
  await dialog.getByRole("button", { name: "Check the lines" }).click();
  await dialog.getByRole("button", { name: "Import 1 line" }).waitFor();
  await dialog.getByText("quick.csv, 1 line", { exact: true }).waitFor();
  expect(floor.shop.pageErrors).toEqual([]);
});
