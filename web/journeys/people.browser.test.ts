// People in a real browser: an admin manages accounts, a person edits the profile, and axe checks each of these screens.
import type { BrowserContext, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stageLegacy } from "#features/migration/legacy-staging.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOf, problemsOnBoth, showAs } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import { oldAccountOfBlake } from "#testing/shop/old-account.ts";

let shop: BrowserStore;
let robin: Page;
let averysBrowser: BrowserContext;
let avery: Page;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("robin@store.test", "Robin Admin", "admin");
  await shop.person("avery@store.test", "Avery Stone", "user");
  await shop.person("blake@store.test", "Blake Rivers", "user");
  await shop.person("casey@store.test", "Casey Brooks", "user");
  const { sql, clock } = shop.store;
  await stageLegacy({ sql, clock, keys: createReservationKeys(sql) }, [oldAccountOfBlake]);
  robin = await shop.signedIn(await shop.visitor(), "robin@store.test");
  averysBrowser = await shop.visitor();
  avery = await shop.signedIn(averysBrowser, "avery@store.test");
});

afterAll(() => shop.close());

/** Waits until the page shows a text; rejects if it never does. */
async function shows(page: Page, text: string | RegExp): Promise<true> {
  await page.getByText(text).first().waitFor();
  return true;
}

async function openDrawer(name: string): Promise<void> {
  await visit(robin, `${shop.url}/consignors`);
  await robin.getByRole("button", { name, exact: true }).click();
  await robin.getByRole("dialog").getByText("Available").waitFor();
}

async function chooseFor(name: string, act: string): Promise<void> {
  await visit(robin, `${shop.url}/consignors`);
  await robin.getByRole("button", { name: `More for ${name}` }).click();
  await robin.getByRole("menuitem", { name: act }).click();
}

/** In the page: what has the focus. */
const focusedTag = () => document.activeElement?.tagName;

async function giveRole(name: string, role: "user" | "admin"): Promise<void> {
  await visit(robin, `${shop.url}/consignors`);
  await robin.getByRole("button", { name: `Edit ${name}` }).click();
  const form = robin.getByRole("dialog", { name: `Edit ${name}` });
  await form.getByLabel("Role").selectOption(role);
  await form.getByRole("button", { name: "Save" }).click();
  await form.waitFor({ state: "hidden" });
}

describe("consignors", () => {
  it("lets the admin adjust a balance with a reason, which the consignor can read", async () => {
    await openDrawer("Avery Stone");
    await robin.getByRole("button", { name: "Adjust" }).click();
    const form = robin.getByRole("dialog", { name: "Adjust Avery Stone's balance" });
    const isRehearsal = (request: Request) => request.headers()["ledger-rehearsal"] === "true";
    // Without the rehearsal, the form shows its own estimate and can be saved.
    await robin.route("**/api/sales/balance/*", (route) =>
      isRehearsal(route.request()) ? route.abort() : route.fallback(),
    );
    await form.getByLabel("New balance").fill("20");
    const preview = form.getByRole("region", { name: "What this does" });
    await preview.getByText("The exact result could not be loaded.").waitFor();
    await preview.getByRole("row", { name: /Avery Stone.*\$0\.00.*\$20\.00/u }).waitFor();
    await robin.unroute("**/api/sales/balance/*");
    await preview.getByRole("button", { name: "Try again" }).click();
    await preview
      .getByRole("row", { name: /Avery Stone, available.*\$0\.00.*\$20\.00/u })
      .waitFor();
    expect(await problemsOf(robin)).toEqual([]);
    await form.getByRole("button", { name: "Adjust balance" }).click();
    await form.getByText("Enter a reason. It stays in the ledger.").waitFor();
    await form.getByLabel("Reason").fill("Counted the till again");
    // The ledger has the call before its answer is here, and the lists behind the form are read again. What the form
    // would do is not asked again, because it would be refused a second time.
    const readAgain = robin.waitForRequest(/\/api\/auth\/all-users/u);
    const asked = robin.waitForRequest(isRehearsal);
    let rehearsed = 0;
    await robin.route("**/api/sales/balance/*", async (route) => {
      if (isRehearsal(route.request())) {
        // Never answered.
        rehearsed += 1;
        return;
      }
      const response = await route.fetch();
      await readAgain;
      await route.fulfill({ response });
    });
    await form.getByLabel("New balance").fill("25.50");
    const dropped = robin.waitForEvent("requestfailed", isRehearsal);
    await asked;
    await form.getByRole("button", { name: "Adjust balance" }).click();
    await dropped;
    await form.waitFor({ state: "hidden" });
    await robin.unroute("**/api/sales/balance/*");
    expect(rehearsed).toBe(1);
    await robin.getByRole("tab", { name: "Ledger" }).click();
    await robin.getByText("Counted the till again").waitFor();

    await avery.goto(`${shop.url}/dashboard`);
    await expect(shows(avery, "$25.50")).resolves.toBe(true);
    await robin.getByRole("link", { name: "Open the history" }).click();
    await expect(shows(robin, "History of Avery Stone")).resolves.toBe(true);
  });

  it("counts an adjustment from the new balance if the balance changed in the meantime", async () => {
    const rival = await robin.context().newPage();
    for (const page of [rival, robin]) {
      await visit(page, `${shop.url}/consignors`);
      await page.getByRole("button", { name: "More for Blake Rivers" }).click();
      await page.getByRole("menuitem", { name: "Adjust balance" }).click();
      await page.getByLabel("Reason").fill("Counted the drawer");
    }
    const save = (page: Page, dollars: string) =>
      page
        .getByLabel("New balance")
        .fill(dollars)
        .then(() =>
          page.getByRole("dialog").getByRole("button", { name: "Adjust balance" }).click(),
        );
    await save(rival, "5");
    await rival.getByRole("dialog").waitFor({ state: "hidden" });
    await rival.close();
    const form = robin.getByRole("dialog");
    await form.getByLabel("New balance").fill("8");
    await form.getByText("this will be refused: The balance is $5.00 by now").waitFor();
    await save(robin, "8");
    await form.getByRole("alert").getByText("it was $0.00, now it is $5.00").waitFor();
    await form.getByRole("row", { name: /Blake Rivers.*\$5\.00.*\$8\.00.*\$3\.00/u }).waitFor();
    await save(robin, "0");
    await expect(shows(robin, "Blake Rivers now has $0.00")).resolves.toBe(true);
  });

  it("finds people by typed text, keeps usernames unique, and shows who changed what", async () => {
    await visit(robin, `${shop.url}/consignors`);
    await robin.getByRole("button", { name: "Edit Casey Brooks" }).waitFor();
    await robin.getByLabel("Search people").fill("avery@store");
    await robin.getByRole("button", { name: "Edit Casey Brooks" }).waitFor({ state: "hidden" });
    await robin.getByRole("button", { name: "Edit Avery Stone" }).click();
    const form = robin.getByRole("dialog", { name: "Edit Avery Stone" });
    await form.getByLabel("Username").fill("blake");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Username already taken").waitFor();
    await form.getByLabel("Username").fill("avery-stone");
    await form.getByLabel("Reason").fill("Asked on the phone");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    await robin.getByRole("button", { name: "Avery Stone", exact: true }).click();
    await robin.getByRole("tab", { name: "Changes" }).click();
    await expect(shows(robin, "Username: avery to avery-stone")).resolves.toBe(true);
    await expect(shows(robin, "Asked on the phone")).resolves.toBe(true);
  });

  it("opens a custom sale for the chosen person, and typing clears the choice", async () => {
    await chooseFor("Avery Stone", "Record a custom sale");
    const form = robin.getByRole("dialog", { name: "Custom sale" });
    const who = form.getByLabel("Consignor");
    await expect.poll(() => who.inputValue()).toBe("Avery Stone");
    await who.press("End");
    await who.press("x");
    await form.getByLabel("Item name").fill("Lot of lenses");
    await form.getByLabel("Amount").fill("10");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Please select a user from the dropdown").waitFor();
    await who.fill("avery-stone");
    await robin.getByRole("option", { name: /Avery Stone/u }).click();
    await form.getByRole("button", { name: "Save" }).click();
    await expect(shows(robin, "Sale recorded successfully")).resolves.toBe(true);
  });

  it("asks before Cancel, Escape, Back or a reload discards typed text, and only then", async () => {
    await openDrawer("Avery Stone");
    await robin.getByRole("button", { name: "Custom sale" }).click();
    const form = robin.getByRole("dialog", { name: "Custom sale" });
    const question = robin.getByRole("alertdialog", { name: "Discard what you entered?" });
    await form.getByLabel("Item name").fill("Box of lenses");
    await form.getByRole("button", { name: "Cancel" }).click();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await form.getByLabel("Consignor").press("Escape");
    await question.getByRole("button", { name: "Keep editing" }).click();
    await robin.evaluate(() => history.back());
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect.poll(() => robin.url()).toContain("consignor=");
    await expect.poll(() => form.getByLabel("Item name").inputValue()).toBe("Box of lenses");
    const warned = robin.waitForEvent("dialog");
    await robin.evaluate(() => void setTimeout(() => location.reload()));
    const warning = await warned;
    expect(warning.type()).toBe("beforeunload");
    await warning.dismiss();
    await robin.evaluate(() => history.back());
    await question.getByRole("button", { name: "Discard" }).click();
    await form.waitFor({ state: "hidden" });
    await robin.waitForURL(/\/consignors$/u);

    await robin.getByRole("button", { name: "More for Avery Stone" }).click();
    await robin.getByRole("menuitem", { name: "Record a custom sale" }).click();
    await form.getByLabel("Consignor").fill("avery");
    await robin.getByRole("option", { name: /Avery Stone/u }).waitFor();
    await robin.keyboard.press("Escape");
    await robin.getByRole("option").waitFor({ state: "hidden" });
    await form.getByLabel("Consignor").fill("avery-");
    await robin.getByRole("option", { name: /Avery Stone/u }).click();
    await robin.keyboard.press("Escape");
    await form.waitFor({ state: "hidden" });
  });

  it("migrates an old account that matches only by username, after an admin has confirmed it", async () => {
    await chooseFor("Blake Rivers", "Migrate inventory");
    await robin.getByRole("button", { name: "Migrate", exact: true }).click();
    await robin.getByRole("button", { name: "Blake of old belongs to Blake Rivers" }).click();
    await robin.getByRole("row", { name: /Blake Rivers.*\$42\.00/u }).waitFor();
    await visit(robin, `${shop.url}/consignors/migration?status=migrated`);
    await expect(shows(robin, "Blake Rivers")).resolves.toBe(true);
  });

  it("lists what a person sold and was paid in the old app below their sales and payouts", async () => {
    const [blake] = await shop.store.sql<{ uid: string }[]>`
      select uid from identity.profiles where email = 'blake@store.test'`;
    const history = `${shop.url}/consignors/${blake?.uid ?? ""}/history`;
    await visit(robin, `${history}?tab=sales`);
    const sold = robin.getByRole("region", { name: "Sold in the old app" });
    await sold.getByRole("row", { name: /Kettle of old.*\$20\.00.*\$10\.00/u }).waitFor();
    await visit(robin, `${history}?tab=payouts`);
    await expect(shows(robin, "Paid in the old app")).resolves.toBe(true);
    await openDrawer("Blake Rivers");
    await expect(shows(robin, "Total paid since the old app")).resolves.toBe(true);
  });

  it("reports on each user when everyone is migrated, and first shows only those whom it concerns", async () => {
    await visit(robin, `${shop.url}/consignors/migration`);
    await robin.getByRole("button", { name: "Migrate everyone" }).click();
    await robin.getByRole("alertdialog").getByRole("button", { name: "Migrate everyone" }).click();
    const report = robin.getByRole("region", { name: "Report" });
    await report.getByRole("row", { name: /blake@store\.test.*Skipped/u }).waitFor();
    const others = report.getByRole("row", { name: /no account of this user/u });
    expect(await others.count()).toBe(0);
    await report.getByRole("button", { name: "Show them" }).click();
    await others.first().waitFor();
  });

  it("makes a person an admin and reverts it. The next click shows either role", async () => {
    const blake = await shop.signedIn(await shop.visitor(), "blake@store.test");
    await giveRole("Blake Rivers", "admin");
    await blake.goto(`${shop.url}/consignors`);
    await expect(shows(blake, "Total owed")).resolves.toBe(true);
    await giveRole("Blake Rivers", "user");
    // Whichever comes first: the refused click, or the live event that removes the admin screens.
    const sentHome = blake.waitForURL(/\/dashboard/u);
    await Promise.any([sentHome, blake.getByRole("link", { name: "Sales", exact: true }).click()]);
    await sentHome;
    await shop.leave(blake.context());
  });

  it("deletes only a person with a settled balance, and ends that person's access at once", async () => {
    const casey = await shop.signedIn(await shop.visitor(), "casey@store.test");
    await chooseFor("Avery Stone", "Delete");
    await robin.getByText("cannot be deleted yet: $35.50 of balance left").waitFor();
    await expect
      .poll(() => robin.getByRole("button", { name: "Delete and erase" }).count())
      .toBe(0);
    await robin.getByRole("button", { name: "Keep user" }).click();
    await shop.person("dana@store.test", "דנה", "user");
    await chooseFor("\u2068דנה\u2069", "Delete");
    await robin.getByText("\u2068דנה\u2069 (dana@store.test) can no longer sign in").waitFor();
    await robin.getByRole("button", { name: "Keep user" }).click();
    await chooseFor("Casey Brooks", "Delete");
    await robin.getByRole("button", { name: "Delete and erase" }).click();
    await robin.getByText("User deleted successfully").waitFor();
    await robin.getByRole("button", { name: "More for Casey Brooks" }).waitFor({ state: "hidden" });
    // The row is gone, the keyboard goes on in the list.
    await expect.poll(() => robin.evaluate(focusedTag)).toBe("BUTTON");
    await visit(robin, `${shop.url}/consignors?status=deleted`);
    await robin.getByText("Deleted user").first().waitFor();
    await visit(robin, `${shop.url}/consignors?consignor=nobodyhere`);
    await robin.getByRole("dialog", { name: "Unknown person" }).waitFor();
    await casey.goto(`${shop.url}/profile`);
    await casey.waitForURL(/\/login/u);
    await expect
      .poll(() => casey.getByRole("heading", { level: 1 }).innerText())
      .toBe("Sign in to continue");
    await shop.leave(casey.context());
  });
});

describe("the profile", () => {
  let other: Page;
  beforeAll(async () => {
    other = await shop.signedIn(await shop.visitor(), "avery@store.test");
  });

  it("keeps the Discord ID and the toggle", async () => {
    await visit(avery, `${shop.url}/profile`);
    await avery.getByLabel("Discord ID").fill("12345");
    await avery.getByRole("button", { name: "Save", exact: true }).click();
    await avery.getByText("A Discord ID is a number of 17 to 20 digits").waitFor();
    await avery.getByLabel("Discord ID").fill("900000000000000042");
    await avery.getByRole("button", { name: "Save", exact: true }).click();
    await avery.getByText("Discord ID saved").waitFor();
    const toggle = avery.getByRole("switch", { name: "Discord notifications" });
    await toggle.click();
    await expect.poll(() => toggle.isEnabled()).toBe(true);
    await avery.reload();
    await expect.poll(() => avery.getByLabel("Discord ID").inputValue()).toBe("900000000000000042");
    await expect.poll(() => toggle.isChecked()).toBe(false);
  });

  it("lists the devices, signs one out, then all", async () => {
    await avery.getByText("This device").waitFor();
    await avery.getByRole("button", { name: /^Sign out Chrome/u }).click();
    await avery.getByRole("button", { name: /^Sign out Chrome/u }).waitFor({ state: "hidden" });
    await expect.poll(() => avery.evaluate(focusedTag)).toBe("H1");
    await other.goto(`${shop.url}/profile`);
    await other.waitForURL(/\/login/u);
    await shop.leave(other.context());
    await avery.getByRole("button", { name: "Sign out everywhere" }).click();
    await avery
      .getByRole("alertdialog")
      .getByRole("button", { name: "Sign out everywhere" })
      .click();
    await avery.waitForURL(/\/login/u);
    await avery.goto(`${shop.url}/profile`);
    await expect(avery.waitForURL(/\/login\?from=/u)).resolves.toBeUndefined();
  });
});

// The screens with nothing open are looked at in for-everyone.browser.test.ts.
describe("axe on what opens on these screens", () => {
  let nobody: Page;
  beforeAll(async () => {
    nobody = await (await shop.visitor()).newPage();
  });
  async function openScreen(page: Page, path: string, button?: string): Promise<void> {
    await visit(page, `${shop.url}${path}`);
    await page.getByRole("heading").first().waitFor();
    if (button !== undefined) {
      await page.getByRole("button", { name: button, exact: true }).click();
      await page.getByRole("dialog").getByRole("heading").first().waitFor();
    }
  }

  it.each([
    ["/consignors", "Avery Stone", "dark"],
    ["/consignors/migration?status=all", undefined, "light"],
  ] as const)(
    "has no axe violations: robin at %s, %s, on a desktop, %s, and on a phone, the other way round",
    async (path, button, theme) => {
      await robin.setViewportSize({ width: 1280, height: 800 });
      await openScreen(robin, path, button);
      expect(await problemsOnBoth(robin, theme)).toEqual([]);
    },
  );

  it.each([
    ["robin", "/consignors", "Edit Avery Stone", "phone", "dark"],
    ["robin", "/dashboard?setupPassword=true", undefined, "phone", "dark"],
    ["nobody", "/login?mode=signup", undefined, "desktop", "dark"],
    ["nobody", "/login?mode=reset", undefined, "phone", "light"],
    ["nobody", "/reset-password#token=abc", undefined, "desktop", "light"],
    ["nobody", "/discord-success?error=access_denied", undefined, "phone", "dark"],
  ] as const)(
    "has no axe violations: %s at %s, %s, %s, %s",
    async (who, path, button, view, theme) => {
      const page = who === "robin" ? robin : nobody;
      await showAs(page, view, theme);
      await openScreen(page, path, button);
      await showAs(page, view, theme);
      expect(await problemsOf(page)).toEqual([]);
    },
  );

  it("logged no errors except the refusals under test", () => {
    expect(
      shop.pageErrors.filter((error) => !/status of 40[0139]|ERR_FAILED/u.test(error)),
    ).toEqual([]);
  });
});
