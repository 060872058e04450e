// Puts the focus anywhere on a page, for tests in which scans arrive at random moments.
import type { Page } from "playwright-core";

/** Focuses something that can have the focus: in the topmost dialog, if there is one. */
export async function focusSomething(page: Page, roll: number): Promise<void> {
  await page.evaluate((part) => {
    const frame =
      Array.from(document.querySelectorAll("[role=dialog], [role=alertdialog], [role=menu]")).at(
        -1,
      ) ?? document.querySelector("#root");
    const all = Array.from(
      frame?.querySelectorAll<HTMLElement>(
        "a[href], button, input, select, textarea, [tabindex]",
      ) ?? [],
    ).filter((one) => one.checkVisibility());
    all[Math.floor(part * all.length)]?.focus();
  }, roll);
}
