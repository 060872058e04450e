// Clicks and key presses on a screen, and the browser's own measurement of how soon each was answered.
import type { Browser, Page } from "playwright-core";
import { percentile } from "./load.ts";

/** One kind of action: its interactions, and the animation frames during them. */
export type Measured = {
  readonly name: string;
  readonly interactions: number;
  /** Both 0 if nothing was pressed, as in scrolling. */
  readonly p98Ms: number;
  readonly worstMs: number;
  /** 0 if no frame took 50 ms; browsers do not report shorter ones. */
  readonly longestFrameMs: number;
  readonly longFrames: number;
};

export type Hand = {
  readonly page: Page;
  readonly measure: (name: string, act: () => Promise<unknown>) => Promise<Measured>;
  /** Waits until no request is running and two more frames were drawn. */
  readonly untilStill: () => Promise<void>;
};

/** What the page records about itself, as plain data. */
type Noted = {
  readonly interactions: readonly { readonly id: number; readonly ms: number }[];
  readonly frames: readonly number[];
};

// Shorter ones are not reported by browsers.
const SHORTEST_MS = 16;
const noteKey = "benchNotes";

/** Runs in the page before anything else. A string, because TypeScript does not know these new browser types yet. */
const observing = `
  window.${noteKey} = { interactions: [], frames: [], pressed: 0 };
  for (const type of ["pointerup", "keydown"]) {
    addEventListener(type, () => { window.${noteKey}.pressed += 1; }, true);
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.interactionId > 0) {
        window.${noteKey}.interactions.push({ id: entry.interactionId, ms: entry.duration });
      }
    }
  }).observe({ type: "event", durationThreshold: ${SHORTEST_MS}, buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      window.${noteKey}.frames.push(entry.duration);
    }
  }).observe({ type: "long-animation-frame", buffered: true });
`;

/** Signs in and opens /admin. */
export async function openHand(
  browser: Browser,
  url: string,
  person: { readonly email: string; readonly password: string },
): Promise<Hand> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
  });
  await context.addInitScript(observing);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/login?next=/admin`);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL((address) => !address.pathname.startsWith("/login"));
  await page.goto(`${url}/admin`);
  await page.getByRole("table", { name: "Inventory" }).waitFor();

  async function untilStill(): Promise<void> {
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 60)));
        }),
    );
  }

  async function measure(name: string, act: () => Promise<unknown>): Promise<Measured> {
    await untilStill();
    await page.evaluate(`window.${noteKey} = { interactions: [], frames: [], pressed: 0 }`);
    await act();
    // The browser delivers its entries when it has time.
    await page.waitForTimeout(1_000);
    return summarize(name, await page.evaluate<Noted & { pressed: number }>(`window.${noteKey}`));
  }
  return { page, measure, untilStill };
}

function summarize(name: string, noted: Noted & { readonly pressed: number }): Measured {
  const longest = new Map<number, number>();
  for (const { id, ms } of noted.interactions) {
    longest.set(id, Math.max(ms, longest.get(id) ?? 0));
  }
  const reported = [...longest.values()];
  const unreported = Math.max(0, noted.pressed - reported.length);
  const all = [...reported, ...Array.from({ length: unreported }, () => SHORTEST_MS)];
  return {
    name,
    interactions: all.length,
    p98Ms: all.length === 0 ? 0 : percentile(all, 0.98),
    worstMs: Math.max(0, ...all),
    longestFrameMs: Math.max(0, ...noted.frames),
    longFrames: noted.frames.length,
  };
}
