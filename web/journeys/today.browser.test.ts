// Today in a real browser: the first steps of a new store, then each number opens a list of exactly as many rows; and an admin chooses it as the start screen.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { addItem } from "#features/inventory/decider.ts";
import { requestPayout } from "#features/payouts/decider.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import type { Decider } from "#ledger/decider.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import { detailsOf } from "#testing/shop/stock-room.ts";

let shop: BrowserStore;
let admin: Page;
let uids: { readonly robin: string; readonly avery: string };

async function execute<Command>(decider: Decider<Command, unknown>, command: Command) {
  const request = { actor: uids.robin, scope: "store", key: randomUUID(), requestHash: "00" };
  await shop.store.ledger.execute(decider, command, request);
}

beforeAll(async () => {
  shop = await openBrowserStore();
  uids = {
    robin: await shop.person("robin@store.test", "Robin Admin", "admin"),
    avery: await shop.person("avery@store.test", "Avery Stone", "user"),
  };
  admin = await shop.signIn(await shop.visitor(), "robin@store.test", "/admin/today");
});

afterAll(() => shop.close());

const open = (path: string) => visit(admin, `${shop.url}${path}`);

/** A link of Today by its label. */
const row = (label: string) =>
  admin.getByRole("listitem").filter({ hasText: label }).getByRole("link");

/** Three kinds of things that wait, a debt, an entry of the admin on the own account, and sales of today. */
async function fillStore(): Promise<void> {
  const { robin, avery } = uids;
  const happenedAt = new Date().toISOString();
  const balance = { expectedCents: null, noteId: null, happenedAt };
  await execute(setBalance, { ...balance, uid: robin, balanceCents: -1_250 });
  await execute(setBalance, { ...balance, uid: avery, balanceCents: 9_000 });
  for (const amountCents of [1_000, 2_550]) {
    const handle = { method: "venmo", handleId: randomUUID(), handleHash: "" } as const;
    const payout = { payoutId: randomUUID(), consignorId: avery, amountCents, happenedAt };
    await execute(requestPayout, { ...payout, ...handle });
  }
  for (const barcode of ["GONE-1", "GONE-2", "GONE-3"]) {
    const details = detailsOf(barcode, { itemName: `Lamp ${barcode}` });
    const item = { itemId: randomUUID(), ownerUid: avery, details, source: "manual" } as const;
    await execute(addItem, { ...item, quantity: 0, happenedAt });
  }
  for (const saleId of [randomUUID(), randomUUID()]) {
    const sale = { saleId, consignorId: avery, itemName: "Repair", amountCents: 2_000 };
    await execute(recordCustomSale, { ...sale, happenedAt });
  }
}

it("leads a new store to its first sale, also after it could not be read", async () => {
  const steps = admin.getByRole("region", { name: "First steps" });
  await steps
    .getByRole("listitem")
    .filter({ hasText: "Invite a consignor" })
    .getByText("Done")
    .waitFor();
  await steps.getByRole("link", { name: "Take in goods" }).waitFor();
  expect(await problemsOnBoth(admin)).toEqual([]);
  await admin.setViewportSize({ width: 1280, height: 800 });
  await admin.route("**/api/today", (route) => route.fulfill({ status: 500, body: "{}" }));
  await admin.reload();
  await admin.getByText("Today could not be loaded").waitFor();
  await admin.unroute("**/api/today");
  await admin.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => steps.getByRole("listitem").count()).toBe(4);
  expect(await admin.getByText("Nothing to do").count()).toBe(0);
});

it("begins the next day by itself, also while nothing happens in the store", async () => {
  const page = await admin.context().newPage();
  // What happens every minute happens when the test says so.
  await page.addInitScript(() => {
    const real = globalThis.setInterval;
    const held = (act: () => void, ms?: number) => {
      if (ms !== 60_000) {
        return real(act, ms);
      }
      addEventListener("minute", act);
      return real(() => undefined, ms);
    };
    Object.assign(globalThis, { setInterval: held });
  });
  let day = "2026-03-02";
  await page.route("**/api/today", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), day } });
  });
  await page.goto(`${shop.url}/admin/today`);
  await page.getByText("Monday, 2 Mar").waitFor();
  day = "2026-03-03";
  await page.evaluate(() => dispatchEvent(new Event("minute")));
  await expect.poll(() => page.getByText("Tuesday, 3 Mar").count()).toBe(1);
  await page.close();
});

it("shows by itself what comes in, and each number opens as many rows", async () => {
  await fillStore();
  await row("Payouts to pay").getByText("$35.50").waitFor();
  await admin.getByRole("link", { name: /Sold today\s*\$40\.00\s*2 sales/u }).waitFor();
  expect(await admin.getByRole("region", { name: "First steps" }).count()).toBe(0);
  expect(await problemsOnBoth(admin)).toEqual([]);
  await admin.setViewportSize({ width: 1280, height: 800 });
  for (const [label, count] of [
    ["Payouts to pay", 2],
    ["To count", 3],
    ["Negative balances", 1],
    ["Admins' own accounts", 1],
  ] as const) {
    await open("/admin/today");
    await row(label).getByText(String(count), { exact: true }).waitFor();
    await row(label).click();
    await expect
      .poll(() =>
        admin
          .getByRole("table")
          .locator("tbody tr[aria-rowindex], tbody tr:not([aria-hidden])")
          .count(),
      )
      .toBe(count);
  }
  await open("/admin/today");
  await admin.getByRole("link", { name: "Sold today" }).click();
  await admin.getByText("2 sales", { exact: true }).waitFor();
});

it("a day in a list's period is the store's, also where the browser is in another time zone", async () => {
  const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
  // The store's days are those of UTC; in Los Angeles the first of these was sold on the day before.
  for (const time of ["00:30", "23:30"]) {
    const sale = { saleId: randomUUID(), consignorId: uids.avery, itemName: "Night lamp" };
    const happenedAt = `${day}T${time}:00.000Z`;
    await execute(recordCustomSale, { ...sale, amountCents: 1_000, happenedAt });
  }
  await open(`/admin/sales?q=night&from=${day}&to=${day}`);
  const count = admin.getByText("2 sales", { exact: true });
  await count.waitFor();
  const note = admin.getByText(/Days are the store's/u);
  expect(await note.count()).toBe(0);
  const devtools = await admin.context().newCDPSession(admin);
  await devtools.send("Emulation.setTimezoneOverride", { timezoneId: "America/Los_Angeles" });
  // One row has the time of another day here: the filter says from when to when it goes. A format keeps the zone of its page.
  await admin.reload();
  await count.waitFor();
  await expect
    .poll(() => note.innerText())
    .toMatch(/^In your time: .*, 1[67]:00 to .*, 1[67]:00\. Days are the store's \(UTC\)\.$/u);
  expect(await problemsOnBoth(admin)).toEqual([]);
  await devtools.send("Emulation.setTimezoneOverride", { timezoneId: "" });
  await devtools.detach();
});

it("is where signing in leads once an admin chose it, also in another browser", async () => {
  await open("/profile");
  const choice = admin.getByRole("group", { name: "After signing in" });
  await choice.getByText("Today").click();
  await expect
    .poll(async () => {
      const [person] = await shop.store.sql<{ landsOn: string }[]>`
        select lands_on as "landsOn" from identity.profiles where uid = ${uids.robin}`;
      return person?.landsOn;
    })
    .toBe("today");
  const elsewhere = await shop.signIn(await shop.visitor(), "robin@store.test");
  await elsewhere.getByRole("heading", { level: 1, name: "Today" }).waitFor();
  expect(new URL(elsewhere.url()).pathname).toBe("/admin/today");
});
