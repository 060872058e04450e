// What is typed or chosen on the profile survives Escape, another tab, another screen and a slow answer.
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { waitUntilStill } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import { holdAnswers } from "#testing/till/till-hands.ts";

let shop: BrowserStore;
let robin: Page;
let averysBrowser: BrowserContext;
let avery: Page;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("robin@store.test", "Robin Admin", "admin");
  await shop.person("avery@store.test", "Avery Stone", "user");
  robin = await shop.signedIn(await shop.visitor(), "robin@store.test");
  averysBrowser = await shop.visitor();
  avery = await shop.signedIn(averysBrowser, "avery@store.test");
});

afterAll(() => shop.close());

it("asks before what was typed for the username or the password is discarded", async () => {
  await visit(avery, `${shop.url}/profile`);
  const question = avery.getByRole("alertdialog", { name: "Discard what you entered?" });
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

it("keeps what is half typed when another tab saves the other handle and a Discord ID", async () => {
  await visit(avery, `${shop.url}/profile`);
  await avery.getByLabel("CashApp").fill("$half-typed");
  await avery.getByLabel("Discord ID").fill("9000");
  const tab = await averysBrowser.newPage();
  await tab.goto(`${shop.url}/profile`);
  await tab.getByLabel("Venmo").fill("@avery-stone");
  await tab.getByRole("button", { name: "Save payout handles" }).click();
  await tab.getByText("Payout handles saved").waitFor();
  await tab.getByLabel("Discord ID").fill("900000000000000042");
  await tab.getByRole("button", { name: "Save", exact: true }).click();
  await tab.getByText("Discord ID saved").waitFor();
  await tab.close();
  // After a change of one's own everything is read again.
  await avery.getByRole("switch", { name: "Discord notifications" }).click();
  await expect.poll(() => avery.getByLabel("Venmo").inputValue()).toBe("@avery-stone");
  await avery.getByText("Direct messages about your sales, payouts and shipments").waitFor();
  await expect.poll(() => avery.getByLabel("CashApp").inputValue()).toBe("$half-typed");
  await expect.poll(() => avery.getByLabel("Discord ID").inputValue()).toBe("9000");
  await avery.getByLabel("CashApp").fill("");
  await expect
    .poll(() => avery.getByRole("button", { name: "Save payout handles" }).isDisabled())
    .toBe(true);
});

it("asks before a typed Discord ID is lost by leaving the screen", async () => {
  await avery.getByLabel("Discord ID").fill("900000000000000043");
  await avery.getByRole("link", { name: "Dashboard" }).first().click();
  const question = avery.getByRole("alertdialog", { name: "Discard what you entered?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await avery.getByRole("button", { name: "Save", exact: true }).click();
  await avery.getByText("Discord ID saved").waitFor();
  await avery.getByRole("link", { name: "Dashboard" }).first().click();
  await expect.poll(() => new URL(avery.url()).pathname).toBe("/dashboard");
});

it("saves two kinds of notifications that are chosen one right after the other", async () => {
  await visit(avery, `${shop.url}/profile`);
  const box = (kind: string) =>
    avery.getByRole("checkbox", { name: `${kind}: tell me in the app` });
  const kinds = ["A payout is paid", "A payout comes back"];
  const settings = /\/api\/notifications\/settings$/u;
  await box("A payout is paid").waitFor();
  const answer = await holdAnswers(avery, settings);
  const sent: (string | null)[] = [];
  avery.on("request", (request) => {
    if (request.method() === "PUT" && settings.test(request.url())) {
      sent.push(request.postData());
    }
  });
  for (const kind of kinds) {
    await box(kind).click();
  }
  await expect.poll(() => sent).toHaveLength(2);
  answer();
  for (const kind of kinds) {
    await expect.poll(() => box(kind).isEnabled()).toBe(true);
  }
  await waitUntilStill(avery);
  await avery.unroute(settings);
  await avery.reload();
  await box("A payout is paid").waitFor();
  for (const kind of kinds) {
    await expect.poll(() => box(kind).isChecked()).toBe(false);
  }
});

it("saves the start screen that was chosen last, also while the one before is on its way", async () => {
  await visit(robin, `${shop.url}/profile`);
  const choice = (name: string) => robin.getByRole("radio", { name, exact: true });
  await choice("My Dashboard").waitFor({ state: "attached" });
  const own = /\/api\/auth\/me$/u;
  const sent: (string | null)[] = [];
  robin.on("request", (request) => {
    if (request.method() === "PUT" && own.test(request.url())) {
      sent.push(request.postData());
    }
  });
  const answer = await holdAnswers(robin, own);
  await choice("Today").press("Space");
  await expect.poll(() => sent).toEqual(['{"landsOn":"today"}']);
  await choice("My Dashboard").press("Space");
  answer();
  await expect.poll(() => sent).toEqual(['{"landsOn":"today"}', '{"landsOn":"dashboard"}']);
  await waitUntilStill(robin);
  await robin.unroute(own);
  await robin.reload();
  await expect.poll(() => choice("My Dashboard").isChecked()).toBe(true);
});

it("no page logged an error", () => {
  expect(shop.pageErrors).toEqual([]);
});

it("saves a username when Enter is pressed while the name is still checked, unless somebody has it", async () => {
  await visit(avery, `${shop.url}/profile`);
  await avery.getByRole("button", { name: "Change the username", exact: true }).click();
  const dialog = avery.getByRole("dialog", { name: "Change your username" });
  const name = dialog.getByLabel("Username", { exact: true });
  // No check is answered any more.
  await avery.route(/\/api\/auth\/check-username/u, () => undefined);
  await name.fill("robin");
  await name.press("Enter");
  await dialog.getByText("Username already taken").waitFor();
  await name.fill("avery-stone");
  await name.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => avery.getByText("Your username is avery-stone").count()).toBe(1);
  await avery.unroute(/\/api\/auth\/check-username/u);
});
