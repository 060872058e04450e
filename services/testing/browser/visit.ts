// Opens a screen in a page that already shows another one: by its router, which takes a fifth of the time of a page load.
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { slowActionsMs } from "#testing/browser/pace.ts";

/**
 * Shows the screen at this address and waits for its heading. The old screen and its toasts are gone by then, with what
 * was typed there; what the app has read stays. Where a test needs a new start, it loads the page, also for an address
 * without a screen.
 */
export async function visit(page: Page, url: string): Promise<void> {
  const { origin, href } = new URL(url);
  const isOpen = page.url().startsWith(`${origin}/`);
  if (!isOpen || !(await page.evaluate(move, href))) {
    await page.goto(href);
    // Attached only: a drawer that the address opens covers it.
    await page.locator("h1").first().waitFor({ state: "attached" });
  }
  await pause(slowActionsMs);
}

/** Runs in the page: goes by an address without a screen, so that a screen keeps nothing of the one before. */
async function move(href: string): Promise<boolean> {
  const heading = () => document.querySelector("h1")?.textContent;
  const toasts = () =>
    document.querySelectorAll<HTMLElement>("[aria-label=Notifications] button[aria-label=Dismiss]");
  const until = (isDone: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (isDone()) {
          observer.disconnect();
          resolve();
        }
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { childList: true, subtree: true, characterData: true });
      look();
    });
  if (heading() === undefined) {
    return false;
  }
  const nowhere = "Page not found";
  const state: unknown = history.state;
  const index: unknown = Reflect.get(Object(state), "idx");
  // Without the number of the entry, so that no typed text asks whether to leave.
  history.pushState(null, "", "/nowhere");
  dispatchEvent(new PopStateEvent("popstate"));
  await until(() => heading() === nowhere);
  await until(() => {
    // Also those that come late: waiting for one to go by itself takes ten seconds.
    toasts().forEach((button) => button.click());
    return toasts().length === 0;
  });
  history.replaceState({ usr: null, key: "visit", idx: Number(index ?? 0) + 1 }, "", href);
  dispatchEvent(new PopStateEvent("popstate"));
  await until(() => heading() !== nowhere && heading() !== undefined);
  scrollTo(0, 0);
  return true;
}
