// Scans at the point of sale, in a real browser: a code is a code, whatever the till is asking for.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CODE, openScanFloor, type Desk, type ScanFloor } from "#testing/browser/scan-floor.ts";
import { askedForPriceOf, emptyCart, knows } from "#testing/till/till-hands.ts";

let scene: ScanFloor;
let robin: Desk;

beforeAll(async () => {
  scene = await openScanFloor();
  ({ robin } = scene);
});

afterAll(() => scene.floor.shop.close());

/** A scan at the speed of a cheap Bluetooth scanner. */
const slowly = 50;

async function openTill(): Promise<Page> {
  const { page } = robin;
  await page.goto(`${scene.floor.shop.url}/pos`);
  await page.getByRole("combobox").waitFor();
  await knows(page, CODE, "SHELF-1");
  await page.getByRole("combobox").focus();
  return page;
}

it("does not read a slow scanner's code as price, quantity or cash, even after typed text", async () => {
  await scene.floor.stocked("Till lamp", { barcode1: "9781234567897", quantity: 9 });
  const page = await openTill();
  const { keys } = robin;
  await knows(page, "9781234567897");
  const events = await scene.logLength();
  await keys.scan(CODE, slowly);
  await askedForPriceOf(page, "Film camera");
  await keys.type("12");
  await keys.scan("9781234567897", slowly);
  await page.getByRole("alert").getByText("12 was not entered: press Enter before you").waitFor();
  await page.getByRole("button", { name: "Price?, Till lamp" }).waitFor();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("posCart")))
    .not.toMatch(/"unitPriceCents":\d/u);
  for (const [name, price] of [
    ["Film camera", "12.50"],
    ["Till lamp", "7.25"],
  ] as const) {
    await page.getByRole("button", { name: `Price?, ${name}` }).click();
    await askedForPriceOf(page, name);
    await keys.type("12500", "Enter");
    await page
      .getByText("$12,500.00 is more than $10,000.00. Enter it again to keep it.")
      .waitFor();
    await keys.type(price, "Enter");
  }
  await page.getByRole("button", { name: "1 of Till lamp" }).click();
  await page.getByRole("combobox", { name: "Quantity of Till lamp" }).waitFor();
  await keys.scan("9781234567897", slowly);
  await page.getByRole("button", { name: "2 of Till lamp" }).waitFor();
  await page.getByRole("button", { name: "Pay $27.00" }).click();
  await page.getByRole("combobox", { name: "Cash received" }).waitFor();
  await keys.scan(CODE, slowly);
  await page.getByRole("button", { name: "2 of Film camera" }).waitFor();
  await expect.poll(() => page.getByText("Sale complete").count()).toBe(0);
  await expect.poll(() => scene.logLength()).toBe(events);
  await page.getByRole("button", { name: "Park", exact: true }).click();
  await page.getByText("Cart is empty").waitFor();
});

it("does not answer a price question with the second key of a scanner that ends its codes with two", async () => {
  const page = await openTill();
  const { keys } = robin;
  await keys.scan(CODE);
  await askedForPriceOf(page, "Film camera");
  await keys.scan("SHELF-1", 8, "Enter", "Enter");
  await page.getByText("2 units").waitFor();
  await page.getByRole("button", { name: "Price?, Film camera" }).waitFor();
  await expect.poll(() => page.getByRole("alert").count()).toBe(0);
});

it("picks no item by Enter for a short number, which may be meant as a price, before an arrow has chosen one", async () => {
  const page = await openTill();
  const { keys } = robin;
  const options = page.getByRole("listbox", { name: "Items found" }).getByRole("option");
  await page.getByRole("button", { name: "Park", exact: true }).click();
  await keys.type("235");
  await options.first().waitFor();
  await expect.poll(() => page.getByRole("option", { selected: true }).count()).toBe(0);
  await keys.press("Enter");
  await page.getByRole("alert").getByText("No item has the barcode 235").waitFor();
  await keys.type("235");
  await options.first().waitFor();
  await page.keyboard.press("F9");
  await page.getByRole("alert").getByText("235 was not entered: press Enter").waitFor();
  await keys.strokes(["ArrowDown"], []);
  await page.getByRole("option", { selected: true }).waitFor();
  await keys.press("Enter");
  await askedForPriceOf(page, "Film camera");
});

it("asks once more about cash with a hundred-dollar note too many, and a scan does not answer", async () => {
  const page = await openTill();
  const { keys } = robin;
  const cash = page.getByRole("combobox", { name: "Cash received" });
  const complete = page.getByText("Change to give");
  const asked = (change: string) => page.getByRole("alert").getByText(`${change} in change. Is it`);
  const pay = async () => {
    await keys.scan("SHELF-1");
    await askedForPriceOf(page, "Pine shelf");
    await keys.type("36");
    await page.keyboard.press("F9");
    await page.getByRole("button", { name: "Exact cash" }).waitFor();
    await page.getByRole("heading", { name: "Cart 1 unit", exact: true }).waitFor();
  };
  await emptyCart(page);
  await pay();
  const events = await scene.logLength();
  // A slow scanner's five digits, whose code ends with two keys, twice.
  for (const code of ["12345", "12345"]) {
    await keys.scan(code, 45, "Enter", "Enter");
    await asked("$12,309.00").waitFor();
  }
  await page.getByRole("button", { name: "Yes, cash $12,345.00" }).waitFor();
  await keys.type("4");
  await page.getByRole("button", { name: "Cash $4.00" }).waitFor();
  await asked("$12,309.00").waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");
  await keys.type("636", "Enter");
  await asked("$600.00").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Exact cash" }).waitFor();
  await cash.waitFor();
  expect(await complete.count()).toBe(0);
  expect(await scene.logLength()).toBe(events);

  await keys.type("636", "Enter");
  await asked("$600.00").waitFor();
  await page.locator("[aria-disabled]", { hasText: "Yes, cash" }).waitFor({ state: "hidden" });
  await keys.press("Enter");
  await complete.waitFor();

  await pay();
  await keys.type("300");
  await page.getByRole("button", { name: "Cash $300.00" }).click();
  await asked("$264.00").waitFor();
  await page.locator("[aria-disabled]", { hasText: "Yes, cash" }).waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Yes, cash $300.00" }).click();
  await page.getByText("$264.00").first().waitFor();
  await expect.poll(() => scene.logLength()).toBe(events + 2);
});
