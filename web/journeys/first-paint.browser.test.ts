// The first visit: what the served page shows by itself, what it asks for, and that nothing is asked for twice or in a row.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { webBuildFolder } from "#process/machine.ts";
import { openBrowserStore, type BrowserStore } from "#testing/browser/browser-store.ts";
import { waitUntilStill } from "#testing/browser/look-at.ts";

let shop: BrowserStore;
let averyUid: string;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("admin@store.test", "Robin Admin", "admin");
  averyUid = await shop.person("avery@store.test", "Avery Stone", "user");
});

afterAll(() => shop.close());

const visitors: BrowserContext[] = [];

async function visitor(): Promise<BrowserContext> {
  const opened = await shop.visitor();
  visitors.push(opened);
  return opened;
}

afterEach(() => Promise.all(visitors.splice(0).map((opened) => shop.leave(opened))));

/** A request with what caused it: the page itself, or a script. */
type Asked = {
  readonly path: string;
  readonly by: string | undefined;
  /** With the session's token, so it had to wait for that. */
  readonly hasToken: boolean;
};

/** Everything that the page asks for from now on. */
async function watchRequests(page: Page): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const devTools: CDPSession = await page.context().newCDPSession(page);
  devTools.on("Network.requestWillBeSent", ({ request, initiator, type }) => {
    const { origin, pathname, search } = new URL(request.url);
    if (origin === shop.url && type !== "Document" && type !== "Preflight") {
      const frames = [initiator.stack, initiator.stack?.parent].flatMap(
        (stack) => stack?.callFrames ?? [],
      );
      // A script that the router started has no address of its own.
      const script = frames.find(({ url }) => url.includes("/assets/"))?.url ?? initiator.url;
      asked.push({
        path: `${pathname}${search}`,
        by: script?.includes("/assets/") === true ? new URL(script).pathname : undefined,
        hasToken: Object.keys(request.headers).some((name) => /^authorization$/iu.test(name)),
      });
    }
  });
  await devTools.send("Network.enable");
  return asked;
}

/** How many requests follow each other after the page, up to this one. */
function depthOf(one: Asked, all: readonly Asked[]): number {
  const causes = all.filter(
    ({ path }) => path === one.by || (one.hasToken && path === "/api/identity/refresh"),
  );
  return 1 + Math.max(0, ...causes.map((cause) => depthOf(cause, all)));
}

const isLogo = (path: string): boolean => path.startsWith("/api/settings/logo/");

/** Runs in the page before its scripts: adds up what moves. */
function noteShifts(): void {
  const shifts = { sum: 0 };
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      shifts.sum += Number(Reflect.get(entry, "value"));
    }
  }).observe({ type: "layout-shift", buffered: true });
}

const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(() => Number(Reflect.get(globalThis, "shifts").sum));

describe("a first visit", () => {
  it.each([
    ["avery@store.test", "/dashboard", /\/summary$/u],
    ["admin@store.test", "/admin", /\/inventory\/search$/u],
  ] as const)(
    "of %s to %s asks for nothing twice or later than second in a row, and hardly anything moves",
    async (email, path, first) => {
      const page = await shop.signedIn(await visitor(), email);
      if (path === "/admin") {
        // As after any earlier visit of an admin. Without it the page does not ask for what only admins may read.
        await page.addInitScript(() =>
          localStorage.setItem("posPerson", '{"uid":"u","displayName":null,"username":null}'),
        );
      }
      const asked = await watchRequests(page);
      await page.addInitScript(noteShifts);
      await page.goto(`${shop.url}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await waitUntilStill(page);
      await expect.poll(() => asked.map((one) => one.path)).toContain("/api/live");

      // Once live events arrive, the app may read again what the ledger has moved past.
      const before = asked.slice(
        0,
        asked.findIndex((one) => one.path === "/api/live"),
      );
      const asPaths = before.map((one) => one.path);
      expect(asPaths.filter((one, index) => asPaths.indexOf(one) !== index)).toEqual([]);
      expect(asked.filter((one) => !isLogo(one.path) && depthOf(one, asked) > 2)).toEqual([]);
      // What counts is asked for by the page itself, and not once more by the app with other words: see `first-reads.ts`.
      const reads = before.filter((one) => first.test(new URL(one.path, shop.url).pathname));
      expect(reads.map((one) => one.by)).toEqual([undefined]);
      // Google calls less than 0.1 good. The latest entries are as high as there are entries, so what is below them moves.
      expect(await shiftOf(page)).toBeLessThan(0.05);
      // The token is nowhere where a script could find it.
      expect(await page.evaluate(() => typeof globalThis.opening)).toBe("undefined");
    },
  );

  it("shows the sign-in form and the right theme before any script is there", async () => {
    const context = await visitor();
    await context.addInitScript(() => {
      localStorage.setItem("theme", "dark");
      localStorage.setItem("storeBrand", '{"storeName":"Attic & Sons","logo":null}');
    });
    await context.route("**/assets/*.js", (route) => route.abort());
    const page = await context.newPage();
    await page.goto(`${shop.url}/dashboard`);
    await expect.poll(() => page.url()).toBe(`${shop.url}/login`);
    await expect.poll(() => page.locator("main form").isVisible()).toBe(true);
    await expect.poll(() => page.getByText("Attic & Sons").isVisible()).toBe(true);
    await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
    await expect
      .poll(() => page.locator("[name=theme-color]").getAttribute("content"))
      .toBe("#191714");
    // Nothing can be typed that would be lost.
    await expect.poll(() => page.getByLabel("Email").isEditable()).toBe(false);
  });

  it.each([
    ["a consignor on a phone", "null", 360, "Home"],
    ["an admin", '{"uid":"u","displayName":null,"username":null}', 1280, "Payout Requests"],
  ] as const)(
    "of %s who was here before draws the frame before any script is there",
    async (_who, person, width, place) => {
      const context = await visitor();
      await context.addInitScript((remembered) => {
        localStorage.setItem("session", "open");
        localStorage.setItem("posPerson", remembered);
      }, person);
      await context.route(/\/(?:assets\/.*\.js|api\/)/u, (route) => route.abort());
      const page = await context.newPage();
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${shop.url}/marketplace`);
      const navigation = page.locator("nav[aria-label=Main]");
      await expect.poll(() => navigation.textContent()).toContain(place);
      await expect
        .poll(() => navigation.locator("[aria-current=page]").getAttribute("href"))
        .toBe("/marketplace");
    },
  );
});

describe("many tabs", () => {
  it("do not use up the browser's six connections: a hidden one gives up its stream until it is shown", async () => {
    const context = await visitor();
    // In a browser without a window every tab counts as shown.
    await context.addInitScript(() => {
      const tab = { state: "visible" };
      Object.defineProperty(document, "visibilityState", { get: () => tab.state });
      Object.assign(globalThis, {
        become(state: string) {
          tab.state = state;
          document.dispatchEvent(new Event("visibilitychange"));
        },
      });
    });
    const become = (page: Page, state: string): Promise<void> =>
      page.evaluate((now) => Reflect.get(globalThis, "become")(now), state);
    const first = await shop.signedIn(context, "avery@store.test");
    for (let tabs = 1; tabs <= 7; tabs += 1) {
      const page = tabs === 1 ? first : await context.newPage();
      const stream = page.waitForResponse((response) => response.url().endsWith("/api/live"));
      await page.goto(`${shop.url}/dashboard`);
      await stream;
      await become(page, "hidden");
    }
    await become(first, "visible");
    await waitUntilStill(first);
    const command = { uid: averyUid, balanceCents: 12_345, expectedCents: null, noteId: null };
    await shop.execute(setBalance, { ...command, happenedAt: new Date().toISOString() });
    await expect.poll(() => first.getByText("$123.45").first().isVisible()).toBe(true);
  });
});

describe("what is sent", () => {
  it("gets each file once, although the till's service worker keeps copies; it keeps none of the API, and the app can be installed", async () => {
    const page = await shop.signedIn(await visitor(), "admin@store.test");
    const fromNetwork: string[] = [];
    page.context().on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith("/assets/") && !response.fromServiceWorker()) {
        fromNetwork.push(pathname);
      }
    });
    await page.goto(`${shop.url}/pos`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
    fromNetwork.splice(0);
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await waitUntilStill(page);
    const twice = fromNetwork.filter((path, index) => fromNetwork.indexOf(path) !== index);
    expect(twice).toEqual([]);

    const kept = await page.evaluate(async () => {
      const shells = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      const requests = await Promise.all(shells.map((shell) => shell.keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toContain("/index.html");
    expect(kept.filter((path) => path.startsWith("/api"))).toEqual([]);

    const devTools = await page.context().newCDPSession(page);
    const { errors, data = "" } = await devTools.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    expect(data).toContain('"display": "standalone"');
    const types = await page.evaluate(async (text) => {
      const icons = [...text.matchAll(/"src": "([^"]+)"/g)].map(([, src = ""]) => src);
      const answers = await Promise.all(
        [...icons, "/apple-touch-icon.png"].map((src) => fetch(src)),
      );
      return answers.map(({ headers }) => headers.get("Content-Type"));
    }, data);
    expect(types).toEqual([
      "image/svg+xml; charset=utf-8",
      ...Array.from({ length: 4 }, () => "image/png"),
    ]);
  });

  it("has no script of less than 5 kB, which would cost its own request", async () => {
    const folder = join(webBuildFolder, "assets");
    const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
    const sizes = await Promise.all(
      scripts.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })),
    );
    expect(sizes.length).toBeGreaterThan(20);
    // Where it goes instead, `web/build/scripts.ts` says.
    expect(sizes.filter(({ bytes }) => bytes < 5000)).toEqual([]);
  });
});
