// Runs with every browser test: when one fails, its error tells what its pages showed, because the page is gone afterwards.
import { afterEach } from "vitest";
import { watchedPages } from "#testing/browser/watched-pages.ts";

const LONGEST_TEXT = 1500;

afterEach(async ({ task }) => {
  const errors = task.result?.state === "fail" ? (task.result.errors ?? []) : [];
  const [first] = errors;
  if (first === undefined) {
    return;
  }
  for (const page of watchedPages()) {
    const text = await page
      .locator("body")
      .innerText({ timeout: 5000 })
      .catch((error: unknown) => `(no text: ${String(error)})`);
    // In the error, and not beside it: the end of a run lists the errors.
    first.message += `\nOpen at that time: ${page.url()}\n${text.slice(0, LONGEST_TEXT).replaceAll(/\n+/g, " | ")}`;
  }
});
