// Runs with every browser test: when one fails, prints what its pages showed, because the page is gone afterwards.
import { afterEach } from "vitest";
import { watchedPages } from "#testing/browser/watched-pages.ts";

const LONGEST_TEXT = 3000;

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") {
    return;
  }
  for (const page of watchedPages()) {
    const text = await page
      .locator("body")
      .innerText({ timeout: 5000 })
      .catch((error: unknown) => `(no text: ${String(error)})`);
    console.error(
      `Open when "${task.name}" failed: ${page.url()}\n${text.slice(0, LONGEST_TEXT)}\n`,
    );
  }
});
