// One's own account in a real browser: what letters' links do to it, an admin ends a session, and its data are downloaded.
import { readFile } from "node:fs/promises";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth, showAs } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";

let shop: BrowserStore;
let robin: Page;
let sam: Page;
let avery: Page;
let letterBrowser: BrowserContext;

const OLD = "sam@store.test";
const NEW = "sam.new@store.test";

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("robin@store.test", "Robin Admin", "admin");
  await shop.person(OLD, "Sam Deputy", "admin");
  await shop.person("avery@store.test", "Avery Stone", "user");
  const signedIn = async (email: string) => shop.signedIn(await shop.visitor(), email);
  [robin, sam, avery] = await Promise.all([
    signedIn("robin@store.test"),
    signedIn(OLD),
    signedIn("avery@store.test"),
  ]);
  letterBrowser = await shop.visitor();
});

afterAll(() => shop.close());

async function openSignInTab(name: string): Promise<void> {
  await visit(robin, `${shop.url}/consignors?view=sign-in`);
  await robin.getByRole("button", { name, exact: true }).click();
  await robin.getByRole("list", { name: "Signed-in devices" }).waitFor();
}

/** The newest link with these words in a letter to this address: a worker sends letters. */
async function linkTo(email: string, words: string): Promise<string> {
  const link = async () =>
    (await shop.mailedLinks(email)).findLast((url) => url.includes(words)) ?? "";
  await expect.poll(link).not.toBe("");
  return link();
}

async function openLetter(email: string): Promise<Page> {
  const page = await letterBrowser.newPage();
  await page.goto(await linkTo(email, "email-change"));
  await page.getByRole("button", { name: "Agree to the change" }).waitFor();
  return page;
}

it("another admin's email changes once both addresses have agreed, and that admin signs in again", async () => {
  await visit(robin, `${shop.url}/consignors`);
  await robin.getByRole("button", { name: "Edit Sam Deputy" }).click();
  const form = robin.getByRole("dialog", { name: "Edit Sam Deputy" });
  await form.getByLabel("Email").fill(NEW);
  await form.getByText("Both get an email").waitFor();
  await form.getByRole("button", { name: "Save" }).click();
  await robin.getByText("The email changes once both addresses have agreed").first().waitFor();

  await openSignInTab("Sam Deputy");
  await robin.getByText("once the new address and the current address have agreed").waitFor();
  expect(await problemsOnBoth(robin)).toEqual([]);

  const first = await openLetter(NEW);
  expect(await problemsOnBoth(first, "dark")).toEqual([]);
  await first.getByRole("button", { name: "Agree to the change" }).click();
  await first.getByText("The email changes when the current address has agreed too").waitFor();

  const second = await openLetter(OLD);
  await second.getByRole("button", { name: "Agree to the change" }).click();
  await second.getByText(`The email is ${NEW} from now on`).waitFor();
  const late = await openLetter(OLD);
  await late.getByRole("button", { name: "Agree to the change" }).click();
  await late.getByRole("link", { name: "Go to sign-in" }).waitFor();
  await expect.poll(() => late.getByRole("button", { name: /the change$/u }).count()).toBe(0);
  await sam.goto(`${shop.url}/dashboard`);
  await expect.poll(() => new URL(sam.url()).pathname).toBe("/login");
  await shop.signedIn(sam.context(), NEW);
});

it("an admin ends a person's session, and that browser has to sign in again", async () => {
  await openSignInTab("Avery Stone");
  const devices = robin.getByRole("list", { name: "Signed-in devices" });
  await devices.getByRole("button", { name: /^Sign out / }).click();
  await robin.getByText("Not signed in anywhere.").waitFor();
  await avery.goto(`${shop.url}/dashboard`);
  await expect.poll(() => new URL(avery.url()).pathname).toBe("/login");
});

it("invites somebody, whose link opens the account with a username and a password", async () => {
  await visit(robin, `${shop.url}/consignors`);
  const invite = robin.getByRole("button", { name: "Invite consignor" });
  // On a phone too, the main button comes first and the icon for the rest after it.
  await showAs(robin, "phone", "light");
  const startsAt = async (button: Locator) => (await button.boundingBox())?.x;
  const more = robin.getByRole("button", { name: "More", exact: true });
  await expect
    .poll(async () => Number(await startsAt(more)) > Number(await startsAt(invite)))
    .toBe(true);
  await showAs(robin, "desktop", "light");
  await invite.click();
  const form = robin.getByRole("dialog", { name: "Invite consignor" });
  await form.getByLabel("Email").fill("ida@store.test");
  await form.getByLabel("Name").fill("Ida Invited");
  await form.getByRole("button", { name: "Send invitation" }).click();
  const overview = robin.getByRole("region", { name: "Invitation" });
  await overview.getByText("Its link works until").waitFor();
  const ida = await letterBrowser.newPage();
  const invitation = await linkTo("ida@store.test", "#invitation=");
  await ida.goto(invitation);
  await ida.getByText("You sign in with ida@store.test").waitFor();
  // Somebody else's link, opened in the same tab, counts from then on, and so does none at all.
  await ida.goto(`${shop.url}/reset-password#token=of-somebody-else`);
  await ida.getByRole("heading", { name: "Set a new password" }).waitFor();
  await expect.poll(() => new URL(ida.url()).hash).toBe("");
  await ida.reload();
  await ida.getByLabel("New password").waitFor();
  // A link that the server refuses is forgotten.
  await ida.goto(`${shop.url}/reset-password#invitation=revoked`);
  await ida.getByRole("link", { name: "Sign in" }).waitFor();
  await ida.reload();
  await ida.getByText("This link is incomplete").waitFor();
  await ida.goto(invitation);
  await ida.getByText("You sign in with ida@store.test").waitFor();
  expect(await problemsOnBoth(ida)).toEqual([]);
  await ida.getByLabel("Username").fill("ida");
  await ida.getByLabel("Password", { exact: true }).fill("a-drawer-of-spoons");
  await ida.getByRole("button", { name: "Open my account" }).click();
  await ida.getByRole("heading", { name: "Dashboard" }).waitFor();
  await ida.close();
});

it("downloads the person's own data", async () => {
  await visit(robin, `${shop.url}/profile`);
  const download = robin.waitForEvent("download");
  await robin.getByRole("button", { name: "Download your data" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^consignment-ledger-my-data-.*\.json$/u);
  expect(await readFile(await file.path(), "utf8")).toContain("robin@store.test");
});

it("logged no errors except the refusals under test", () => {
  expect(
    shop.pageErrors.filter(
      (error) =>
        !/status of 401|status of 400 .*(?:email-change\/agree|identity\/invitation)/u.test(error),
    ),
  ).toEqual([]);
});
