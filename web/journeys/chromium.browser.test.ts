// Tests that a browser is found, starts, and lays out text (which it cannot do without fonts).
import { expect, test } from "vitest";
import { sharedChromium } from "#testing/browser/chromium.ts";
import { waitUntilStill } from "#testing/browser/look-at.ts";

test("a real browser starts and gives text a height", async () => {
  const page = await (await sharedChromium()).newPage();
  await page.setContent("<p id='text'>Owed to the consignor</p>");
  const box = await page.locator("#text").boundingBox();
  expect(box?.height).toBeGreaterThan(10);
  await page.close();
});

test("a page that never stops loading is named with what it still loads", async () => {
  const page = await (await sharedChromium()).newPage();
  page.setDefaultTimeout(300);
  await page.setContent(
    '<div aria-busy="true"><output>Loading Sales per hour</output><i class="skeleton"></i></div>',
  );
  await expect(waitUntilStill(page)).rejects.toThrow(
    "about:blank is never still: Loading Sales per hour",
  );
  await page.close();
});
