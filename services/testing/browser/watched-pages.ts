// The open pages of the browser tests and what they have asked the server for. A module of its own: the setup file runs again for each test file, this does not.
import { setTimeout as pause } from "node:timers/promises";
import type { Page, Request } from "playwright-core";

/** The calls of each page that are not answered yet. */
const watched = new Map<Page, Set<Request>>();

/** How long to wait for answers, because some tests hold one back. */
const LONGEST_ANSWER_MS = 10_000;

/** Prints this page if a test fails while it is open, and counts its calls. */
export function watchPage(page: Page): void {
  const calls = new Set<Request>();
  watched.set(page, calls);
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    // The stream of live events never ends.
    if (pathname.startsWith("/api/") && pathname !== "/api/live") {
      calls.add(request);
    }
  });
  page.on("requestfinished", (request) => calls.delete(request));
  page.on("requestfailed", (request) => calls.delete(request));
  page.on("close", () => watched.delete(page));
}

export function watchedPages(): readonly Page[] {
  return [...watched.keys()].filter((page) => !page.isClosed());
}

export function waitsForAnswers(page: Page): boolean {
  return (watched.get(page)?.size ?? 0) > 0;
}

/** When to stop waiting for an answer. */
export function longestAnswer(): number {
  return performance.now() + LONGEST_ANSWER_MS;
}

/** Waits until each call of this page is answered, because screens show some parts before others. */
export async function allAnswered(page: Page, end: number): Promise<void> {
  while (waitsForAnswers(page) && performance.now() < end) {
    await pause(10);
  }
}
