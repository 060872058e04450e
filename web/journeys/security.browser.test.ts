// The security log in a real browser: an admin finds who guessed at an account; its owner sees the same on the profile.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth } from "#testing/browser/look-at.ts";

let shop: BrowserStore;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("avery@store.test", "Avery Stone", "user");
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

afterAll(() => shop.close());

it("an admin filters the log, and the owner of the account sees the guess", async () => {
  const page = await shop.signIn(await shop.visitor(), "admin@store.test");
  await page.getByRole("link", { name: "Security" }).click();
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
  await page.context().close();

  const own = await shop.signIn(await shop.visitor(), "avery@store.test", "/profile");
  const activity = own.getByRole("region", { name: "Recent security activity" });
  await activity.getByText("Firefox on Windows").waitFor();
  await expect.poll(() => activity.getByRole("listitem").allInnerTexts()).toHaveLength(2);
  expect(await activity.getByText("Wrong").count()).toBe(1);
  expect(await problemsOnBoth(own)).toEqual([]);
  expect(shop.pageErrors).toEqual([]);
});
