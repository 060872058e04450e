// The statement in a real browser: the saved files match the dialog, on a desktop and on a phone.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOf } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import { sized } from "#testing/trial/size.ts";

let shop: BrowserStore;

beforeAll(async () => {
  shop = await openBrowserStore();
  const uid = await shop.person("avery@store.test", "Avery Stone", "user");
  const facts = [
    { amountCents: 4250, happenedAt: "2024-05-20T12:00:00.000Z" },
    { amountCents: 1000, happenedAt: "2024-06-03T12:00:00.000Z" },
    { amountCents: 300, happenedAt: "2024-07-01T12:00:00.000Z" },
  ];
  for (const [index, fact] of facts.entries()) {
    await shop.store.ledger.execute(
      recordCustomSale,
      {
        saleId: `00000000-0000-4000-8000-00000000000${index}`,
        consignorId: uid,
        itemName: "Cable lot",
        ...fact,
      },
      { actor: "system:test", scope: "store", key: `sale-${index}`, requestHash: "00" },
    );
  }
});

afterAll(() => shop.close());

async function save(page: Page, format: "CSV" | "PDF"): Promise<{ name: string; text: string }> {
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: `Export ${format}` }).click(),
  ]);
  return {
    name: saved.suggestedFilename(),
    text: await readFile(await saved.path(), "latin1"),
  };
}

const views = [
  [360, "dark"],
  [1280, "light"],
] as const;

it.each(views.slice(0, sized(1, 2)))(
  "a consignor states a period of its own at %i px, %s",
  async (width, theme) => {
    const context = await shop.visitor();
    await context.addInitScript((name) => {
      // An empty page may not store anything.
      if (location.protocol === "http:") {
        localStorage.setItem("theme", name);
      }
    }, theme);
    const page = await shop.signedIn(context, "avery@store.test");
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${shop.url}/sales-history`);
    await page.getByRole("button", { name: "Statement" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("From").fill("2024-06-01");
    await dialog.getByLabel("To").fill("2024-06-30");
    await expect
      .poll(() => dialog.getByRole("combobox", { name: "Period" }).inputValue())
      .toBe("custom");
    await dialog.getByText("$52.50").waitFor();
    await expect
      .poll(() => dialog.locator("dl").innerText())
      .toMatch(
        /Opening balance\s+\$42\.50\s+Sales 1 entry\s+\$10\.00\s+Closing balance\s+\$52\.50/u,
      );
    expect(await problemsOf(page)).toEqual([]);

    // Across the width of a phone the dialog stays as it is, and its button becomes another one.
    await page.setViewportSize({ width: width === 360 ? 1280 : 360, height: 800 });
    const other =
      width === 360
        ? page.getByText("Statement", { exact: true })
        : page.locator("[aria-label=Statement]");
    await other.last().waitFor({ state: "attached" });
    await expect.poll(() => dialog.getByLabel("From").inputValue()).toBe("1 Jun 2024");
    await dialog.getByText("$52.50").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    const opener = page.getByRole("button", { name: "Statement" });
    await expect.poll(() => opener.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole("button", { name: "Statement" }).click();
    await dialog.getByLabel("From").fill("2024-06-01");
    await dialog.getByLabel("To").fill("2024-06-30");
    await dialog.getByText("$52.50").waitFor();

    const csv = await save(page, "CSV");
    expect(csv.name).toBe("statement-2024-06-01-2024-06-30.csv");
    expect(csv.text).toMatch(/Opening balance.*42\.50[\s\S]*Cable lot sold.*10\.00,52\.50/u);
    const pdf = await save(page, "PDF");
    expect(pdf.name).toBe("statement-2024-06-01-2024-06-30.pdf");
    expect(pdf.text).toMatch(/^%PDF-1\.7[\s\S]*\/Title/u);

    await dialog.getByLabel("To").fill("2024-05-01");
    await dialog.getByText("The end is before the start").waitFor();
    await expect
      .poll(() => dialog.getByRole("button", { name: "Export PDF" }).isDisabled())
      .toBe(true);
    await dialog.getByText("Year", { exact: true }).click();
    await expect
      .poll(async () => {
        const years = dialog.getByRole("button", { name: "Export the statement of 2024 as PDF" });
        const box = await years.boundingBox();
        return box === null ? null : box.y + box.height;
      })
      .toBeLessThan(720);
    await expect.poll(() => dialog.getByRole("button", { name: "Export PDF" }).count()).toBe(0);
    expect(await problemsOf(page)).toEqual([]);
    expect(shop.pageErrors).toEqual([]);
    await shop.leave(context);
  },
);

it("begins with the store's month, also where it is still another day", async () => {
  const context = await shop.visitor();
  const page = await shop.signedIn(context, "avery@store.test");
  await visit(page, `${shop.url}/sales-history`);
  // The store's days are those of UTC. In New York it is still the last day of the month before.
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setTimezoneOverride", { timezoneId: "America/New_York" });
  await page.clock.setFixedTime("2026-11-01T03:00:00.000Z");
  await page.getByRole("button", { name: "Statement" }).click();
  const dialog = page.getByRole("dialog", { name: "Statement" });
  await expect.poll(() => dialog.getByLabel("From").inputValue()).toMatch(/^1 Nov/u);
  await expect.poll(() => dialog.getByLabel("To").inputValue()).toMatch(/^30 Nov/u);
  await dialog.getByText(/^\d+ entries, as recorded up to position/u).waitFor();
  await dialog.getByRole("combobox", { name: "Period" }).selectOption("last-month");
  await expect.poll(() => dialog.getByLabel("From").inputValue()).toMatch(/^1 Oct/u);
  expect(shop.pageErrors).toEqual([]);
  await devtools.send("Emulation.setTimezoneOverride", { timezoneId: "" });
  await devtools.detach();
});
