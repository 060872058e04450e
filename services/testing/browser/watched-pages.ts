// The open pages of the browser tests. A module of its own: the setup file runs again for each test file, this does not.
import type { Page } from "playwright-core";

const watched = new Set<Page>();

/** Prints this page if a test fails while it is open. */
export function watchPage(page: Page): void {
  watched.add(page);
  page.on("close", () => watched.delete(page));
}

export function watchedPages(): readonly Page[] {
  return [...watched].filter((page) => !page.isClosed());
}
