// Stops the clock of a browser's pages, so that none of their delays pass, however slow the machine is.
import type { Page } from "playwright-core";

/**
 * Stops the clock of this page and of all others of its browser; `page.clock.resume()` starts it again. The page must
 * have been opened after `page.clock.install()`.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(new Date(await page.evaluate(() => Date.now() + 5_000)));
}
