// Scans into the words of a form about money, in a real browser: a reason and the name of a sale are never a code.
import { afterAll, beforeAll, expect, it } from "vitest";
import { CODE, openScanFloor, type ScanFloor } from "#testing/browser/scan-floor.ts";

let scene: ScanFloor;

beforeAll(async () => {
  scene = await openScanFloor();
});

afterAll(() => scene.floor.shop.close());

it.each([
  ["Edit sale", ["Item name", "Reason"]],
  ["Refund sale", ["Reason"]],
])(
  "%s has its words as they were after a scan, and nothing invites to save the code",
  async (act, labels) => {
    const { page, keys } = scene.robin;
    await scene.open(scene.robin, "/admin/sales?q=Film&order=asc");
    await page.getByRole("row").getByRole("button", { name: "Film camera" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: act }).click();
    const form = page.getByRole("dialog", { name: act });
    for (const label of labels) {
      const field = form.getByLabel(label);
      const before = await field.inputValue();
      await field.focus();
      await keys.scan(CODE);
      await page.getByText(`Scan ignored here: ${CODE}`).first().waitFor();
      await expect.poll(() => field.inputValue()).toBe(before);
      // A quick hand's spaces are no part of a code.
      await keys.type("by hand");
      await expect.poll(() => field.inputValue()).toBe(`${before}by hand`);
    }
  },
);

it("logs no errors", () => {
  expect(scene.floor.shop.pageErrors).toEqual([]);
});
