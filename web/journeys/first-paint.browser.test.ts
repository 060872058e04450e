// The first visit: what the served page shows by itself, what it asks for, and that nothing is asked for twice or in a row.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { webBuildFolder } from "#process/machine.ts";
import { openBrowserStore, type BrowserStore } from "#testing/browser/browser-store.ts";
import { waitUntilStill } from "#testing/browser/look-at.ts";

let shop: BrowserStore;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("admin@store.test", "Robin Admin", "admin");
  await shop.person("avery@store.test", "Avery Stone", "user");
});

afterAll(() => shop.close());

const visitors: BrowserContext[] = [];

async function visitor(): Promise<BrowserContext> {
  const opened = await shop.visitor();
  visitors.push(opened);
  return opened;
}

afterEach(() => Promise.all(visitors.splice(0).map((opened) => opened.close())));

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

const logo = (path: string): boolean => path.startsWith("/api/settings/logo/");

describe("a first visit", () => {
  it.each([
    ["avery@store.test", "/dashboard", /summary|balance-series/u],
    ["admin@store.test", "/admin", /inventory\/search\?/u],
  ] as const)(
    "of %s to %s asks for nothing twice, and for nothing later than second in a row",
    async (email, path, first) => {
      const page = await shop.signedIn(await visitor(), email);
      const asked = await watchRequests(page);
      await page.goto(`${shop.url}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await waitUntilStill(page);
      await expect.poll(() => asked.map((one) => one.path)).toContain("/api/live");

      const paths = asked.map((one) => one.path);
      expect(paths.filter((one, index) => paths.indexOf(one) !== index)).toEqual([]);
      const late = asked.filter((one) => !logo(one.path) && depthOf(one, asked) > 2);
      expect(late).toEqual([]);
      // Beside the scripts, by the page itself.
      const reads = asked.filter((one) => first.test(one.path));
      expect(reads.length).toBeGreaterThan(0);
      expect(
        asked.filter((one) => one.path === "/api/auth/me" && one.by === undefined),
      ).toHaveLength(1);
      expect(reads.some((one) => one.by === undefined)).toBe(true);
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
    // Nothing can be typed that would be lost.
    await expect.poll(() => page.getByLabel("Email").isEditable()).toBe(false);
  });

  it.each([
    ["a consignor", "null", 1280, "Sales history"],
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

  it("moves nothing when the app takes the place of the served page", async () => {
    const page = await shop.signedIn(await visitor(), "avery@store.test");
    await page.addInitScript(() => {
      Object.assign(globalThis, { shift: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const moved = Number(Reflect.get(entry, "value"));
          Object.assign(globalThis, { shift: Number(Reflect.get(globalThis, "shift")) + moved });
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(`${shop.url}/dashboard`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await waitUntilStill(page);
    // Google calls less than 0.1 good.
    await expect
      .poll(() => page.evaluate(() => Number(Reflect.get(globalThis, "shift"))))
      .toBeLessThan(0.02);
  });

  it("keeps the token out of the page's global names", async () => {
    const page = await shop.signIn(await visitor(), "avery@store.test", "/dashboard");
    await expect.poll(() => page.evaluate(() => typeof globalThis.opening)).toBe("undefined");
  });
});

describe("what is sent", () => {
  it("gets each file once, although the till's service worker keeps copies", async () => {
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
  });

  it("is no script of less than 5 kB, which would cost a request of its own", async () => {
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
