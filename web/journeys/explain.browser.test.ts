// Numbers in a real browser: each opens the entries that it is the sum of, and from a payout one gets to the sales behind it.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { addItem } from "#features/inventory/decider.ts";
import { requestPayout } from "#features/payouts/decider.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOf, problemsOnBoth, showAs } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import { detailsOf } from "#testing/shop/stock-room.ts";

const SALES = [
  { amountCents: 4250, itemName: "Cable lot", happenedAt: "2024-05-20T12:00:00.000Z" },
  { amountCents: 1000, itemName: "Old radio", happenedAt: "2024-06-03T12:00:00.000Z" },
];

const LAMP_ID = "00000000-0000-4000-8000-000000000007";
const LAMP = (ownerUid: string) => ({
  itemId: LAMP_ID,
  ownerUid,
  details: detailsOf("LAMP-1", { itemName: "Desk lamp", location: "A-1" }),
  quantity: 3,
  source: "manual" as const,
  happenedAt: "2024-05-01T12:00:00.000Z",
});

const UNDER = { actor: "system:test", scope: "store", requestHash: "00" } as const;

let shop: BrowserStore;
let averyUid: string;
let avery: Page;
let admin: Page;

beforeAll(async () => {
  shop = await openBrowserStore();
  averyUid = await shop.person("avery@store.test", "Avery Stone", "user");
  await shop.person("robin@store.test", "Robin Admin", "admin");
  const { ledger } = shop.store;
  const under = (key: string) => ({ ...UNDER, key });
  await ledger.execute(addItem, LAMP(averyUid), under("lamp"));
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
  await avery
    .getByRole("region", { name: "Available" })
    .getByRole("link", { name: "$7.50 why this number?" })
    .click();
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

it("a link opens a sale or an entry that is not among the loaded rows", async () => {
  // The filters stand for all that keeps it off the loaded pages.
  const sale = "00000000-0000-4000-8000-000000000000";
  const opened = avery.getByRole("dialog");
  await visit(avery, `${shop.url}/sales-history?tab=sales&status=refunded&sale=${sale}`);
  await avery.getByText("No sales match").waitFor();
  await opened.getByRole("heading", { name: "Cable lot" }).waitFor();
  await opened.getByRole("link", { name: "What it paid for" }).waitFor();
  await visit(avery, `${shop.url}/sales-history?type=refunds&line=1`);
  await avery.getByText("No entries match").waitFor();
  await opened.getByRole("heading", { name: "Cable lot sold" }).waitFor();
  await visit(avery, `${shop.url}/sales-history?line=4`);
  await expect.poll(() => opened.innerText()).toContain("This entry does not exist");
});

it("an admin opens a person's numbers from the list and from the drawer beside it", async () => {
  await admin.getByRole("link", { name: "$7.50 why this number?" }).click();
  const drawer = admin.getByRole("dialog");
  await drawer.getByText("These 3 entries sum to $7.50.").waitFor();
  await drawer.getByText("Avery Stone").waitFor();
  await drawer.getByRole("button", { name: "Close" }).click();
  await admin.getByRole("link", { name: /^Available/u }).click();
  await drawer.getByText("The amounts of 1 person sum to $7.50.").waitFor();
  await visit(admin, `${shop.url}/consignors?consignor=${averyUid}`);
  await admin.getByRole("dialog").getByRole("link", { name: "$45.00 why this number?" }).click();
  await expect.poll(() => admin.getByText("This entry is $45.00.").isVisible()).toBe(true);
  // Another person's row leaves no explanation of somebody else's number beside it.
  const people = admin.getByRole("table", { name: "Consignors" });
  await people.getByRole("button", { name: /^Robin Admin/u }).click();
  await admin.getByRole("dialog", { name: "Robin Admin" }).waitFor();
  await admin.getByText("This entry is $45.00.").waitFor({ state: "hidden" });
});

it("shows the ledger as of a position or a day, and what is known differently now", async () => {
  const [head] = await shop.store.sql<{ position: number }[]>`
    select max(position) as position from log.events`;
  await visit(avery, `${shop.url}/sales-history`);
  await avery.getByLabel("or position").fill(String((head?.position ?? 0) - 1));
  await avery.keyboard.press("Enter");
  const ribbon = avery.getByRole("region", { name: "The past" });
  await ribbon.getByText(/^As of .*, position \d+$/u).waitFor();
  await avery.getByRole("link", { name: /^Available then/u }).click();
  await avery.getByRole("dialog").getByText("These 2 entries sum to $52.50.").waitFor();
  await avery.keyboard.press("Escape");
  // Before the payout was requested.
  await expect
    .poll(() => avery.getByRole("table").innerText())
    .toMatch(/Old radio[^]*\$52\.50[^]*Cable lot/u);
  await avery.getByRole("button", { name: "Statement" }).waitFor();
  expect(await problemsOnBoth(avery)).toEqual([]);
  await showAs(avery, "desktop", "light");

  // All of it was recorded today, long after it had happened.
  await avery.getByLabel("As of", { exact: true }).fill("2024-06-05");
  await avery.getByText("No entries at that time").waitFor();
  await avery.getByText("Happened", { exact: true }).click();
  await ribbon.getByText(/This is not a statement/u).waitFor();
  await expect.poll(() => avery.getByRole("button", { name: "Statement" }).count()).toBe(0);
  await expect.poll(() => avery.getByRole("table").innerText()).toMatch(/Old radio[^]*\$52\.50/u);
  await avery.getByText("Difference", { exact: true }).first().click();
  await avery.getByText("$0.00 and 2 differences make $52.50.").waitFor();
  await avery.getByText("Recorded later").first().waitFor();
  // Who and why: each entry opens, here and in the two other views.
  await avery.getByRole("row", { name: /Old radio/u }).click();
  const entry = avery.getByRole("dialog", { name: /Old radio/u });
  await entry.getByText("Effect on the balance").waitFor();
  await entry.getByText("Available after").waitFor();
  expect(await problemsOnBoth(avery)).toEqual([]);
  await entry.getByRole("button", { name: "Close" }).click();
  expect(await problemsOnBoth(avery, "dark")).toEqual([]);
  await showAs(avery, "desktop", "light");

  await ribbon.getByRole("button", { name: "Back to now" }).click();
  await avery.getByRole("button", { name: "Statement" }).waitFor();
  await expect.poll(() => avery.url()).not.toMatch(/at=|by=/u);

  // The totals above one's own sales open their days.
  await avery.getByRole("tab", { name: "Sales" }).click();
  await avery.getByRole("link", { name: /^Your share/u }).click();
  const share = avery.getByRole("dialog", { name: "Share of these sales: why this number?" });
  await share.getByText("2 sales in this list sum to $52.50.").waitFor();
  await expect
    .poll(() => share.getByRole("list", { name: "By day" }).innerText())
    .toMatch(/3 Jun 2024[^]*\$10\.00[^]*20 May 2024[^]*\$42\.50/u);
  await avery.keyboard.press("Escape");
  await share.waitFor({ state: "detached" });
});

it("as of a day is as of its end in the store, also where the browser is in another time zone", async () => {
  // The store's days are those of UTC. On Kiritimati this day ended before its sale at noon.
  const devtools = await avery.context().newCDPSession(avery);
  await devtools.send("Emulation.setTimezoneOverride", { timezoneId: "Pacific/Kiritimati" });
  await visit(avery, `${shop.url}/sales-history?at=2024-05-20&by=effective`);
  await expect.poll(() => avery.getByRole("table").innerText()).toMatch(/Cable lot[^]*\$42\.50/u);
  const ribbon = avery.getByRole("region", { name: "The past" });
  await ribbon.getByText(/^As of the end of 20 May 2024 in the store, position \d+$/u).waitFor();
  await devtools.send("Emulation.setTimezoneOverride", { timezoneId: "" });
  await devtools.detach();
});

it("an admin opens the store's accounts by days from the audit log", async () => {
  await visit(admin, `${shop.url}/admin/audit`);
  await admin.getByRole("link", { name: "Store accounts" }).click();
  const drawer = admin.getByRole("dialog");
  await drawer.getByText("Store's share: why this balance?").waitFor();
  await drawer.getByLabel("Account").selectOption("Customers");
  await drawer.getByText("Customers: why this balance?").waitFor();
  await drawer.getByText("The opening and 1 day with entries sum to −$52.50.").waitFor();
  const behind = drawer.getByRole("link", { name: "Custom sale recorded, 2 events" });
  await behind.waitFor();
  expect(await behind.getAttribute("href")).toMatch(
    /account=world:customers&type=CustomSaleRecorded&from=/u,
  );
  expect(await problemsOnBoth(admin)).toEqual([]);
  await showAs(admin, "desktop", "light");
  await admin.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
});

it("shows an item and a person's items as they were, and where they came from", async () => {
  await visit(avery, `${shop.url}/sales-history?tab=items&at=2099-01-01`);
  await expect
    .poll(() => avery.getByRole("table", { name: "Items at that time" }).innerText())
    .toMatch(/Desk lamp\s+LAMP-1\s+A-1[^]*3/u);
  expect(await problemsOnBoth(avery)).toEqual([]);
  await visit(admin, `${shop.url}/admin?item=${LAMP_ID}`);
  const drawer = admin.getByRole("dialog");
  await drawer.getByRole("link", { name: "Where it came from" }).click();
  await admin.getByText("3 units, entered by hand").waitFor();
  await admin.keyboard.press("Escape");
  await expect.poll(() => admin.url()).not.toMatch(/why=/u);
  await drawer.getByLabel("or position").fill("1");
  await admin.keyboard.press("Enter");
  await drawer.getByText("It was not there yet").waitFor();
  await expect.poll(() => drawer.getByRole("button", { name: "Edit" }).count()).toBe(0);
  expect(await problemsOf(admin)).toEqual([]);
  await drawer.getByRole("button", { name: "Back to now" }).click();
  await drawer.getByRole("link", { name: "Where it came from" }).waitFor();
});

it("a change of the address keeps what is in it now, also before the screen was drawn again", async () => {
  await visit(admin, `${shop.url}/admin?item=${LAMP_ID}&closed=1`);
  const position = admin.getByRole("dialog").getByLabel("or position");
  await position.waitFor();
  // As right after something was closed: the address has changed, and the screen does not know yet.
  await admin.evaluate(() =>
    history.replaceState(history.state, "", location.href.replace("&closed=1", "")),
  );
  await position.fill("1");
  await admin.keyboard.press("Enter");
  await expect.poll(() => admin.url()).toMatch(/at=1/u);
  expect(admin.url()).not.toMatch(/closed/u);
});

it("a report's numbers open their entries, by month and by consignor, on a desktop and on a phone", async () => {
  await visit(admin, `${shop.url}/admin/reports?from=2024-05-01&to=2024-06-30`);
  const months = admin.getByRole("table", { name: "Months" });
  await expect
    .poll(() => months.innerText())
    .toMatch(/Jun 2024[^]*\$10\.00[^]*\$52\.50[^]*May 2024[^]*\$42\.50[^]*Total[^]*\$52\.50/u);
  const owed = admin.getByRole("region", { name: "Owed" });
  await expect
    .poll(() => owed.innerText())
    .toMatch(/Owed before\s+\$0\.00[^]*shares of sales\s+\$52\.50[^]*Pending payouts\s+\$45\.00/u);
  expect(await problemsOnBoth(admin)).toEqual([]);
  await showAs(admin, "desktop", "light");

  await months.getByRole("link", { name: "$10.00 why this number?" }).first().click();
  const drawer = admin.getByRole("dialog");
  await drawer.getByText("This entry is $10.00.").waitFor();
  await drawer.getByText("Old radio sold").waitFor();
  await drawer.getByText(/^1\s*–\s*30 Jun 2024$/u).waitFor();
  await admin.keyboard.press("Escape");

  await admin.getByText("By consignor", { exact: true }).click();
  await admin.getByLabel("Search consignors").fill("nobody");
  await admin.getByText("No consignor matches").waitFor();
  await admin.getByRole("button", { name: "Clear", exact: true }).click();
  const people = admin.getByRole("table", { name: "Consignors" });
  await expect.poll(() => people.innerText()).toMatch(/Avery Stone\s+\$52\.50/u);
  expect(await problemsOnBoth(admin)).toEqual([]);
  await admin.locator("main").getByText("Total", { exact: true }).waitFor();
  await showAs(admin, "desktop", "light");
  const [saved] = await Promise.all([
    admin.waitForEvent("download"),
    admin.getByRole("button", { name: "Export PDF" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("report-consignors-2024-05-01-2024-06-30.pdf");
  const total = people.getByRole("row", { name: /^Total/u });
  await total.getByRole("link", { name: "$52.50 why this number?" }).first().click();
  await drawer.getByText(/^All consignors, 1 May\s*–\s*30 Jun 2024$/u).waitFor();
  await drawer.getByText("These 2 entries sum to $52.50.").waitFor();
  await admin.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await people.getByRole("button", { name: "Avery Stone" }).click();
  await expect.poll(() => months.innerText()).toMatch(/Jun 2024[^]*\$10\.00/u);
  await admin.getByLabel("Period").selectOption("This month");
  await expect.poll(() => new URL(admin.url()).searchParams.get("to")).not.toBe("2024-06-30");
  await expect.poll(() => owed.innerText()).toMatch(/Owed before\s+\$52\.50/u);

  // Given and taken again this month: it sums to zero, and is not left out.
  expect(await owed.innerText()).not.toMatch(/Adjustments/u);
  for (const balanceCents of [1_750, 750]) {
    const happenedAt = new Date().toISOString();
    const given = { uid: averyUid, balanceCents, expectedCents: null, noteId: null, happenedAt };
    const key = `balance-${balanceCents}`;
    await shop.store.ledger.execute(setBalance, given, { ...UNDER, key });
  }
  await expect
    .poll(() => owed.innerText())
    .toMatch(/Adjustments\s+2 entries\s+\$0\.00[^]*Owed at the end\s+\$52\.50/u);
  await owed.getByRole("definition").filter({ hasText: "$0.00" }).getByRole("link").first().click();
  await drawer.getByText("These 2 entries sum to $0.00.").waitFor();
});
