// After a restore from a back-up: the till sends its last lines again, also those from before a sign-out, and payouts wait until an admin has checked them.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordRestore } from "#features/restores/decider.ts";
import { problemsOf } from "#testing/browser/look-at.ts";
import { bookedKeys, quantityOf } from "#testing/till/till-books.ts";
import { askedForPriceOf, knows, scan, sell } from "#testing/till/till-hands.ts";
import { makePerson } from "#testing/shop/people.ts";
import { openTillStore, type TillStore } from "#testing/till/till-store.ts";
import { visit } from "#testing/browser/visit.ts";

const salesCalls = /\/api\/(?:sales\/record|inventory\/master\/sale)$/u;

let shop: TillStore;

beforeAll(async () => {
  shop = await openTillStore();
});

afterAll(() => shop.close());

/** What `npm run restore` appends. */
async function restore(restoreId = "00000000-0000-4000-8000-000000000001"): Promise<void> {
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

/** What the store answers to a line; here it is said without the store. */
const bookedAnswer = {
  message: "Sale recorded successfully",
  saleID: "00000000-0000-4000-8000-00000000105f",
  payoutAmount: 0,
  remainingQuantity: 4,
};

/** What the browser keeps for this site: its databases' names, the till's sales, and the small values. */
function keptInBrowser(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const answerOf = async (request: IDBRequest): Promise<unknown> => {
      await new Promise((resolve) => request.addEventListener("success", resolve));
      return request.result;
    };
    // Only the sales are opened: the others may be on their way out, and opening would make them again.
    const sales = (await answerOf(indexedDB.open("posSales"))) as IDBDatabase;
    const step = sales.transaction(["sales", "lines"]);
    const kept = [
      await answerOf(step.objectStore("sales").getAll()),
      await answerOf(step.objectStore("lines").getAll()),
      await indexedDB.databases(),
      Object.entries(localStorage),
    ];
    sales.close();
    return JSON.stringify(kept);
  });
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
  await page.route(salesCalls, (route) => route.fulfill({ json: bookedAnswer }));
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

it("a sign-out erases what the till keeps but waiting lines and what a restored store is sent again", async () => {
  await makePerson(shop.store, {
    email: "kim@store.test",
    displayName: "Kim",
    username: "kim",
    role: "admin",
    password: "the-next-at-this-till",
  });
  const codes = ["LOST-2", "SENT-1", "WAIT-1", "CART-1"];
  const [lost = "", sent = "", waiting = ""] = await Promise.all(
    codes.map((code) => shop.item(code === "WAIT-1" ? null : shop.averyUid, code, 5)),
  );
  const page = await shop.till();
  await knows(page, ...codes);
  // LOST-2: as if booked. SENT-1: booked, with an answer that comes after the sign-out. WAIT-1: no answer.
  const { promise: isSignedOut, resolve: letAnswer } = Promise.withResolvers<void>();
  await page.route(salesCalls, async (route) => {
    const body = route.request().postData() ?? "";
    if (body.includes("LOST-2")) {
      await route.fulfill({ json: bookedAnswer });
    } else if (body.includes("SENT-1")) {
      const response = await route.fetch();
      await isSignedOut;
      await route.fulfill({ response });
    } else {
      await route.abort();
    }
  });
  await sell(page, "LOST-2", "12");
  await expect.poll(() => statusesOf(page)).toEqual(["booked", "booked", "booked"]);
  await sell(page, "SENT-1", "12");
  await expect.poll(() => quantityOf(shop, sent)).toBe(4);
  await scan(page, "CART-1");
  await askedForPriceOf(page, "Item CART-1");
  await page.getByRole("button", { name: "Park", exact: true }).click();
  await sell(page, "WAIT-1", "9");

  const otherTab = await page.context().newPage();
  await otherTab.goto(`${shop.url}/profile`);
  await otherTab.getByRole("button", { name: "Robin" }).click();
  await otherTab.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/login/u);
  letAnswer();
  const names = /Avery|Item (?:KEPT|LOST|SENT|CART)|posCatalogue/u;
  await expect.poll(() => keptInBrowser(page)).not.toMatch(names);
  expect((await statusesOf(page)).sort()).toEqual([
    ...Array.from({ length: 4 }, () => "booked"),
    "waiting",
  ]);
  expect(await keptInBrowser(page)).toContain("Item WAIT-1");
  await otherTab.close();
  await page.unrouteAll({ behavior: "wait" });

  await page.getByLabel("Email").fill("kim@store.test");
  await page.getByLabel("Password", { exact: true }).fill("the-next-at-this-till");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Kim" }).waitFor();
  await page.getByRole("link", { name: "POS", exact: true }).click();
  await page.getByRole("region", { name: "Today" }).getByText("Item WAIT-1").waitFor();
  const screen = await page.getByRole("main").innerText();
  expect(screen).not.toMatch(/Sale complete|Parked \(|Item (?:LOST|SENT|CART)/u);
  await expect.poll(() => quantityOf(shop, waiting)).toBe(4);
  await restore("00000000-0000-4000-8000-000000000002");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect.poll(() => quantityOf(shop, lost)).toBe(4);
  await expect.poll(() => statusesOf(page)).toEqual(Array.from({ length: 5 }, () => "booked"));
  expect(await quantityOf(shop, sent)).toBe(4);
});

it("an admin confirms on Payout Requests that payouts were checked, and says how", async () => {
  const page = await shop.till();
  await visit(page, `${shop.url}/payout-requests`);
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
