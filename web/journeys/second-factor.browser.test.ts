// Second factors in a real browser, with Chromium's virtual authenticator: set up, signed in with, confirmed with, lost.
import { randomUUID } from "node:crypto";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import { hotp, stepOf } from "#identity/totp.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth } from "#testing/browser/look-at.ts";
import { fromBase32 } from "#testing/service/factor-hands.ts";
import { visit } from "#testing/browser/visit.ts";

const password = "a-password-of-tests";
const nextPassword = "the-next-password";

let shop: BrowserStore;
/** Passkeys need a name, and the store listens on 127.0.0.1. */
let named: string;
let robin: Page;
let casey: string;
let robinsSecret: Uint8Array;
let averysBrowser: BrowserContext;
let avery: Page;

beforeAll(async () => {
  shop = await openBrowserStore({ ADMIN_SECOND_FACTOR: "required" });
  named = shop.url.replace("127.0.0.1", "localhost");
  await shop.person("robin@store.test", "Robin Admin", "admin");
  await shop.person("avery@store.test", "Avery Stone", "user");
  casey = await shop.person("casey@store.test", "Casey Brooks", "user");
  robin = await shop.signedIn(await shop.visitor(), "robin@store.test");
  averysBrowser = await shop.visitor();
  avery = await averysBrowser.newPage();
});

afterAll(() => shop.close());

/** Everyone who is signed in signed in an hour ago. */
async function anHourLater(): Promise<void> {
  await shop.store.sql`
    update identity.refresh_families set authenticated_at = authenticated_at - interval '1 hour'`;
}

/** What the app shows now. The code before it counts as long ago, so that no test waits for the next one. */
async function nextCode(secret: Uint8Array): Promise<string> {
  await shop.store.sql`
    update identity.factors set last_step = last_step - 2 where kind = 'totp'`;
  return hotp(secret, stepOf(shop.store.clock()));
}

const dialogOf = (page: Page, name: string): Locator => page.getByRole("dialog", { name });

/** Takes the codes that are shown once. */
async function keepCodes(page: Page): Promise<readonly string[]> {
  const dialog = dialogOf(page, "Keep your recovery codes");
  await dialog.getByRole("listitem").first().waitFor();
  const codes = await dialog.getByRole("listitem").allInnerTexts();
  await dialog.getByLabel("I have kept these codes").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "hidden" });
  return codes;
}

/** On the login screen, up to what comes after the password. */
async function typePassword(page: Page, word = nextPassword): Promise<void> {
  await page.goto(`${named}/login`);
  await page.getByLabel("Email").fill("avery@store.test");
  await page.getByLabel("Password", { exact: true }).fill(word);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Rejects if the dashboard never appears. */
async function isIn(page: Page): Promise<true> {
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  return true;
}

/** Ends the session as a closed browser would lose it; passkeys stay in the device. */
async function leave(page: Page): Promise<void> {
  await page.goto("about:blank");
  await averysBrowser.clearCookies();
}

describe("an admin of a store that requires a second factor", () => {
  it("is led to set one up and sees nothing else before", async () => {
    await robin.goto(`${shop.url}/consignors`);
    await robin.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    await robin.getByText("Passkeys need an address with a name.").waitFor();
    expect(await problemsOnBoth(robin)).toEqual([]);
    await robin.getByRole("button", { name: "Add an authenticator app" }).click();
    const dialog = dialogOf(robin, "Add an authenticator app");
    await dialog.getByRole("img", { name: /QR code/u }).waitFor();
    expect(await problemsOnBoth(robin)).toEqual([]);
    const key = await dialog.getByText(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/u).innerText();
    robinsSecret = fromBase32(key.replaceAll(" ", ""));
    await dialog.getByLabel("Code from the app").fill("000000");
    await dialog.getByRole("button", { name: "Add app" }).click();
    await dialog.getByText("This code is wrong or was used before").waitFor();
    // As fast as a password manager, which is as fast as a scanner.
    await dialog.getByLabel("Code from the app").fill("");
    await robin.keyboard.type(hotp(robinsSecret, stepOf(shop.store.clock())));
    await robin.keyboard.press("Enter");
    await dialogOf(robin, "Keep your recovery codes").getByRole("listitem").first().waitFor();
    expect(await problemsOnBoth(robin)).toEqual([]);
    expect(await keepCodes(robin)).toHaveLength(10);
    await robin.getByRole("heading", { level: 1, name: "Consignors" }).waitFor();
  });

  it("confirms who they are an hour later, and the same request is carried out", async () => {
    await anHourLater();
    const keys: string[] = [];
    robin.on("request", (request) => {
      if (request.method() === "DELETE") {
        keys.push(request.headers()["idempotency-key"] ?? "none");
      }
    });
    await robin.reload();
    await robin.getByRole("button", { name: "More for Casey Brooks" }).click();
    await robin.getByRole("menuitem", { name: "Delete" }).click();
    await robin.getByRole("button", { name: "Delete and erase" }).click();
    const dialog = dialogOf(robin, "Confirm it's you");
    const field = dialog.getByLabel("Code from your authenticator app");
    await field.waitFor();
    expect(await problemsOnBoth(robin)).toEqual([]);
    await robin.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await robin.getByRole("button", { name: "Delete and erase" }).click();
    await field.waitFor();
    expect(await robin.getByText("Failed to delete user").count()).toBe(0);
    await field.fill("000000");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.getByText("This code is wrong or was used before").waitFor();
    // A refusal after the confirmation: the question below is still open, and the keyboard goes on in it.
    const saleId = randomUUID();
    const happenedAt = shop.store.clock().toISOString();
    const sale = { consignorId: casey, itemName: "Cable lot", amountCents: 500 };
    await shop.execute(recordCustomSale, { saleId, ...sale, happenedAt });
    await field.fill(await nextCode(robinsSecret));
    await field.press("Enter");
    await robin.getByText(/Failed to delete user: .*\$5\.00 of balance left/u).waitFor();
    const focused = () =>
      robin.evaluate(() => document.activeElement?.closest("button")?.textContent);
    await expect.poll(focused).toContain("Delete and erase");
    const whole = { units: 1, amountCents: null, restock: false, expectedVersion: null };
    await shop.execute(refundSale, { saleId, ...whole, noteId: null, happenedAt });
    await robin.keyboard.press("Enter");
    await robin.getByText("User deleted successfully").waitFor();
    // The one that was left, one with the same key before and after the confirmation, and another after the refusal.
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(3);
  });
});

describe("a consignor", () => {
  let codes: readonly string[];

  it("adds a passkey on the profile", async () => {
    const device = await averysBrowser.newCDPSession(avery);
    await device.send("WebAuthn.enable");
    await device.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await typePassword(avery, password);
    expect(await isIn(avery)).toBe(true);
    await visit(avery, `${named}/profile`);
    await avery.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = dialogOf(avery, "Add a passkey");
    await dialog.getByLabel("Name").fill("Work laptop");
    expect(await problemsOnBoth(avery)).toEqual([]);
    await dialog.getByRole("button", { name: "Add passkey" }).click();
    codes = await keepCodes(avery);
    await avery.getByText("10 recovery codes are left.").waitFor();
    await expect
      .poll(() => avery.getByRole("button", { name: "Remove Work laptop" }).isVisible())
      .toBe(true);
  });

  it("changes the password on the profile", async () => {
    await avery.getByRole("button", { name: "Change password" }).click();
    const dialog = dialogOf(avery, "Change your password");
    const nowFocused = () => avery.evaluate(() => document.activeElement?.getAttribute("name"));
    await expect.poll(nowFocused).toBe("oldPassword");
    await dialog.getByLabel("Current password", { exact: true }).fill(password);
    await dialog.getByLabel("New password", { exact: true }).fill("password1");
    await dialog.getByLabel("Confirm new password", { exact: true }).fill("password1");
    await dialog.getByRole("button", { name: "Change password" }).click();
    await dialog.getByText("This password is easy to guess. Choose another one").waitFor();
    expect(await problemsOnBoth(avery)).toEqual([]);
    await dialog.getByLabel("New password", { exact: true }).fill(nextPassword);
    await dialog.getByLabel("Confirm new password", { exact: true }).fill(nextPassword);
    await dialog.getByRole("button", { name: "Change password" }).click();
    await avery.getByText("Password changed").first().waitFor();
  });

  it("signs in with the passkey and nothing else", async () => {
    await leave(avery);
    await avery.goto(`${named}/login`);
    await avery.getByRole("button", { name: "Sign in with a passkey" }).click();
    expect(await isIn(avery)).toBe(true);
  });

  it("signs in with the password and the passkey as the second step", async () => {
    await leave(avery);
    await typePassword(avery);
    const dialog = dialogOf(avery, "Second step");
    await dialog.getByRole("button", { name: "Use a recovery code" }).waitFor();
    expect(await problemsOnBoth(avery)).toEqual([]);
    await dialog.getByRole("button", { name: "Use passkey" }).click();
    expect(await isIn(avery)).toBe(true);
  });

  it("signs in with a recovery code, once", async () => {
    await leave(avery);
    await typePassword(avery);
    const dialog = dialogOf(avery, "Second step");
    await dialog.getByRole("button", { name: "Use a recovery code" }).click();
    await avery.keyboard.type("aaaa-aaaa-aaaa-aaaa");
    await avery.keyboard.press("Enter");
    await dialog.getByText("This code is wrong or was used before").waitFor();
    expect(await problemsOnBoth(avery)).toEqual([]);
    await avery.keyboard.type(codes[0] ?? "");
    await avery.keyboard.press("Enter");
    expect(await isIn(avery)).toBe(true);
  });

  it("who lost everything is helped by an admin, and then needs only the password", async () => {
    await robin.getByRole("button", { name: "More for Avery Stone" }).click();
    await robin.getByRole("menuitem", { name: "Reset second factor" }).click();
    await robin
      .getByRole("alertdialog", { name: "Reset the second factor of Avery Stone?" })
      .getByRole("button", { name: "Reset second factor" })
      .click();
    await robin
      .getByText("Second factors of Avery Stone removed. They were told by email.")
      .waitFor();
    await leave(avery);
    await typePassword(avery);
    expect(await isIn(avery)).toBe(true);
  });
});
