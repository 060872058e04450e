// Every way to sign in, in a real browser: setup link, email links, Google, Discord, backup password, and staying signed in with five tabs.
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSetupLink } from "#identity/setup-link.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import type { DiscordStandIn } from "#testing/service/discord-stand-in.ts";
import { startDiscord } from "#testing/service/discord-stand-in.ts";
import type { GoogleStandIn } from "#testing/service/google-stand-in.ts";
import { startGoogle } from "#testing/service/google-stand-in.ts";
import { problemsOnBoth } from "#testing/browser/look-at.ts";
import { stopClock } from "#testing/browser/page-clock.ts";
import { visit } from "#testing/browser/visit.ts";

let shop: BrowserStore;
let discord: DiscordStandIn;
let google: GoogleStandIn;
/** Never signed in. */
let nobody: Page;

beforeAll(async () => {
  [discord, google] = await Promise.all([startDiscord(), startGoogle()]);
  shop = await openBrowserStore({
    DISCORD_CLIENT_ID: discord.settings.clientId,
    DISCORD_CLIENT_SECRET: discord.settings.clientSecret,
    DISCORD_BASE_URL: discord.settings.baseUrl,
    GOOGLE_CLIENT_ID: google.settings.clientId,
    GOOGLE_CLIENT_SECRET: google.settings.clientSecret,
    GOOGLE_ISSUER: google.settings.baseUrl,
  });
  nobody = await (await shop.visitor()).newPage();
});

afterAll(async () => {
  await shop.close();
  await Promise.all([discord.close(), google.close()]);
});

const visitors: BrowserContext[] = [];

/** A browser of its own, left after the test. */
async function visitor(): Promise<BrowserContext> {
  const opened = await shop.visitor();
  visitors.push(opened);
  return opened;
}

afterEach(() => Promise.all(visitors.splice(0).map((opened) => shop.leave(opened))));

/** The login screen, in a new browser. */
async function loginPage(path = "/login"): Promise<Page> {
  const page = await (await visitor()).newPage();
  await page.goto(`${shop.url}${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

async function enterCredentials(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

async function newestLink(email: string): Promise<string> {
  await expect.poll(async () => (await shop.mailedLinks(email)).length).toBeGreaterThan(0);
  return (await shop.mailedLinks(email)).at(-1) ?? "";
}

/** Waits until the page shows a text; rejects if it never does. */
async function shows(page: Page, text: string): Promise<true> {
  await page.getByText(text).first().waitFor();
  return true;
}

async function signOut(page: Page): Promise<void> {
  await page.locator("header").first().getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/login$/u);
}

function passwordOf(email: string): string {
  return `a-password-of-${email}`;
}

describe("the setup link", () => {
  it("makes the person who signs up with it the first admin, once", async () => {
    const link = await createSetupLink(shop.store.sql, () => new Date(), shop.url);
    const page = await loginPage(new URL(link ?? "").pathname + new URL(link ?? "").hash);
    await page.getByText("Then you can become the store's first admin.").waitFor();
    await expect.poll(() => page.url()).toBe(`${shop.url}/login`);
    await page.getByRole("heading", { name: "Create your account" }).waitFor();
    await enterCredentials(page, "first@store.test", passwordOf("first"));
    await page.getByRole("button", { name: "Become admin" }).click();
    await page.getByRole("region", { name: "First steps" }).waitFor();
    expect(await page.getByText(/^Last .*day/u).count()).toBe(0);
    // The link is used up for everyone.
    await page.goto(link ?? "");
    await page.getByRole("button", { name: "Become admin" }).click();
    await page.getByText("This set-up link was used, replaced or has expired").waitFor();
  });
});

describe("email and password", () => {
  it("signs up, verifies with the emailed link, resets by email, signs in", async () => {
    const page = await loginPage();
    await page.getByLabel("Email").fill("mia@people.test");
    await page.getByRole("button", { name: "Don't have an account? Sign up" }).click();
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).innerText())
      .toBe("Create your account");
    // The typed address survives the change of mode.
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe("mia@people.test");
    await page.getByLabel("Display name").fill("Mia Lang");
    await page.getByLabel("Password", { exact: true }).fill(passwordOf("mia"));
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(/\/dashboard/u);
    await page.goto(`${shop.url}/profile`);
    await page.getByText("Not verified", { exact: true }).waitFor();

    // A mail app opens links in a browser of its own, in which nobody is signed in.
    const mailApp = await loginPage();
    await mailApp.goto(await newestLink("mia@people.test"));
    await mailApp.getByLabel("Email").fill("mia@people.test");
    await mailApp.getByLabel("Password", { exact: true }).fill(passwordOf("mia"));
    await mailApp.getByRole("button", { name: "Sign in", exact: true }).click();
    await mailApp.getByText("mia@people.test is verified.").waitFor();
    await expect.poll(() => mailApp.url()).toBe(`${shop.url}/verify-email`);
    // The profile that is open follows, without being loaded again.
    await page.getByText("Verified", { exact: true }).waitFor();

    const elsewhere = await loginPage();
    await elsewhere.getByLabel("Email").fill("mia@people.test");
    await elsewhere.getByRole("button", { name: "Forgot password?" }).click();
    await expect
      .poll(() => elsewhere.getByRole("button", { name: /Sign in with (Google|Discord)/u }).count())
      .toBe(0);
    await elsewhere.getByRole("button", { name: "Send reset email" }).click();
    await elsewhere.getByText("Password reset email sent! Check your inbox.").waitFor();
    await expect.poll(() => elsewhere.getByLabel("Email").inputValue()).toBe("");
    await expect
      .poll(async () => new URL(await newestLink("mia@people.test")).pathname)
      .toBe("/reset-password");
    const link = await newestLink("mia@people.test");
    await elsewhere.goto(link);
    await elsewhere.getByLabel("New password").fill("12345");
    await elsewhere.keyboard.press("Enter");
    await elsewhere.getByText("Password should be at least 6 characters.").waitFor();
    await elsewhere.getByLabel("New password").fill("another-password");
    await elsewhere.keyboard.press("Enter");
    await elsewhere.getByRole("link", { name: "Sign in" }).click();
    await enterCredentials(elsewhere, "mia@people.test", passwordOf("mia"));
    await elsewhere.getByText("Incorrect password.").waitFor();
    await enterCredentials(elsewhere, "mia@people.test", "another-password");
    await elsewhere.waitForURL(/\/dashboard/u);
    // The link worked once, and the reset ended the session in the first browser.
    await elsewhere.goto(link);
    await elsewhere.getByLabel("New password").fill("a-third-password");
    await elsewhere.keyboard.press("Enter");
    await elsewhere.getByText("This link was used or has expired.").waitFor();
    await page.reload();
    await page.waitForURL(/\/login/u);
  });

  it("mails the link also to a person who leaves as soon as the account is made", async () => {
    const page = await loginPage();
    await page.getByRole("button", { name: "Don't have an account? Sign up" }).click();
    await page.getByLabel("Display name").fill("Lee Hasty");
    // What the page asks for once there is an account is lost.
    let hasAccount = false;
    page.on("response", (response) => {
      hasAccount ||= response.url().endsWith("/identity/sign-up");
    });
    await page.route(/\.js$/u, (route) => (hasAccount ? route.abort() : route.continue()));
    await enterCredentials(page, "lee@people.test", passwordOf("lee"));
    await expect.poll(() => hasAccount).toBe(true);
    expect(await newestLink("lee@people.test")).toContain("/verify-email");
  });

  it("reports errors in the specified words", async () => {
    const page = nobody;
    await visit(page, `${shop.url}/login`);
    await enterCredentials(page, "nobody@people.test", "whatever");
    await expect(shows(page, "No account found with this email.")).resolves.toBe(true);
    await enterCredentials(page, "not-an-address", "whatever");
    await expect(shows(page, "Invalid email address.")).resolves.toBe(true);
    await page.getByRole("button", { name: "Don't have an account? Sign up" }).click();
    await enterCredentials(page, "mia@people.test", "a-password-nobody-guesses");
    await expect(
      shows(page, "This email is already registered. Try signing in instead."),
    ).resolves.toBe(true);
  });
});

describe("Google", () => {
  it("signs a new user in with the pop-up and closes it", async () => {
    google.user = {
      sub: "100000000000000000007",
      email: "gus@gmail.test",
      email_verified: true,
      name: "Gus Green",
    };
    const page = await loginPage("/login?from=%2Fprofile");
    const popup = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Sign in with Google" }).click();
    await page.waitForURL(/\/profile/u);
    await page.getByText("Gus Green").first().waitFor();
    await expect.poll(async () => (await popup).isClosed()).toBe(true);
    await page.getByRole("button", { name: "Unlink Google" }).click();
    const asked = page.getByRole("alertdialog", { name: "Unlink Google?" });
    await asked.getByText("You could not sign in without Google.").waitFor();
    expect(await asked.getByRole("button").allInnerTexts()).toEqual(["Keep Google"]);
  });

  it("reports a failure if Google does not answer", async () => {
    google.status = 503;
    await visit(nobody, `${shop.url}/login`);
    await nobody.getByRole("button", { name: "Sign in with Google" }).click();
    await expect(shows(nobody, "Failed to sign in with Google")).resolves.toBe(true);
    google.status = 200;
  });
});

describe("Discord", () => {
  const dana = {
    id: "900000000000000042",
    username: "dana",
    global_name: "Dana Reed",
    email: "dana@people.test",
    verified: true,
  };

  it("asks a new user for a username, then for a backup password that can be used to sign in afterwards", async () => {
    discord.user = dana;
    const page = await loginPage();
    const addresses: string[] = [];
    page.on("framenavigated", (frame) => addresses.push(frame.url()));
    await page.getByRole("button", { name: "Sign in with Discord" }).click();
    await page.waitForURL(/\/dashboard\?setupPassword=true/u);
    expect(addresses.some((address) => address.includes("/discord-success?token="))).toBe(true);
    // The token is not in the history: going back leads to the login screen, which redirects here.
    await page.goBack();
    await expect.poll(() => page.url()).not.toContain("token");
    await page.goto(`${shop.url}/dashboard?setupPassword=true`);

    const username = page.getByRole("dialog", { name: "Choose a username" });
    await username.getByLabel("Username").fill("x!");
    await username
      .getByText("Username must be 3-20 characters (letters, numbers, hyphens, underscores)")
      .waitFor();
    await expect
      .poll(() => username.getByRole("button", { name: "Continue" }).isEnabled())
      .toBe(false);
    await username.getByLabel("Username").fill("Dana_Reed");
    await username.getByText("Available").waitFor();
    await username.getByRole("button", { name: "Continue" }).click();

    const backup = page.getByRole("dialog", { name: "Set up a backup password" });
    await backup.getByLabel("Password", { exact: true }).fill("dana-backup");
    await backup.getByLabel("Confirm password").fill("dana-bakcup");
    await backup.getByRole("button", { name: "Set password" }).click();
    await backup.getByText("Passwords do not match").waitFor();
    await backup.getByLabel("Confirm password").fill("dana-backup");
    await backup.getByRole("button", { name: "Set password" }).click();
    await backup.waitFor({ state: "hidden" });
    await expect.poll(() => page.url()).toBe(`${shop.url}/dashboard`);

    await signOut(page);
    await enterCredentials(page, "dana@people.test", "dana-backup");
    await page.waitForURL(/\/dashboard$/u);
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("returns to the page that was asked for", async () => {
    discord.user = dana;
    const page = await loginPage("/sales-history?tab=payouts");
    await page.getByRole("button", { name: "Sign in with Discord" }).click();
    await page.waitForURL(/\/sales-history/u);
    await expect.poll(() => page.url()).toBe(`${shop.url}/sales-history?tab=payouts`);
  });

  it("does not sign in any more once it is unlinked on the profile, until it is allowed again there", async () => {
    discord.user = dana;
    const page = await loginPage("/login?from=%2Fprofile");
    await enterCredentials(page, "dana@people.test", "dana-backup");
    await page.getByRole("button", { name: "Unlink Discord" }).click();
    const asked = page.getByRole("alertdialog", { name: "Unlink Discord?" });
    await asked.getByText("The store's messages still go to your Discord ID.").waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    await asked.getByRole("button", { name: "Unlink Discord" }).click();
    const allow = page.getByRole("button", { name: "Allow again: Discord" });
    await allow.waitFor();
    await expect
      .poll(() => allow.evaluate((button) => button === document.activeElement))
      .toBe(true);
    const elsewhere = await loginPage();
    await elsewhere.getByRole("button", { name: "Sign in with Discord" }).click();
    await elsewhere.getByText("You unlinked this from your account.").waitFor();
    await allow.click();
    await page.getByText("Discord is linked again when you next sign in with it").waitFor();
    await elsewhere.waitForURL(/\/login$/u);
    await elsewhere.getByRole("button", { name: "Sign in with Discord" }).click();
    await elsewhere.waitForURL(/\/dashboard$/u);
  });

  it("reports the error at /discord-success and returns after 3 seconds", async () => {
    const page = await (await visitor()).newPage();
    await page.clock.install();
    await stopClock(page);
    for (const [search, text] of [
      ["?error=access_denied", "Discord authentication failed. Please try again."],
      ["", "No authentication token received."],
      ["?token=used-before", "Failed to complete Discord sign-in. Please try again."],
    ] as const) {
      await page.goto(`${shop.url}/discord-success${search}`);
      await page.getByText(text).waitFor();
      await effectsHaveRun(page);
      await page.clock.runFor(2_999);
      expect(page.url()).toBe(`${shop.url}/discord-success`);
      await page.clock.runFor(1);
      await page.waitForURL(/\/login$/u);
    }
  });

  it("says that Discord was refused if the person presses Cancel there", async () => {
    discord.mood = "denies";
    await visit(nobody, `${shop.url}/login`);
    await nobody.getByRole("button", { name: "Sign in with Discord" }).click();
    await expect(shows(nobody, "Discord authentication failed. Please try again.")).resolves.toBe(
      true,
    );
    discord.mood = "agrees";
  });
});

/** Resolves after the effects of the current page. React runs them as messages, which arrive in order. */
async function effectsHaveRun(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", resolve);
        port1.start();
        port2.postMessage("");
      }),
  );
}

/** Runs in the page: records every heading that a frame shows, in order. */
function noteHeadings(): void {
  const seen = new Set<string>();
  function look(): void {
    const headline = document.querySelector("h1");
    if (headline?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) === true) {
      seen.add(headline.innerText);
      document.documentElement.dataset["headings"] = [...seen].join(", ");
    }
    requestAnimationFrame(look);
  }
  requestAnimationFrame(look);
}

describe("several tabs", () => {
  it("all stay signed in when five refresh at once and an answer is lost, and all sign out together", async () => {
    await shop.person("tabs@people.test", "Tess Tabs", "user");
    const context = await visitor();
    const first = await shop.signedIn(context, "tabs@people.test");
    let lost = 0;
    await context.route("**/api/identity/refresh", async (route) => {
      lost += 1;
      if (lost === 1) {
        // The server has rotated the cookie, but the answer is lost.
        await route.fetch();
        await route.abort();
      } else {
        await route.continue();
      }
    });
    const tabs = [
      first,
      ...(await Promise.all(Array.from({ length: 4 }, () => context.newPage()))),
    ];
    await first.addInitScript(noteHeadings);
    await Promise.all(tabs.map((tab) => tab.goto(`${shop.url}/profile`)));
    await Promise.all(tabs.map((tab) => tab.getByText("Tess Tabs").first().waitFor()));
    await expect.poll(() => lost).toBeGreaterThanOrEqual(6);
    // No frame shows the login screen, also where its address is loaded.
    const headings = () => first.evaluate(() => document.documentElement.dataset["headings"]);
    await expect.poll(headings).toBe("Profile");
    await first.goto(`${shop.url}/login`);
    await expect.poll(headings).toBe("Dashboard");
    await signOut(first);
    await Promise.all(tabs.map((tab) => tab.waitForURL(/\/login/u)));
  });
});
