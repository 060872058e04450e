// The security log and notifications in a real browser: an admin finds who guessed at an account; its owner sees the same on the profile, chooses what to hear of, and is told of a sale.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth, waitUntilStill } from "#testing/browser/look-at.ts";
import type { BotStandIn } from "#testing/service/discord-bot-stand-in.ts";
import { startBotStandIn } from "#testing/service/discord-bot-stand-in.ts";
import { holdAnswers } from "#testing/till/till-hands.ts";

let shop: BrowserStore;
let discord: BotStandIn;
let averyUid: string;
let own: Page;

beforeAll(async () => {
  discord = await startBotStandIn();
  shop = await openBrowserStore({
    DISCORD_BOT_TOKEN: discord.token,
    DISCORD_BASE_URL: discord.baseUrl,
  });
  averyUid = await shop.person("avery@store.test", "Avery Stone", "user");
  await shop.person("admin@store.test", "Robin Keeper", "admin");
  for (const email of ["avery@store.test", "nobody@store.test"]) {
    await fetch(`${shop.url}/api/identity/sign-in`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0",
      },
      body: JSON.stringify({ email, password: "a guess" }),
    });
  }
});

afterAll(async () => {
  await shop.close();
  await discord.close();
});

it("an admin filters the log, and the owner of the account sees the guess", async () => {
  const page = await shop.signIn(await shop.visitor(), "admin@store.test", "/admin/security");
  const guess = page.getByRole("row", { name: /Sign-in.*Wrong.*Avery Stone.*Firefox on Windows/u });
  await guess.waitFor();
  await page.getByRole("row", { name: /Sign-in.*Done.*Robin Keeper/u }).waitFor();
  expect(await problemsOnBoth(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole("combobox", { name: "Outcome" }).selectOption({ label: "Wrong" });
  await expect.poll(() => page.getByRole("row", { name: /Robin Keeper/u }).count()).toBe(0);
  await guess.waitFor();
  await page.getByRole("row", { name: /Unknown email/u }).waitFor();
  expect(new URL(page.url()).search).toBe("?outcome=wrong");
  await page.getByRole("combobox", { name: "What happened" }).selectOption({ label: "Sign-out" });
  await page.getByText("Nothing matches").waitFor();
  await shop.leave(page.context());

  own = await shop.signIn(await shop.visitor(), "avery@store.test", "/profile");
  const activity = own.getByRole("region", { name: "Recent security activity" });
  await activity.getByText("Firefox on Windows").waitFor();
  await expect.poll(() => activity.getByRole("listitem").allInnerTexts()).toHaveLength(2);
  await expect.poll(() => activity.getByText("Wrong").count()).toBe(1);
  expect(shop.pageErrors).toEqual([]);
});

it("a Discord account is confirmed with the code that arrives there, and then a test message arrives too", async () => {
  await own.setViewportSize({ width: 1280, height: 900 });
  discord.mood = () => "closed";
  await own.getByLabel("Discord ID").fill("900000000000000042");
  await own.getByRole("button", { name: "Save", exact: true }).click();
  await own.getByText("Discord ID saved").waitFor();
  await own.getByText("Discord did not deliver the last message.").waitFor();
  await own.getByText("This account is not confirmed.").waitFor();
  const test = own.getByRole("button", { name: "Send a test message" });
  await expect.poll(() => test.isDisabled()).toBe(true);

  discord.mood = () => "takes";
  await own.getByRole("button", { name: "Send code" }).click();
  await own.getByText("The store's bot sent a code to this Discord account.").waitFor();
  await own.getByText("You can have another one sent from").waitFor();
  expect(await problemsOnBoth(own)).toEqual([]);
  await own.setViewportSize({ width: 1280, height: 900 });
  const confirm = own.getByRole("button", { name: "Confirm account" });
  await own.getByLabel("Code from Discord").fill("AAAA-BBBB-CCCC");
  await confirm.click();
  await own.getByText("This code is wrong or more than a day old").waitFor();
  const [message, ...more] = discord.arrived;
  expect(more).toEqual([]);
  const [code = ""] = /[A-Z0-9]{4}(?:-[A-Z0-9]{4}){2}/u.exec(message?.content ?? "") ?? [];
  await own.getByLabel("Code from Discord").fill(code.toLowerCase());
  await confirm.click();
  // The button is gone; the focus is on what replaced it.
  await own.locator(":focus", { hasText: "Account confirmed" }).waitFor();

  await expect.poll(() => test.isEnabled()).toBe(true);
  discord.mood = () => "closed";
  await test.click();
  await own.getByText("your direct messages are closed").waitFor();
  await own.getByText("The test message did not arrive").waitFor();
  discord.mood = () => "takes";
  await test.click();
  await own.getByText("Test message sent").waitFor();
  await own.getByText("your direct messages are closed").waitFor({ state: "hidden" });
  expect(discord.arrived.at(-1)).toMatchObject({ discordId: "900000000000000042" });

  const byDiscord = own.getByRole("checkbox", { name: "A payout is paid: tell me on Discord" });
  await byDiscord.click();
  await expect.poll(() => byDiscord.isEnabled()).toBe(true);
  await own.reload();
  await expect.poll(() => byDiscord.isEnabled()).toBe(true);
  await expect.poll(() => byDiscord.isChecked()).toBe(false);
});

/** A sale without an item, by somebody else. */
async function sell(itemName: string): Promise<void> {
  const { ledger, clock } = shop.store;
  const command = {
    saleId: randomUUID(),
    consignorId: averyUid,
    itemName,
    amountCents: 1_250,
    happenedAt: clock().toISOString(),
  };
  const outcome = await ledger.execute(recordCustomSale, command, {
    actor: "system:till",
    scope: "store",
    key: itemName,
    requestHash: "00",
  });
  expect(outcome.kind).toBe("accepted");
}

it("a sale is told at once: the bell counts it, the open list gets it, and Discord has it", async () => {
  // Also where the open list hides it from others.
  const bell = own.getByRole("button", { name: /^Notifications/u, includeHidden: true });
  const unread = () => bell.getAttribute("aria-label");
  const list = own.getByRole("dialog", { name: "Notifications" });
  await expect.poll(unread).toBe("Notifications");
  await sell("Walnut lamp");
  await expect.poll(unread).toBe("Notifications, 1 unread");
  await bell.click();
  await list.getByRole("link", { name: /Unread: Walnut lamp sold/u }).waitFor();
  await list.getByRole("button", { name: "Mark all as read" }).click();
  await expect.poll(unread).toBe("Notifications");
  const focused = () => own.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toMatch(/Walnut lamp sold/u);
  await sell("Oak lamp");
  await expect.poll(unread).toBe("Notifications, 1 unread");
  await list.getByRole("link", { name: /Unread: Oak lamp sold.*You get \$12\.50/u }).waitFor();
  expect(await problemsOnBoth(own)).toEqual([]);
  await list.getByRole("link", { name: /Oak lamp sold/u }).click();
  await own.waitForURL(/\/sales-history\?tab=sales&sale=/u);
  await expect.poll(unread).toBe("Notifications");
  await expect
    .poll(() => discord.arrived.map(({ content }) => content).join("\n"))
    .toContain("Oak lamp sold");
  // Of the wrong code.
  const isWrongCode = (error: string) =>
    /status of 409 .*\/api\/notifications\/discord$/u.test(error);
  expect(shop.pageErrors.filter((error) => !isWrongCode(error))).toEqual([]);
});

it("notifications are marked right after each other, and all of them also where only those below the list are unread", async () => {
  const bell = own.getByRole("button", { name: /^Notifications/u, includeHidden: true });
  const unread = () => bell.getAttribute("aria-label");
  const list = own.getByRole("dialog", { name: "Notifications" });
  await own.setViewportSize({ width: 1280, height: 900 });
  await own.goto(`${shop.url}/dashboard`);
  for (const lamp of ["Elm", "Ash"]) {
    await sell(`${lamp} lamp`);
  }
  await expect.poll(unread).toBe("Notifications, 2 unread");
  await bell.click();
  const marks = /\/api\/notifications\/read$/u;
  const answer = await holdAnswers(own, marks);
  for (const lamp of ["Elm", "Ash"]) {
    await list.getByRole("button", { name: `Mark as read: ${lamp} lamp sold` }).click();
  }
  answer();
  await expect.poll(unread).toBe("Notifications");
  await waitUntilStill(own);
  await own.unroute(marks);

  // Only the oldest is unread, and the list begins with the newest: with twenty of them, here with one.
  await sell("Fir lamp");
  await expect.poll(unread).toBe("Notifications, 1 unread");
  await shop.store.sql`
    update identity.notifications set read_at = case
      when id = (select n.id from identity.notifications n
        where n.uid = ${averyUid} and n.channel = 'in-app' order by n.id limit 1)
      then null else now() end
    where uid = ${averyUid} and channel = 'in-app'`;
  await own.route(/\/api\/notifications\?limit=20/u, (route) =>
    route.continue({ url: route.request().url().replace("limit=20", "limit=1") }),
  );
  await own.reload();
  await bell.click();
  await list.getByRole("link", { name: /Fir lamp sold/u }).waitFor();
  await expect.poll(() => list.getByRole("link", { name: /Unread/u }).count()).toBe(0);
  await list.getByRole("button", { name: "Mark all as read" }).click();
  await expect.poll(unread).toBe("Notifications");
});
