// The home page: what a stranger, a search engine and a slow phone get of it, and what it offers to people who are signed in.
import type { BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openBrowserStore, type BrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOf, problemsOnBoth } from "#testing/browser/look-at.ts";
import { sized } from "#testing/trial/size.ts";

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

afterEach(() => Promise.all(visitors.splice(0).map((opened) => shop.leave(opened))));

/** A call as the admin, whose screens have their own tests. */
async function asAdmin(method: "GET" | "PUT", path: string, data?: object): Promise<object> {
  const context = await shop.visitor();
  const { request } = context;
  const answer = await request.post(`${shop.url}/api/identity/sign-in`, {
    headers: { Origin: shop.url },
    data: { email: "admin@store.test", password: "a-password-of-tests" },
  });
  const { idToken } = await answer.json();
  const read = await request.fetch(`${shop.url}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${idToken}` },
    ...(data === undefined ? {} : { data }),
  });
  expect(read.status()).toBe(200);
  const body: object = await read.json();
  await shop.leave(context);
  return body;
}

const change = (part: string, data: object) => asAdmin("PUT", `/settings/${part}`, data);

const noAddress = { name: "", street: "", city: "", state: "", zip: "", country: "" };

const nameStore = (storeName: string) =>
  change("details", {
    storeName,
    returnPolicy: "",
    chatLink: "https://chat.store.test/invite",
    venmoName: "",
    shippingAddress: noAddress,
  });

const titles = [
  "How to start",
  "How it works",
  "Tracking",
  "Getting paid",
  "What we do",
  "What's accepted",
  "Start today",
];

describe("the page that is served", () => {
  it("has the store's texts of this moment, and is not drawn again while they stay", async () => {
    const { request } = await visitor();
    const read = async () => request.get(shop.url, { headers: { Accept: "text/html" } });
    const before = await read();
    expect(await before.text()).toContain("© 2024 Consignment Ledger");
    expect((await read()).headers()["etag"]).toBe(before.headers()["etag"]);

    await nameStore('Attic & "Sons" </script>');
    await change("rates", {
      taxRateBasisPoints: 825,
      defaultConsignorPercentage: 60,
      tradeCommissionPercentage: 10,
      tradeShippingFee: 4,
    });
    const html = await (await read()).text();
    expect(html).toContain(
      "<title>Sell your items on consignment · Attic &amp; &quot;Sons&quot; &lt;/script&gt;</title>",
    );
    expect(html).toContain('<meta property="og:site_name" content="Attic &amp; &quot;Sons&quot;');
    expect(html).toContain("you get 60% of each sale after shipping");
    expect(html).toContain(`<link rel="canonical" href="${shop.url}/" />`);
    expect(html).not.toContain("<noscript>");
    const manifest: unknown = await (await request.get(`${shop.url}/manifest.webmanifest`)).json();
    expect(manifest).toMatchObject({ name: 'Attic & "Sons" </script>', start_url: "/login" });
    await nameStore("Attic & Sons");
  });

  it("of another screen says whose store it is before any script is there, at the first visit too", async () => {
    const page = await (await visitor()).newPage();
    const empty = { contentType: "text/javascript", body: "" };
    await page.route(/\/assets\/.*\.js$/u, (route) => route.fulfill(empty));
    await page.goto(`${shop.url}/login`);
    await page.getByText("Attic & Sons").first().waitFor();
    expect(await page.title()).toBe("Attic & Sons");
    expect(await page.getByText("Consignment Ledger").count()).toBe(0);
  });

  it("tells search engines which addresses are for people only", async () => {
    const { request } = await visitor();
    const rules = await (await request.get(`${shop.url}/robots.txt`)).text();
    expect(rules).toContain("Allow: /$");
    expect(rules).toContain("Disallow: /");
  });
});

type Seen = { lcp: number; moved: string[] };

/** Runs in the page before its scripts: what was painted as the largest part, and what moved. */
function measure(): void {
  const seen: Seen = { lcp: 0, moved: [] };
  Object.assign(globalThis, { seen });
  const note = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
    });
  note("largest-contentful-paint", ({ startTime }) => {
    seen.lcp = startTime;
  });
  note("layout-shift", (entry) => {
    for (const { node, previousRect, currentRect } of Reflect.get(entry, "sources")) {
      const rects = [previousRect, currentRect].map((rect) => JSON.stringify(rect)).join(" to ");
      seen.moved.push(
        `${node?.outerHTML ?? node?.textContent ?? "something"}`.slice(0, 200) + rects,
      );
    }
  });
}

/** At the small size, three browsers share the processor, so the time is not measured alone: certain causes of slowness are looked for too. */
const MOST_LCP_MS = sized(3000, 1500);
const MOST_VISITS = 8;

/** A quarter of the processor, 1.6 Mbit/s and 150 ms to the server; until React has taken over the page. */
async function visitOnSlowPhone(): Promise<Seen & { readonly blocking: readonly string[] }> {
  const context = await visitor();
  await context.addInitScript(measure);
  const page = await context.newPage();
  await page.setViewportSize({ width: 360, height: 740 });
  const devTools = await context.newCDPSession(page);
  await devTools.send("Network.enable");
  // A first visit: an earlier test may have left its files in the cache.
  await devTools.send("Network.clearBrowserCache");
  await devTools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(shop.url);
  await page.locator("#root:not([data-drawn])").waitFor();
  return page.evaluate(() => ({
    ...Reflect.get(globalThis, "seen"),
    blocking: performance
      .getEntriesByType("resource")
      .filter((entry) => Reflect.get(entry, "renderBlockingStatus") === "blocking")
      .map((entry) => entry.name),
  }));
}

describe("a visitor", () => {
  it("reads everything without JavaScript", async () => {
    const context = await shop.reader();
    const page = await context.newPage();
    await page.goto(shop.url);
    const headings = page.getByRole("heading", { level: 2 });
    await expect.poll(() => headings.allTextContents()).toEqual(["What would you get?", ...titles]);
    await expect.poll(() => page.getByText("up to 70 pounds").isVisible()).toBe(true);
    await expect.poll(() => page.getByText("© 2024 Attic & Sons").isVisible()).toBe(true);
    // ($60.00 − $8.00) × 60%
    await expect.poll(() => page.getByText("$31.20").first().isVisible()).toBe(true);
    const chat = page.getByRole("link", { name: "Join the community chat" }).first();
    await expect.poll(() => chat.getAttribute("href")).toBe("https://chat.store.test/invite");
    await page.getByRole("link", { name: "What's accepted" }).click();
    await expect.poll(() => page.url()).toBe(`${shop.url}/#whats-accepted`);
    await page.getByRole("link", { name: "Login" }).click();
    await expect.poll(() => page.url()).toBe(`${shop.url}/login`);
  });

  it(`sees it within ${MOST_LCP_MS} ms on a slow phone far away, and nothing moves`, async () => {
    const times: number[] = [];
    // Other tests use the machine at the same time, so the best of some visits counts.
    while (times.length < MOST_VISITS && !times.some((time) => time < MOST_LCP_MS)) {
      const { lcp, moved, blocking } = await visitOnSlowPhone();
      expect(moved).toEqual([]);
      // Nothing has to arrive after the page itself before it is painted.
      expect(blocking).toEqual([]);
      times.push(lcp);
    }
    expect(Math.min(...times)).toBeGreaterThan(0);
    expect(Math.min(...times)).toBeLessThan(MOST_LCP_MS);
  });

  it("estimates a payout, and starts", async () => {
    const page = await (await visitor()).newPage();
    await page.goto(shop.url);
    await page.locator("#root:not([data-drawn])").waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    // The last section is too short to reach the line that marks the others.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect
      .poll(() => page.locator("nav[aria-label=Sections] [aria-current]").allTextContents())
      .toEqual(["Start today"]);
    await page.getByLabel("Sale price").fill("120.50");
    await page.getByLabel("Shipping").fill("10");
    await page.getByLabel("Your share").fill("50");
    // (120.50 − 10.00) × 50% = 55.25
    await expect.poll(() => page.getByText("$55.25").count()).toBe(3);
    await page.getByLabel("Sale price").fill("a lot");
    await expect.poll(() => page.getByText("Enter amounts such as 60.00").isVisible()).toBe(true);
    await page.getByRole("link", { name: "Get Started" }).first().click();
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor();
  });

  it("who is signed in goes to the dashboard from there", async () => {
    const page = await shop.signedIn(await visitor(), "avery@store.test");
    await page.goto(shop.url);
    const entrance = page.getByRole("banner").getByRole("link", { name: /^(?:Dashboard|Login)$/u });
    await expect.poll(() => entrance.allTextContents()).toEqual(["Dashboard"]);
    await page.locator("#root:not([data-drawn])").waitFor();
    await expect.poll(() => entrance.allTextContents()).toEqual(["Dashboard"]);
    await entrance.click();
    await page.getByRole("heading", { level: 1, name: /Dashboard/u }).waitFor();
    expect(shop.pageErrors).toEqual([]);
  });
});

describe("visits", () => {
  it("are told on every change of the path with the same session, and shown to admins", async () => {
    const context = await visitor();
    const page = await context.newPage();
    // As a person's browser: what programs open is not counted.
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "webdriver", { get: () => false }),
    );
    const devTools = await context.newCDPSession(page);
    await devTools.send("Emulation.setUserAgentOverride", {
      userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36",
    });
    await page.goto(shop.url);
    const stats = () => asAdmin("GET", "/analytics/stats");
    await expect.poll(stats).toMatchObject({ todayViews: 1, paths: [{ path: "/", views: 1 }] });
    await page.getByRole("link", { name: "Get Started" }).first().click();
    await expect.poll(stats).toMatchObject({
      activeNow: 1,
      todayVisitors: 1,
      todayViews: 2,
      totalVisitors: 1,
      paths: [
        { path: "/", views: 1 },
        { path: "/login", views: 1 },
      ],
    });
    expect(await page.evaluate(() => localStorage.getItem("sessionId"))).toMatch(
      /^session_\d{13}_[A-Za-z0-9]{12}$/u,
    );
  });

  it("are five numbers and 14 days on the admin's screen, which says if they cannot be read", async () => {
    const page = await shop.signedIn(await visitor(), "admin@store.test");
    await page.route("**/api/analytics/stats", (route) =>
      route.fulfill({ status: 500, json: { error: "internal", message: "No" } }),
    );
    await page.goto(`${shop.url}/admin`);
    const card = page.getByRole("region", { name: "Visitors" });
    await card.getByText("Failed to load analytics").waitFor();
    await page.unroute("**/api/analytics/stats");
    await card.getByRole("button", { name: "Retry" }).click();
    await expect
      .poll(async () => (await card.innerText()).replaceAll(/\s+/gu, " "))
      .toMatch(/Active now \d Today's visitors 1 Today's views 2 Total visitors 1 Total views 2/u);
    await card.getByRole("button", { name: /14 days, most on .*: 1$/u }).click();
    const dialog = page.getByRole("dialog", { name: "Visits of the last 14 days" });
    await expect
      .poll(() => dialog.getByRole("row").allInnerTexts())
      .toEqual(expect.arrayContaining([expect.stringMatching(/^\/login\s+1$/u)]));
    expect(await problemsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await dialog.waitFor({ state: "detached" });
  });
});
