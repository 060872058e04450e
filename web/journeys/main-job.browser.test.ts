// The main job in a real browser: an admin adds and sells an item, the consignor sees why the balance changed, and requests a payout once.
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOf, waitUntilStill } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";

let shop: BrowserStore;
let averyUid: string;
let admin: Page;
let averysBrowser: BrowserContext;
let avery: Page;

beforeAll(async () => {
  // The only file with motion.
  shop = await openBrowserStore({}, [], "no-preference");
  await shop.person("admin@store.test", "Robin Admin", "admin");
  averyUid = await shop.person("avery@store.test", "Avery Stone", "user");
  admin = await shop.signedIn(await shop.visitor(), "admin@store.test");
  averysBrowser = await shop.visitor();
  avery = await shop.signedIn(averysBrowser, "avery@store.test");
});

afterAll(() => shop.close());

const visitors: BrowserContext[] = [];

/** A browser of its own, left after the test: a person may have only a few live streams at a time. */
async function visitor(): Promise<BrowserContext> {
  const opened = await shop.visitor();
  visitors.push(opened);
  return opened;
}

afterEach(() => Promise.all(visitors.splice(0).map((opened) => shop.leave(opened))));

async function addItem(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add to Consignor Inventory" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Consignor", { exact: false }).first().fill("avery");
  await page.getByRole("option", { name: /Avery Stone/u }).click();
  await form.getByLabel("Item name").fill("Film camera");
  await form.getByLabel("Barcode 1").fill("CAM-1");
  await form.getByLabel("Quantity").fill("2");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await form.waitFor({ state: "hidden" });
}

async function recordSale(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sold: Film camera" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Sale price").fill("120.50");
  await form.getByLabel("Shipping cost").fill("10");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  await page.getByText("Sale recorded successfully").waitFor();
}

/** Avery's dashboard in a new tab, with the entries that were there; its numbers arrive when released, as they were. */
async function holdSummary(): Promise<{ readonly page: Page; readonly release: () => void }> {
  const page = await averysBrowser.newPage();
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route(
    "**/api/accounts/*/summary",
    async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await held.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.goto(`${shop.url}/dashboard`);
  await asked.promise;
  await page.getByText("Payout of $55.25 requested").first().waitFor();
  return { page, release: held.resolve };
}

describe("the main job", () => {
  it("shows the consignor the right balance and the reason as soon as the admin records the sale", async () => {
    await visit(admin, `${shop.url}/admin`);
    await addItem(admin);
    await recordSale(admin);

    await visit(avery, `${shop.url}/dashboard`);
    // (120.50 − 10.00) × 50% = 55.25
    await avery.getByText("$55.25").first().waitFor();
    await visit(avery, `${shop.url}/sales-history`);
    const line = avery.getByRole("row", { name: /Film camera sold/u });
    await expect.poll(() => line.innerText()).toMatch(/\+\$55\.25[\s\S]*\$55\.25/u);
  });

  it("pays once if two tabs press the button at the same time", async () => {
    const other = await averysBrowser.newPage();
    const tabs = [avery, other];
    for (const tab of tabs) {
      await visit(tab, `${shop.url}/dashboard`);
      await tab.getByRole("button", { name: "Request payout" }).first().click();
      const form = tab.getByRole("dialog");
      await form.getByText("CashApp").click();
      await form.getByLabel("Amount").fill("55.25");
      await form
        .getByLabel(/cashtag|CashApp/iu)
        .last()
        .fill("$avery");
    }
    await Promise.all(
      tabs.map((tab) =>
        tab.getByRole("dialog").getByRole("button", { name: "Request payout" }).dblclick(),
      ),
    );
    const refusals = tabs.map((tab) =>
      tab.getByText("Cannot request more than your current balance of $0.00"),
    );
    await Promise.any(refusals.map((refusal) => refusal.waitFor()));
    // The refusal stays in sight when the tab has read the new balance.
    for (const tab of tabs) {
      const screen = () => tab.locator("main").innerText();
      await expect.poll(screen).toMatch(/You can cash out\s+\$0\.00/u);
    }
    const shown = await Promise.all(refusals.map((refusal) => refusal.isVisible()));
    expect(shown.filter(Boolean)).toHaveLength(1);
    const reasons = tabs.map((tab) =>
      tab.getByText("Nothing is available now, so nothing can be requested"),
    );
    await Promise.any(reasons.map((reason) => reason.waitFor()));
    const requested = () => shop.store.sql`
      select 1 from log.events where type = 'PayoutRequested' and data ->> 'consignorId' = ${averyUid}`;
    await expect.poll(requested).toHaveLength(1);
    await other.close();
    await visit(avery, `${shop.url}/dashboard`);
    await avery.getByText("Pending payouts").first().waitFor();
    await avery.getByText("$55.25").first().waitFor();
  });

  it("draws the balance even if the browser reports an unknown language", async () => {
    const page = await averysBrowser.newPage();
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "language", { value: "en-US@posix", configurable: true });
    });
    await page.goto(`${shop.url}/dashboard`);
    const chart = page.getByRole("img", { name: /over time, as a chart/u });
    await expect.poll(() => chart.locator("path").getAttribute("d")).toMatch(/^M[\d.]+ [\d.]+H/u);
    await page.close();
  });

  it("keeps the screen and explains why if a dialog cannot be loaded offline", async () => {
    // A browser that has not kept that dialog.
    const context = await visitor();
    const page = await shop.signIn(context, "avery@store.test", "/dashboard");
    await page.getByText("Film camera").first().waitFor();
    await context.setOffline(true);
    await page.getByText("You're offline.").waitFor();
    await page
      .locator("header")
      .getByText(/^Offline: as of /u)
      .waitFor();
    await expect.poll(() => page.getByText("Up to date").count()).toBe(0);
    await page.getByRole("button", { name: "Submit Shipment" }).click();
    await page.getByText("Error: you are offline, and this part is not loaded yet.").waitFor();
    await expect.poll(() => page.getByText("Film camera").first().isVisible()).toBe(true);
    await context.setOffline(false);
    await page.getByText("You're offline.").waitFor({ state: "hidden" });
    // This browser remembers the failure.
    await page.getByRole("button", { name: "Submit Shipment" }).click();
    await page.getByText("Error: this part could not be loaded. Reload the page.").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Submit Shipment" }).click();
    await page.getByRole("dialog", { name: /Shipment/u }).waitFor();
  });

  it("returns from an open entry to the list with the browser's back button", async () => {
    await visit(avery, `${shop.url}/sales-history`);
    await avery.getByText("Film camera sold").first().click();
    await avery.getByRole("dialog", { name: /Film camera sold/u }).waitFor();
    await avery.goBack();
    await avery.getByRole("dialog").waitFor({ state: "hidden" });
    await expect.poll(() => avery.url()).toBe(`${shop.url}/sales-history`);
  });

  it("lets the admin pay the request, and shows the consignor that it was paid, even in numbers that were asked for before", async () => {
    const late = await holdSummary();
    await visit(admin, `${shop.url}/payout-requests`);
    await admin.getByRole("row", { name: /Avery Stone/u }).waitFor();
    // As after an upgrade whose answers this page cannot read.
    await admin.route("**/api/payouts/pending?*", (route) => route.fulfill({ json: {} }));
    await admin
      .getByRole("button", { name: /Mark as paid/u })
      .first()
      .click();
    await admin
      .getByRole("alertdialog")
      .or(admin.getByRole("dialog"))
      .getByRole("button", { name: /Mark as paid|Mark .* paid/u })
      .click();
    await admin.getByText("Payout marked as paid").waitFor();
    const alert = admin.getByRole("alert").filter({ hasText: "This page is older than the store" });
    await alert.waitFor();
    await admin.getByText("A new version is ready.").waitFor();
    await expect.poll(() => admin.getByText(/^Up to date/u).count()).toBe(0);
    expect(await problemsOf(admin)).toEqual([]);
    await admin.unrouteAll();
    await alert.getByRole("button", { name: "Reload" }).click();
    await admin
      .getByText(/^Up to date/u)
      .first()
      .waitFor();
    await expect.poll(() => admin.getByText("A new version is ready.").count()).toBe(0);

    await visit(avery, `${shop.url}/sales-history`);
    const line = avery.getByText(/Payout of \$55\.25 paid/u);
    await line.waitFor();
    await expect.poll(() => line.count()).toBe(1);

    await late.page.getByText("Payout of $55.25 paid").first().waitFor();
    late.release();
    const screen = () => late.page.locator("main").innerText();
    await expect.poll(screen).toMatch(/Total paid\s+\$55\.25/u);
    await late.page.close();
  });

  it("loads at most 120 kB of scripts from the login screen to the dashboard with its chart", async () => {
    const context = await visitor();
    const sent = new Map<string, Record<string, string>>();
    context.on("response", (response) => {
      if (response.request().resourceType() === "script") {
        sent.set(response.url(), response.headers());
      }
    });
    const page = await context.newPage();
    await page.goto(`${shop.url}/login`);
    await page.getByLabel("Email").fill("avery@store.test");
    await page.getByLabel("Password", { exact: true }).fill("a-password-of-tests");
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: /over time, as a chart/u }).waitFor();
    await waitUntilStill(page);
    // Nothing of the camera, which is loaded on demand.
    expect([...sent.keys()].join(" ")).not.toMatch(/camera|scan|code-reader|zxing/u);
    const headers = [...sent.values()];
    // Files smaller than their compressed form are sent uncompressed.
    const large = headers.filter((one) => Number(one["content-length"]) > 300);
    expect(new Set(large.map((one) => one["content-encoding"]))).toEqual(new Set(["br"]));
    const bytes = headers.reduce((sum, one) => sum + Number(one["content-length"]), 0);
    const scripts = [...sent].map(([url, one]) => `${one["content-length"]} ${url}`);
    expect(bytes, `web/README.md says how to keep it:\n${scripts.join("\n")}`).toBeLessThanOrEqual(
      120_000,
    );
  });
});

describe("every screen", () => {
  it("keeps the chosen theme, stored under its plain name", async () => {
    const page = await (await visitor()).newPage();
    await page.goto(`${shop.url}/login`);
    await page.getByRole("button", { name: "Dark theme" }).click();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("theme"))).toBe("dark");
    await page.reload();
    await page.getByRole("button", { name: "Light theme" }).waitFor();
    await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  });

  it("logs no errors except the two tabs' refusal and the blocked downloads", () => {
    const provoked = /409|Failed to fetch|Unable to preload|ERR_FAILED|ERR_INTERNET_DISCONNECTED/u;
    expect(shop.pageErrors.filter((error) => !provoked.test(error))).toEqual([]);
  });
});

describe("who may see what", () => {
  it("sends a visitor to the login screen and back to the page that was asked for", async () => {
    const page = await (await visitor()).newPage();
    await page.goto(`${shop.url}/sales-history`);
    await page.waitForURL(/\/login/u);
    await page.getByLabel("Email").fill("avery@store.test");
    await page.getByLabel("Password", { exact: true }).fill("a-password-of-tests");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/sales-history/u);
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).innerText())
      .toBe("Sales history");
  });

  it("sends a consignor who asks for an admin's screen to the dashboard", async () => {
    await avery.goto(`${shop.url}/admin`);
    await avery.waitForURL(/\/dashboard/u);
    await expect.poll(() => avery.getByRole("heading", { level: 1 }).innerText()).toBe("Dashboard");
  });
});
