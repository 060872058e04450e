// Numbers in a real browser: each opens the entries that it is the sum of, and from a payout one gets to the sales behind it.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requestPayout } from "#features/payouts/decider.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth, showAs } from "#testing/browser/look-at.ts";

const SALES = [
  { amountCents: 4250, itemName: "Cable lot", happenedAt: "2024-05-20T12:00:00.000Z" },
  { amountCents: 1000, itemName: "Old radio", happenedAt: "2024-06-03T12:00:00.000Z" },
];

let shop: BrowserStore;
let averyUid: string;
let avery: Page;
let admin: Page;

beforeAll(async () => {
  shop = await openBrowserStore();
  averyUid = await shop.person("avery@store.test", "Avery Stone", "user");
  await shop.person("robin@store.test", "Robin Admin", "admin");
  const { ledger } = shop.store;
  const under = (key: string) => ({
    actor: "system:test",
    scope: "store",
    key,
    requestHash: "00",
  });
  for (const [index, sale] of SALES.entries()) {
    const saleId = `00000000-0000-4000-8000-00000000000${index}`;
    await ledger.execute(
      recordCustomSale,
      { saleId, consignorId: averyUid, ...sale },
      under(`sale-${index}`),
    );
  }
  const payout = {
    payoutId: "00000000-0000-4000-8000-000000000009",
    consignorId: averyUid,
    amountCents: 4500,
    method: "venmo" as const,
    handleId: "00000000-0000-4000-8000-000000000008",
    handleHash: "0".repeat(64),
    happenedAt: "2024-06-10T12:00:00.000Z",
  };
  await ledger.execute(requestPayout, payout, under("payout"));
  avery = await shop.signIn(await shop.visitor(), "avery@store.test", "/dashboard");
  admin = await shop.signIn(await shop.visitor(), "robin@store.test", "/consignors");
});

afterAll(() => shop.close());

it("a balance opens its entries, a payout the sales that funded it, and a sale what it paid for", async () => {
  await avery.getByRole("link", { name: /^Available/u }).click();
  const drawer = avery.getByRole("dialog");
  await drawer.getByText("These 3 entries sum to $7.50.").waitFor();
  await drawer.getByRole("button", { name: /Sales\s+2 entries\s*\+\$52\.50/u }).waitFor();
  expect(await problemsOnBoth(avery)).toEqual([]);
  await showAs(avery, "desktop", "light");

  await drawer.getByRole("button", { name: /Payouts\s+1 entry/u }).click();
  await expect
    .poll(() => drawer.getByRole("list", { name: "Entries" }).getByRole("listitem").count())
    .toBe(1);
  await drawer.getByRole("link", { name: "What funded it" }).click();
  const sources = drawer.getByRole("list", { name: "Paid from" });
  await expect
    .poll(() => sources.innerText())
    .toMatch(/Cable lot[^]*\$42\.50[^]*Old radio[^]*\$2\.50[^]*of \$10\.00/u);
  await drawer.getByText("These 2 entries sum to $45.00.").waitFor();
  expect(await problemsOnBoth(avery, "dark")).toEqual([]);
  await showAs(avery, "desktop", "light");

  await sources.getByRole("link", { name: "What it paid for" }).last().click();
  await expect
    .poll(() => drawer.getByRole("list", { name: "Paid for" }).innerText())
    .toMatch(/Payout of \$45\.00 requested[^]*\$2\.50[^]*Still available\s+\$7\.50/u);
  await avery.goBack();
  await sources.waitFor();
  await avery.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await expect.poll(() => avery.url()).not.toContain("why=");
});

it("an admin opens a person's numbers from the list and from the drawer beside it", async () => {
  await admin.getByRole("link", { name: "$7.50 why this number?" }).click();
  const drawer = admin.getByRole("dialog");
  await drawer.getByText("These 3 entries sum to $7.50.").waitFor();
  await drawer.getByText("Avery Stone").waitFor();
  await drawer.getByRole("button", { name: "Close" }).click();
  await admin.goto(`${shop.url}/consignors?consignor=${averyUid}`);
  await admin.getByRole("dialog").getByRole("link", { name: "$45.00 why this number?" }).click();
  await admin.getByText("This entry is $45.00.").waitFor();
  expect(shop.pageErrors).toEqual([]);
});
