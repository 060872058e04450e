// After a restore from a back-up: the till sends its last lines again, and payouts wait until an admin has checked them.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordRestore } from "#features/restores/decider.ts";
import { problemsOf } from "#testing/browser/look-at.ts";
import { bookedKeys, quantityOf } from "#testing/till/till-books.ts";
import { knows, sell } from "#testing/till/till-hands.ts";
import { openTillStore, type TillStore } from "#testing/till/till-store.ts";

const salesCalls = /\/api\/(?:sales\/record|inventory\/master\/sale)$/u;

let shop: TillStore;

beforeAll(async () => {
  shop = await openTillStore();
});

afterAll(() => shop.close());

/** What `npm run restore` appends. */
async function restore(): Promise<void> {
  const restoreId = "00000000-0000-4000-8000-000000000001";
  const outcome = await shop.store.ledger.execute(
    recordRestore,
    {
      restoreId,
      backedUpAt: "2026-11-22T02:30:00.000Z",
      position: 1,
      lostThrough: 3,
      happenedAt: new Date().toISOString(),
    },
    { actor: "system:restore", scope: "system:restore", key: restoreId, requestHash: "00" },
  );
  expect(outcome.kind).toBe("accepted");
}

/** Of the till's lines, in the browser. */
function statusesOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const opened = indexedDB.open("posSales");
    await new Promise((resolve) => opened.addEventListener("success", resolve));
    const all = opened.result.transaction("lines").objectStore("lines").getAll();
    await new Promise((resolve) => all.addEventListener("success", resolve));
    opened.result.close();
    return all.result.map(({ status }) => String(status));
  });
}

it("a line that the store still has is sold once, and one that it lost is booked again", async () => {
  const kept = await shop.item(shop.averyUid, "KEPT-1", 5);
  const lost = await shop.item(null, "LOST-1", 5);
  const page = await shop.till();
  await knows(page, "KEPT-1", "LOST-1");
  await sell(page, "KEPT-1", "12");
  await expect.poll(() => quantityOf(shop, kept)).toBe(4);
  // The store never gets this line; the till believes that it was booked.
  await page.route(salesCalls, (route) =>
    route.fulfill({
      json: {
        message: "Sale recorded successfully",
        saleID: "00000000-0000-4000-8000-00000000105f",
        payoutAmount: 0,
        remainingQuantity: 4,
      },
    }),
  );
  await sell(page, "LOST-1", "9");
  await expect.poll(() => statusesOf(page)).toEqual(["booked", "booked"]);
  await page.unroute(salesCalls);
  expect(await quantityOf(shop, lost)).toBe(5);

  await restore();
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect.poll(() => quantityOf(shop, lost)).toBe(4);
  await expect.poll(() => statusesOf(page)).toEqual(["booked", "booked"]);
  expect(await quantityOf(shop, kept)).toBe(4);
  expect([...(await bookedKeys(shop)).values()]).toEqual([1, 1]);
});

it("an admin confirms on Payout Requests that payouts were checked, and says how", async () => {
  const page = await shop.till();
  await page.goto(`${shop.url}/payout-requests`);
  await page.getByText("Payouts wait: the store was restored from a back-up").waitFor();
  await page.getByText("2 events after that are lost").waitFor();
  expect(await problemsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Confirm payouts checked" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Confirm payouts checked" }).click();
  await dialog.getByText("Please enter what you checked").waitFor();
  await dialog.getByLabel("What you checked").fill("CashApp and Venmo show no payment since");
  await dialog.getByRole("button", { name: "Confirm payouts checked" }).click();
  await page.getByText("Payouts confirmed as checked").waitFor();
  await page.getByText("Payouts wait: the store").waitFor({ state: "detached" });
  expect(shop.pageErrors).toEqual([]);
});
