// Tests that a browser is found, starts, and lays out text (which it cannot do without fonts).
import { expect, test } from "vitest";
import { sharedChromium } from "#testing/browser/chromium.ts";

test("a real browser starts and gives text a height", async () => {
  const page = await (await sharedChromium()).newPage();
  await page.setContent("<p id='text'>Owed to the consignor</p>");
  const box = await page.locator("#text").boundingBox();
  expect(box?.height).toBeGreaterThan(10);
  await page.close();
});
