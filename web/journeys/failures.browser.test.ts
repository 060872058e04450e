// What each screen says if its call fails: the specified words, and the server's reason next to them.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page, Route } from "playwright-core";
import { setBalance } from "#features/accounts/decider.ts";
import { fillAddress } from "#testing/browser/trade-market.ts";
import { visit } from "#testing/browser/visit.ts";
import { type InventoryFloor, openInventoryFloor } from "#testing/shop/inventory-floor.ts";

const REASON = "The line was cut.";

let floor: InventoryFloor;
let page: Page;

beforeAll(async () => {
  floor = await openInventoryFloor();
  ({ page } = floor);
  await floor.stocked("Brass lamp", { ownerUid: floor.averyUid });
  const admin = await floor.shop.store.sql<{ uid: string }[]>`
    select uid from identity.profiles where email = 'admin@store.test'`;
  const command = {
    uid: admin[0]?.uid ?? "",
    balanceCents: 10_000,
    expectedCents: null,
    noteId: null,
    happenedAt: "2026-11-01T10:00:00.000Z",
  };
  const context = { actor: "system:test", scope: "store", key: randomUUID(), requestHash: "00" };
  await floor.shop.store.ledger.execute(setBalance, command, context);
});

afterAll(() => floor.close());

const open = (path: string) => visit(page, `${floor.shop.url}${path}`);

/** Lets this call fail while `act` runs, and waits for the text on screen; rejects if it never comes. */
async function failing(
  method: string,
  path: RegExp,
  act: () => Promise<unknown>,
  text: string,
  busyButton?: string,
): Promise<void> {
  const fail = async (route: Route) => {
    if (route.request().method() !== method) {
      return route.fallback();
    }
    if (busyButton !== undefined) {
      await page.getByRole("button", { name: busyButton }).waitFor();
    }
    return route.fulfill({ status: 500, json: { error: "internal_error", message: REASON } });
  };
  await page.route(path, fail);
  await act();
  await page.getByText(text).first().waitFor();
  await page.unroute(path, fail);
}

describe("a failed call of an admin", () => {
  it("leaves the list of users with a reason and a button to retry, and the form open", async () => {
    await failing(
      "GET",
      /\/api\/auth\/all-users/u,
      () => open("/consignors"),
      "Failed to fetch users",
    );
    await page.getByText(REASON).first().waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Edit Avery Stone" }).click();
    const form = page.getByRole("dialog", { name: "Edit Avery Stone" });
    await form.getByLabel("Display name").fill("Avery S.");
    await failing(
      "PUT",
      /\/api\/auth\/users\//u,
      () => form.getByRole("button", { name: "Save" }).click(),
      `Failed to update user: ${REASON}`,
      "Saving...",
    );
    await expect.poll(() => form.getByLabel("Display name").inputValue()).toBe("Avery S.");
  });

  it("says that the inventory could not be searched or migrated", async () => {
    await failing(
      "GET",
      /\/api\/inventory\/search/u,
      () => open("/admin?q=brass"),
      "Error searching items",
    );
    await expect
      .poll(() => page.getByLabel("Source").locator("option").allInnerTexts())
      .toEqual(["All Items", "Master Only", "Consignor Only"]);
    await failing(
      "GET",
      /\/api\/admin\/items-missing-images/u,
      () => open("/admin/image-backfill"),
      "Failed to load items. Check console for details.",
    );
    await open("/consignors");
    await page.getByRole("button", { name: "More for Avery Stone" }).click();
    await page.getByRole("menuitem", { name: "Migrate inventory" }).click();
    await failing(
      "POST",
      /\/api\/auth\/users\/[^/]+\/migrate/u,
      () => page.getByRole("button", { name: "Migrate", exact: true }).click(),
      `Failed to migrate inventory: ${REASON}`,
    );
  });

  it("says so in place of payouts' totals that never come", async () => {
    const payouts = /\/api\/payouts\/(?:pending|settled)/u;
    await page.route(payouts, (route) =>
      route.fulfill({ status: 500, json: { error: "internal_error", message: REASON } }),
    );
    const totals = page.getByRole("region", { name: "Totals" });
    // Loaded anew: the desk's tiles have read the same numbers.
    await page.goto(`${floor.shop.url}/payout-requests`);
    await page.getByText(`The totals could not be loaded. ${REASON}`).waitFor();
    await expect.poll(() => totals.count()).toBe(0);
    await open("/payout-requests?status=paid");
    await page.getByText("The payouts could not be loaded").waitFor();
    await expect.poll(() => totals.count()).toBe(0);
    await page.unroute(payouts);
  });

  it("says that people could not be searched, and searches again", async () => {
    await open("/admin");
    const consignor = page.getByRole("search").getByLabel("Consignor");
    const people = /\/api\/auth\/search/u;
    const found = page.getByRole("option", { name: /Avery Stone/u });
    const failed = page.getByText(`The search failed: ${REASON}`);
    await failing("GET", people, () => consignor.fill("avery"), `The search failed: ${REASON}`);
    await page.getByRole("button", { name: "Retry" }).click();
    await found.waitFor();
    await failing("GET", people, () => consignor.fill("ave"), `The search failed: ${REASON}`);
    await expect.poll(() => found.count()).toBe(0);
    await consignor.press("Enter");
    await found.waitFor();
    await failed.waitFor({ state: "hidden" });
    await consignor.fill("");
  });

  it("shows in the edit of an item that its consignor is loading, and then who it is", async () => {
    await floor.openInventory("q=brass");
    const asked = Promise.withResolvers<void>();
    const person = new RegExp(`/api/auth/users/${floor.averyUid}$`, "u");
    const wait = async (route: Route) => {
      await asked.promise;
      return route.fallback();
    };
    await page.route(person, wait);
    await page.getByRole("button", { name: "More for Brass lamp" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const field = page.getByRole("dialog").getByLabel("Consignor");
    await expect.poll(() => field.getAttribute("placeholder")).toBe("Loading...");
    expect(await field.inputValue()).toBe("");
    asked.resolve();
    await expect.poll(() => field.inputValue()).toBe("Avery Stone");
    await page.unroute(person, wait);
  });

  it("says that a file is not an export of the old app, and takes one that is", async () => {
    await open("/consignors/migration");
    const file = page.getByLabel("Export of the old app");
    const exportOf = (text: string) => ({
      name: "export.json",
      mimeType: "application/json",
      buffer: Buffer.from(text),
    });
    await file.setInputFiles(exportOf("[]"));
    await page.getByText("This is not an export of the old app").waitFor();
    const users = [{ id: "old-drew", email: "drew@store.test", displayName: "Drew", balance: 1.5 }];
    await file.setInputFiles(exportOf(JSON.stringify({ users })));
    await expect
      .poll(() => page.getByRole("table", { name: "Old accounts" }).innerText())
      .toMatch(/Drew[^]*\$1\.50/u);
  });
});

describe("a failed call of a consignor", () => {
  it("says why the username was not set", async () => {
    await open("/profile");
    await page.getByRole("button", { name: /a username|the username/u }).click();
    const form = page.getByRole("dialog", { name: /your username|a username/u });
    await form.getByLabel("Username").fill("robin-again");
    await form.getByText("Available").waitFor();
    await failing(
      "POST",
      /\/api\/auth\/set-username/u,
      () => form.getByRole("button", { name: "Continue" }).click(),
      `Failed to set username: ${REASON}`,
    );
    await form.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => form.count()).toBe(0);
  });

  it("says why no payout was requested", async () => {
    await open("/dashboard");
    await page.getByRole("button", { name: "Request payout" }).click();
    const form = page.getByRole("dialog", { name: "Request payout" });
    await form.getByText("CashApp", { exact: true }).click();
    await form.getByLabel("Cashtag").fill("$robin");
    await form.getByRole("button", { name: "All" }).click();
    await failing(
      "POST",
      /\/api\/payouts\//u,
      () => form.getByRole("button", { name: "Request payout" }).click(),
      `Failed to create payout request: ${REASON}`,
    );
    await expect.poll(() => form.getByLabel("Cashtag").inputValue()).toBe("$robin");
  });

  it("says why the marketplace is empty, and why no trade was requested", async () => {
    await failing(
      "GET",
      /\/api\/marketplace\/items/u,
      () => open("/marketplace"),
      "Failed to load marketplace items",
    );
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Brass lamp" }).click();
    const form = page.getByRole("form", { name: "Trade request" });
    await form.getByLabel("Price").fill("1");
    await fillAddress(form);
    await failing(
      "POST",
      /\/api\/trades\/request/u,
      () => form.getByRole("button", { name: "Request trade" }).click(),
      `Failed to create trade request: ${REASON}`,
    );
    await expect.poll(() => form.getByLabel("Price").inputValue()).toMatch(/^1/u);
  });

  it("fills a payout request with the handles of the profile", async () => {
    await open("/profile");
    const handle = page.getByLabel(/^CashApp/u);
    await handle.fill("robins-own");
    await expect.poll(() => handle.inputValue()).toBe("$robins-own");
    await page.getByRole("button", { name: "Save payout handles" }).click();
    await page.getByText("Payout handles saved").waitFor();
    await open("/dashboard");
    await page.getByRole("button", { name: "Request payout" }).click();
    const form = page.getByRole("dialog", { name: "Request payout" });
    await expect.poll(() => form.getByLabel("Cashtag").inputValue()).toBe("$robins-own");
  });

  it("leads an admin back from each of their own screens", async () => {
    for (const path of ["/sales-history", "/profile", "/user-shipments", "/audit"].concat([
      "/marketplace",
      "/my-offers",
      "/my-trades",
    ])) {
      await open(path);
      await expect
        .poll(() => page.locator("main").getByRole("link", { name: "Admin" }).getAttribute("href"))
        .toBe("/admin");
    }
  });
});

describe("a server that cannot be reached", () => {
  it("leaves an admin a way to the till, and the screen opens by itself once it is back", async () => {
    await page.goto(`${floor.shop.url}/pos`);
    await page.getByRole("combobox").waitFor();
    const cut = (route: Route) => route.abort();
    await page.route("**/api/**", cut);
    await page.goto(`${floor.shop.url}/consignors`);
    await page.getByText("The server cannot be reached").waitFor();
    const till = page.getByRole("link", { name: "Point of sale" });
    expect(await till.getAttribute("href")).toBe("/pos");
    await page.unroute("**/api/**", cut);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByRole("heading", { name: "Consignors", level: 1 }).waitFor();
  });

  it("shows that a screen is not loaded yet, and opens it by itself once the connection is back", async () => {
    await page.goto(`${floor.shop.url}/admin/security`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByText("This screen is not loaded yet").waitFor();
    expect(await page.getByText("There may be a newer version").count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  });
});
