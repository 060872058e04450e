// Confirming who one is, in a real browser.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth } from "#testing/browser/look-at.ts";

const password = "a-password-of-tests";

let shop: BrowserStore;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("robin@store.test", "Robin Admin", "admin");
  await shop.person("casey@store.test", "Casey Brooks", "user");
});

afterAll(() => shop.close());

/** Everyone who is signed in signed in an hour ago. */
async function anHourLater(): Promise<void> {
  await shop.store.sql`
    update identity.refresh_families set authenticated_at = authenticated_at - interval '1 hour'`;
}

async function deleteUser(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete and erase" }).click();
}

describe("an admin who signed in an hour ago", () => {
  it("confirms who they are before a person is deleted, and the same request is carried out", async () => {
    const robin = await shop.signedIn(await shop.visitor(), "robin@store.test");
    await anHourLater();
    const keys: string[] = [];
    robin.on("request", (request) => {
      if (request.method() === "DELETE") {
        keys.push(request.headers()["idempotency-key"] ?? "none");
      }
    });
    await robin.goto(`${shop.url}/consignors`);
    await deleteUser(robin, "Casey Brooks");
    const dialog = robin.getByRole("dialog", { name: "Confirm it's you" });
    const field = dialog.getByLabel("Password", { exact: true });
    await field.waitFor();
    expect(await problemsOnBoth(robin)).toEqual([]);
    await field.fill("not my password");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.getByText("Incorrect password.").waitFor();
    await field.fill(password);
    await field.press("Enter");
    await robin.getByText("User deleted successfully").waitFor();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });
});
