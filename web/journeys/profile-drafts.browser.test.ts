// What is typed in the dialogs of the profile is not lost by Escape or Cancel.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { visit } from "#testing/browser/visit.ts";

let shop: BrowserStore;
let avery: Page;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("avery@store.test", "Avery Stone", "user");
  avery = await shop.signedIn(await shop.visitor(), "avery@store.test");
});

afterAll(() => shop.close());

it("asks before what was typed for the username or the password is discarded", async () => {
  await visit(avery, `${shop.url}/profile`);
  const question = avery.getByRole("alertdialog", { name: "Discard what you typed?" });
  for (const [open, title, field, typed] of [
    ["Change the username", "Change your username", "Username", "avery-typed"],
    ["Change password", "Change your password", "Current password", "half a password"],
  ] as const) {
    await avery.getByRole("button", { name: open, exact: true }).click();
    const dialog = avery.getByRole("dialog", { name: title });
    const input = dialog.getByLabel(field, { exact: true });
    await input.fill(typed);
    await input.press("Escape");
    await question.getByRole("button", { name: "Keep editing" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect.poll(() => input.inputValue()).toBe(typed);
    await dialog.getByRole("button", { name: "Close" }).click();
    await question.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "hidden" });
  }
});

it("no page logged an error", () => {
  expect(shop.pageErrors).toEqual([]);
});
