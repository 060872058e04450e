// How soon a first visitor sees something, on a slow phone far away: a new browser without a cache for every visit.
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { median } from "./load.ts";

/** The processor at a quarter of its speed, 1.5 Mbit/s, and 560 ms before each answer. */
const BITS_PER_SECOND = 1_500_000;
const LATENCY_MS = 560;
const CPU_RATE = 4;

export type Visit = {
  readonly name: string;
  readonly path: string;
  /** Who is signed in; undefined for a stranger. */
  readonly email: string | undefined;
  /** What the visitor came for, as a selector of an element with a text, outside the shell of the served page. */
  readonly shows: string;
};

export type PaintTimes = {
  /** The first text or picture. */
  readonly paintMs: number;
  /** What the visitor came for. */
  readonly shownMs: number;
  /** Chromium's score of what moved; below 0.1 is called good. */
  readonly layoutShift: number;
};

export type SignIn = (context: BrowserContext, email: string) => Promise<void>;

async function slowDown(context: BrowserContext, page: Page): Promise<CDPSession> {
  const devTools = await context.newCDPSession(page);
  await devTools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BITS_PER_SECOND / 8,
    uploadThroughput: BITS_PER_SECOND / 8,
  });
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: CPU_RATE });
  return devTools;
}

/** Runs in the page before its own scripts. */
function observe(selector: string): void {
  const seen = { shownMs: 0, layoutShift: 0 };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      seen.layoutShift += Number(Reflect.get(entry, "value"));
    }
  }).observe({ type: "layout-shift", buffered: true });
  const observer = new MutationObserver(() => {
    const found = [...document.querySelectorAll(selector)].some(
      (element) => element.closest("[inert]") === null && element.textContent.trim() !== "",
    );
    if (found) {
      observer.disconnect();
      // The frame in which it is painted.
      requestAnimationFrame(() => {
        seen.shownMs = performance.now();
      });
    }
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}

async function oneVisit(
  browser: Browser,
  url: string,
  signIn: SignIn,
  { path, email, shows }: Visit,
): Promise<PaintTimes> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    if (email !== undefined) {
      await signIn(context, email);
    }
    const page = await context.newPage();
    await slowDown(context, page);
    await page.addInitScript(observe, shows);
    await page.goto(`${url}${path}`, { waitUntil: "commit" });
    await page.waitForFunction(() => Number(Reflect.get(globalThis, "seen").shownMs) > 0);
    return await page.evaluate(() => ({
      ...Reflect.get(globalThis, "seen"),
      paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    }));
  } finally {
    await context.close();
  }
}

/** Medians of this many visits. */
export async function paintTimes(
  browser: Browser,
  url: string,
  signIn: SignIn,
  visit: Visit,
  rounds: number,
): Promise<PaintTimes> {
  const times: PaintTimes[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await oneVisit(browser, url, signIn, visit));
  }
  return {
    paintMs: median(times.map(({ paintMs }) => paintMs)),
    shownMs: median(times.map(({ shownMs }) => shownMs)),
    layoutShift: median(times.map(({ layoutShift }) => layoutShift)),
  };
}
