// The clock of a browser's pages, stopped by a test: while it stands, no delay of the page passes, however slow the machine is.
import type { Page } from "playwright-core";

/**
 * Stops the clock of this page and of all others of its browser; `page.clock.resume()` lets it go on. The page was
 * opened after `page.clock.install()`.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(new Date(await page.evaluate(() => Date.now() + 5_000)));
}
