// The operations screen in a real browser: a rebuild with its differences, a switch and back, a held row, a failed job, and who did it all.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureQueue } from "#jobs/boss.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth, showAs } from "#testing/browser/look-at.ts";

let shop: BrowserStore;
let page: Page;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("robin@shop.test", "Robin", "admin");
  page = await shop.signIn(await shop.visitor(), "robin@shop.test", "/admin/operations");
});

afterAll(() => shop.close());

async function giveReason(button: string): Promise<void> {
  const dialog = page.getByRole("dialog").filter({ hasText: "Reason" });
  await dialog.getByLabel("Reason").fill("Trying it out");
  await dialog.getByRole("button", { name: button }).click();
  await dialog.waitFor({ state: "hidden" });
}

const section = (name: string) => page.getByRole("region", { name });

describe("an operator", () => {
  it("sees every read table, and rebuilds one: nothing is switched before the differences are shown", async () => {
    const tables = section("Read tables").getByRole("table", { name: "Read tables" });
    await tables.getByRole("button", { name: "balances", exact: true }).click();
    const drawer = page.getByRole("dialog", { name: "balances" });
    await drawer.getByRole("button", { name: "Rebuild" }).click();
    const dialog = page.getByRole("dialog", { name: "Rebuild balances" });
    await dialog.getByRole("button", { name: "Start rebuild" }).click();
    await dialog.getByText("Say why, in a few words").waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    await giveReason("Start rebuild");
    await drawer.getByText("A switch changes nothing").waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    await drawer.getByRole("button", { name: "Switch to the new tables" }).click();
    await giveReason("Switch tables");
    await drawer.getByRole("button", { name: "Switch back" }).click();
    await page
      .getByRole("region", { name: "What changes" })
      .getByText("A switch changes nothing")
      .waitFor();
    await giveReason("Switch back");
    await drawer.getByRole("button", { name: "Switch back" }).waitFor({ state: "hidden" });
    // The button is gone, the keyboard stays in the drawer.
    await expect
      .poll(() => drawer.evaluate((node) => node.contains(document.activeElement)))
      .toBe(true);
    const orders = drawer.getByRole("region", { name: "Earlier orders" }).getByRole("listitem");
    await expect
      .poll(() => orders.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Switch back\s+Done in [^]*Trying it out[^]*Robin/u),
        expect.stringMatching(/^Switch, version 1\s+Done in /u),
        expect.stringMatching(/^Rebuild, version 1\s+Done in /u),
      ]);
    await showAs(page, "phone", "dark");
    await drawer.getByRole("button", { name: "Close" }).click();
    // On a phone a table that is up to date takes two lines.
    const card = section("Read tables").getByRole("listitem").filter({ hasText: "balances" });
    await expect.poll(() => card.innerText()).toMatch(/Position \d+\s+Up to date/u);
    expect((await card.boundingBox())?.height).toBeLessThan(70);
  });

  it("replays a held row, and retries a failed job with its reason in view", async () => {
    const { workSql: sql, boss } = shop.store;
    await sql`
      insert into read.quarantine (projection, generation, key, at_position, error)
      select name, generation, 'store:cash', 1, 'division by zero' from read.projections
      where name = 'balances' and state = 'live'`;
    await ensureQueue(boss, { name: "browser-letters", policy: "standard", retryLimit: 0 });
    await boss.send("browser-letters", {});
    for (const job of await boss.fetch("browser-letters")) {
      await boss.fail("browser-letters", job.id, { message: "The mail server refused it" });
    }
    await page.reload();
    const held = section("Held rows");
    await held.getByText("division by zero").waitFor();
    const jobs = section("Jobs");
    await jobs.getByText("The mail server refused it").waitFor();
    await section("Processes and storage").getByText("Feeds the read tables").waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    await held.getByRole("button", { name: "Replay this row" }).click();
    await giveReason("Replay");
    await held.getByText("No row is held back").waitFor();
    await jobs.getByRole("button", { name: "Drop job" }).click();
    await giveReason("Drop job");
    await jobs.getByText("No job failed").waitFor();
    const log = section("Operators' log");
    await log.getByText("Dropped a job of browser-letters").waitFor();
    await log.getByText("Started a rebuild of balances (version 1)").waitFor();
    await log.getByText("Trying it out").first().waitFor();
    expect(shop.pageErrors).toEqual([]);
  });
});
