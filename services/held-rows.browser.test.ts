// What people see on screen of rows that could not be folded: before the rows and sums, it says that some are missing.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { openBrowserStore, type BrowserStore } from "#testing/browser-store.ts";
import { problemsOf, waitUntilStill } from "#testing/look-at.ts";
import { events, projections } from "./features.ts";

const saleIdOf = (number: number): string =>
  `5a1e0000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const heldSale = saleIdOf(1);
const shownSale = saleIdOf(2);
/** So many that whatever stands below them is out of sight. */
const saleCount = 20;
const notice = "Some entries are missing here, so totals may be wrong.";

let shop: BrowserStore;
let uid = "";

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("boss@screens.test", "Boss", "admin");
  uid = await shop.person("avery@screens.test", "Avery", "user");
  for (let number = 1; number <= saleCount; number += 1) {
    await sell(saleIdOf(number));
  }
  const { workSql } = shop.store;
  await createRunner({ sql: workSql, projections, events }).catchUp();
  // As steps that cannot fold a sale, the account, and a payout of the account's owner leave them.
  await workSql`
    insert into read.quarantine (projection, generation, key, at_position, error)
    select p.name, p.generation, h.key, 1, 'division by zero'
    from read.projections p
    join (values ('sales', ${heldSale}), ('account_history', ${uid}), ('payouts', ${uid}),
        ('inventory', ${uid})) as h (projection, key) on h.projection = p.name
    where p.state = 'live'`;
}, 60_000);

afterAll(() => shop.close());

async function sell(saleId: string): Promise<void> {
  const command = {
    saleId,
    consignorId: uid,
    itemName: "Lamp",
    amountCents: 1200,
    happenedAt: "2026-11-21T10:00:00.000Z",
  };
  await shop.store.ledger.execute(recordCustomSale, command, {
    actor: "system:test",
    scope: "store",
    key: saleId,
    requestHash: "00",
  });
}

/** True if the first notice of this part of the screen can be read without scrolling, and is all on screen. */
async function isNoticeInSight(page: Page, part: Locator): Promise<boolean> {
  const first = part.getByText(notice).first();
  await first.waitFor();
  await waitUntilStill(page);
  const box = await first.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

describe.each([
  { width: 1280, height: 800, theme: "light" },
  { width: 360, height: 740, theme: "dark" },
])("at $width by $height pixels, $theme", ({ theme, ...size }) => {
  it.each([
    [
      "boss",
      ["/admin/sales"],
      ["/admin/sales?sale=", "/consignors?consignor=", "/consignors?view=ledger&consignor="],
    ],
    [
      "avery",
      ["/sales-history", "/sales-history?tab=sales", "/sales-history?tab=payouts", "/dashboard"],
      ["/sales-history?line=", "/sales-history?tab=sales&sale="],
    ],
  ] as const)(
    "%s reads that entries are missing without scrolling: above lists, and at the top of drawers",
    async (who, lists, drawers) => {
      const context = await shop.visitor(size);
      const page = await shop.signIn(context, `${who}@screens.test`);
      await page.evaluate((name) => localStorage.setItem("theme", name), theme);
      for (const path of lists) {
        await page.goto(`${shop.url}${path}`);
        expect(await isNoticeInSight(page, page.getByRole("main")), path).toBe(true);
        expect(await problemsOf(page), path).toEqual([]);
      }
      for (const path of drawers) {
        const id = path.endsWith("consignor=") ? uid : path.endsWith("line=") ? "2" : shownSale;
        await page.goto(`${shop.url}${path}${id}`);
        expect(await isNoticeInSight(page, page.getByRole("dialog")), path).toBe(true);
        expect(await problemsOf(page), path).toEqual([]);
      }
      expect(await page.evaluate(() => document.documentElement.dataset["theme"] ?? "light")).toBe(
        theme,
      );
      await context.close();
    },
  );
});
