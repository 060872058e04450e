// Scans into a mass input, in a real browser: each is one more of its list, whatever has the focus.
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openScanFloor, type ScanFloor } from "#testing/browser/scan-floor.ts";

let scene: ScanFloor;

beforeAll(async () => {
  scene = await openScanFloor();
});

afterAll(() => scene.floor.shop.close());

/** Opens a mass input for Avery. */
async function massInput(): Promise<Locator> {
  const { page } = scene.robin;
  await scene.open(scene.robin, "/admin");
  await page.getByRole("button", { name: "Mass Input" }).first().click();
  const form = page.getByRole("dialog");
  await form.getByRole("combobox", { name: "Consignor" }).fill("avery");
  await page.getByRole("option", { name: /Avery Stone/u }).click();
  return form;
}

it("adds scans to a mass input whatever has the focus, after the last one, and keeps the chosen consignor", async () => {
  const { page, keys } = scene.robin;
  const form = await massInput();
  const consignor = form.getByRole("combobox", { name: "Consignor" });
  await consignor.focus();
  await keys.scan("990000000021");
  await keys.scan("990000000022");
  const codes = form.getByLabel("Barcodes, one per line");
  await expect.poll(() => codes.inputValue()).toBe("990000000021\n990000000022\n");
  await expect.poll(() => consignor.inputValue()).toBe("Avery Stone");
  await form.getByLabel("Item name").fill("Box of tapes");
  await keys.scan("990000000023");
  await form.getByRole("button", { name: "Review" }).focus();
  await keys.scan("990000000024");
  await form.getByText("4 barcodes").waitFor();
  await expect.poll(() => form.getByLabel("Item name").inputValue()).toBe("Box of tapes");
  await form.getByRole("button", { name: "Review" }).click();
  await form.getByText("4 new, 0 known").waitFor();
  await form.getByRole("button", { name: "Remove 990000000024" }).click();
  await form.getByRole("button", { name: "Back to scanning" }).click();
  await form.getByText("3 barcodes").waitFor();
  await keys.scan("990000000025");
  await form.getByText("last 990000000025").waitFor();
  await expect
    .poll(() => codes.inputValue())
    .toBe("990000000021\n990000000022\n990000000023\n990000000025\n");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
});

it("goes on with a mass input in its review, whatever has the focus, and writes no code into a name", async () => {
  const { page, keys } = scene.robin;
  const form = await massInput();
  await form.getByLabel("Item name").fill("Box of shirts");
  await form.getByLabel("Barcodes, one per line").fill("990000000011\n990000000012\n");
  await form.getByRole("button", { name: "Review" }).click();
  await form.getByText("2 new, 0 known").waitFor();
  await keys.scan("990000000013");
  await form.getByLabel("Item name of 990000000013").focus();
  await keys.scan("990000000014");
  await form.getByText("4 new, 0 known").waitFor();
  const taken = page.getByRole("group").filter({ hasText: "Added to the list: 990000000014" });
  await taken.locator("svg.text-credit").waitFor();
  const names = form.getByLabel(/^Item name of/u);
  await expect
    .poll(() => names.evaluateAll((all) => all.map((name) => Reflect.get(name, "value"))))
    .toEqual(Array.from({ length: 4 }, () => "Box of shirts"));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
});

it("logs no errors", () => {
  expect(scene.floor.shop.pageErrors).toEqual([]);
});
