// Runs with every browser test: when one fails, prints what its pages showed, because the page is gone afterwards.
import type { Page } from "playwright-core";
import { afterEach } from "vitest";

const watched = new Set<Page>();
const LONGEST_TEXT = 3000;

/** Prints this page if a test fails while it is open. */
export function watchPage(page: Page): void {
  watched.add(page);
  page.on("close", () => watched.delete(page));
}

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") {
    return;
  }
  for (const page of watched) {
    const text = await page
      .locator("body")
      .innerText({ timeout: 5000 })
      .catch((error: unknown) => `(no text: ${String(error)})`);
    console.error(
      `Open when "${task.name}" failed: ${page.url()}\n${text.slice(0, LONGEST_TEXT)}\n`,
    );
  }
});
