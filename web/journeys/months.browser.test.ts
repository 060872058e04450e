// Closing a month in a real browser: its preview, what is dated into it later, its sales tax and a remittance, and yearly statements.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { problemsOnBoth, showAs } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import { openTillStore } from "#testing/till/till-store.ts";
import type { TillStore } from "#testing/till/till-store.ts";

let shop: TillStore;
let page: Page;
let itemUID: string;

const now = new Date();
/** The middle of a month that is over in every time zone. */
const soldAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 15, 12));
const year = String(soldAt.getUTCFullYear());
const month = soldAt.toLocaleDateString("en-US", { month: "long", year: "numeric" });

async function sell(salePrice = 40, salesTax = 3): Promise<void> {
  const sale = { consignorID: shop.averyUid, itemUID, quantitySold: 1, salePrice };
  const terms = { consignorPercentage: 50, salesTax, soldAt: soldAt.toISOString() };
  const { status } = await shop.call("POST", "/sales/record", { ...sale, ...terms });
  expect(status).toBe(200);
}

beforeAll(async () => {
  shop = await openTillStore();
  itemUID = await shop.item(shop.averyUid, "LAMP-1", 5, "Desk lamp");
  await sell();
  page = await shop.till();
});

afterAll(() => shop.close());

it("an admin closes a month after a look at its totals, and opens what is dated into it later", async () => {
  await visit(page, `${shop.url}/admin/reports?tab=months&year=${year}`);
  const row = page.getByRole("table", { name: "Months" }).getByRole("row", { name: month });
  await expect.poll(() => row.innerText()).toMatch(/Open\s+\$40\.00/u);
  expect(await problemsOnBoth(page)).toEqual([]);
  await showAs(page, "desktop", "light");
  const closing = page.getByRole("button", { name: `Close month: ${month}` });
  for (const width of [360, 700, 1000]) {
    await page.setViewportSize({ width, height: 800 });
    const rightOf = async () => {
      const box = await closing.boundingBox();
      return box === null ? null : box.x + box.width;
    };
    await expect.poll(rightOf).toBeLessThan(width);
  }
  await showAs(page, "desktop", "light");
  await row.getByRole("button", { name: "Close month" }).click();
  const dialog = page.getByRole("dialog", { name: `Close ${month}?` });
  await expect
    .poll(() => dialog.innerText())
    .toMatch(/Consigned goods sold\s+\$40\.00[^]*Store keeps\s+\$20\.00/u);
  await dialog.getByText("Loading what this does").waitFor({ state: "hidden" });
  expect(await problemsOnBoth(page)).toEqual([]);
  await showAs(page, "desktop", "light");
  // The list behind the dialog moves on; what was looked at is not closed unseen.
  await sell(5, 0);
  await dialog.getByText(`Something was recorded into ${month} just now`).waitFor();
  expect(await dialog.innerText()).toMatch(/Consigned goods sold\s+\$40\.00/u);
  expect(await problemsOnBoth(page)).toEqual([]);
  await showAs(page, "desktop", "light");
  await dialog.getByRole("button", { name: "Show the new totals" }).click();
  await expect
    .poll(() => dialog.innerText())
    .toMatch(/Consigned goods sold\s+\$45\.00[^]*Store keeps\s+\$22\.50/u);
  await expect
    .poll(() => dialog.evaluate((frame) => frame.contains(document.activeElement)))
    .toBe(true);
  await dialog.getByText("Show the new totals").waitFor({ state: "hidden" });
  // Somebody who is quicker than the dialog is refused.
  await sell(5, 0);
  await page.locator("main table").getByText("$50.00").first().waitFor();
  await dialog.getByRole("button", { name: "Close month" }).click();
  await dialog.getByText("Error closing the month:").waitFor();
  // The dialog has the new totals, and pressing again confirms those.
  await expect
    .poll(() => dialog.innerText())
    .toMatch(/Consigned goods sold\s+\$50\.00[^]*Store keeps\s+\$25\.00/u);
  await dialog.getByRole("button", { name: "Close month" }).click();
  await page.getByText(`${month} closed`).first().waitFor();
  await dialog.waitFor({ state: "hidden" });
  // The button is gone, the focus is not.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.tagName))
    .toMatch(/^(?:H1|BUTTON)$/u);
  await expect.poll(() => row.innerText()).toMatch(/Closed\s+\$50\.00[^]*None/u);
  // Who closed it and where in the log has room in its column.
  await page.setViewportSize({ width: 1280, height: 800 });
  const closedBy = row.getByRole("cell").filter({ hasText: /, position \d/u });
  expect(await closedBy.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);

  await sell();
  const masterItemID = await shop.item(null, "RUG-1", 1, "Own rug");
  const unpriced = { masterItemID, quantitySold: 1, soldAt: soldAt.toISOString() };
  expect((await shop.call("POST", "/inventory/master/sale", unpriced)).status).toBe(200);
  await row.getByRole("button", { name: `2 entries after closing, ${month}` }).click();
  const late = page.getByRole("dialog", { name: `Late entries of ${month}` });
  await expect
    .poll(() => late.innerText())
    .toMatch(/sale recorded\s+No price\s+The store[^]*Sale recorded\s+\$40\.00\s+Avery/u);
  expect(await problemsOnBoth(page)).toEqual([]);
  await showAs(page, "desktop", "light");
  await page.keyboard.press("Escape");
  await late.waitFor({ state: "hidden" });
  await row.getByRole("link", { name: "$50.00 why this number?" }).click();
  const why = page.getByRole("dialog", { name: "Goods sold: why this number?" });
  await why.getByText("These 3 entries sum to $50.00.").waitFor();
  await page.keyboard.press("Escape");
  await why.waitFor({ state: "hidden" });
});

it("the sales that a closed month opens say why their totals are others, and lead back to it", async () => {
  await visit(page, `${shop.url}/admin/reports?tab=months&year=${year}`);
  await page.getByRole("table", { name: "Months" }).getByRole("link", { name: month }).click();
  await page.getByRole("region", { name: "Totals of these sales" }).waitFor();
  await page.getByText("Each sale counts on its day").waitFor();
  expect(await problemsOnBoth(page)).toEqual([]);
  await showAs(page, "desktop", "light");
  await page.getByRole("link", { name: `${month} in Reports` }).click();
  await page.getByRole("table", { name: "Months" }).getByRole("row", { name: month }).waitFor();
});

it("in January the months and the yearly statements lead to the year before while it has open months", async () => {
  const before = now.getUTCFullYear();
  const next = before + 1;
  const instead = (path: RegExp, changes: object) =>
    page.route(path, async (route) => {
      const url = route.request().url().replace(`years/${next}`, `years/${before}`);
      const response = await route.fetch({ url });
      await route.fulfill({ response, json: { ...Object(await response.json()), ...changes } });
    });
  const years = { first: before, last: next };
  await instead(/\/api\/months$/u, { year: next, years, months: [] });
  const closed = { month: `${before}-11`, to: `${before}-12-01T00:00:00.000Z` };
  await instead(/\/api\/months\/open$/u, { closed });
  await instead(/\/api\/statements\/years\/\d+$/u, { year: next, consignors: 0 });
  for (const tab of ["months", "years"]) {
    // What the tests before have read a moment ago would not be asked for again.
    await page.goto("about:blank");
    await visit(page, `${shop.url}/admin/reports?tab=${tab}`);
    await page.getByText(`December ${before} is still open: ${before}`).waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    await showAs(page, "desktop", "light");
    await page.getByRole("link", { name: String(before), exact: true }).click();
    await expect.poll(() => new URL(page.url()).search).toBe(`?tab=${tab}&year=${before}`);
  }
  await page.unrouteAll({ behavior: "wait" });
  await page.goto(`${shop.url}/admin`);
});

it("the total of the report by consignor has the same numbers as the cards above it", async () => {
  await visit(page, `${shop.url}/admin/reports?by=consignor`);
  await showAs(page, "phone", "light");
  const card = page.getByRole("list", { name: "Consignors" }).getByRole("listitem").first();
  await card.waitFor();
  const total = page.getByRole("definition").locator("xpath=preceding-sibling::dt");
  for (const name of await total.allInnerTexts()) {
    expect(await card.innerText()).toContain(name);
  }
  await showAs(page, "desktop", "light");
});

it("the sale form says that the month of a sale is closed", async () => {
  await visit(page, `${shop.url}/admin`);
  await page.getByRole("button", { name: "Sold: Desk lamp" }).click();
  const form = page.getByRole("dialog", { name: "Add Sale" });
  await form.getByLabel("Sold at").fill(`${soldAt.toISOString().slice(0, 10)}T12:00`);
  await expect
    .poll(() => form.innerText())
    .toContain(`${month} is closed: this sale is booked in the open month and marked late`);
  await visit(page, `${shop.url}/admin/reports?year=${year}`);
});

it("the collected tax opens its entries, and at most what is owed can be recorded as remitted", async () => {
  await page.getByRole("tab", { name: "Sales tax" }).click();
  await page.getByText("Nothing was remitted yet").waitFor();
  expect(await problemsOnBoth(page)).toEqual([]);
  await showAs(page, "desktop", "light");
  const taxes = page.getByRole("table", { name: "Sales tax by month" });
  const row = taxes.getByRole("row", { name: month });
  await row.getByRole("link", { name: "$3.00 why this number?" }).first().click();
  const why = page.getByRole("dialog", { name: "Tax collected: why this number?" });
  await why.getByText("This entry is $3.00.").waitFor();
  await page.keyboard.press("Escape");
  await why.waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "Record remittance" }).click();
  const form = page.getByRole("dialog", { name: "Record remittance" });
  await form.getByLabel("For month").selectOption(month);
  await form.getByLabel("Amount").fill("60.00");
  await form.getByText("Only $6.00 of collected sales tax is not remitted yet").waitFor();
  // Less than all months owe, but more than this one.
  await form.getByLabel("Amount").fill("4.00");
  await form.getByText("this will be refused").waitFor({ state: "hidden" });
  await form.getByRole("button", { name: "Record remittance" }).click();
  await form.getByText(`${month} owes $3.00, less than this amount.`).waitFor();
  await form.getByRole("button", { name: "Record it anyway" }).waitFor();
  await form.getByLabel("Amount").fill("3.00");
  await form.getByRole("button", { name: "Record remittance" }).waitFor();
  await form.getByLabel("Reference").fill("Return 10");
  await form.getByText("this will be refused").waitFor({ state: "hidden" });
  expect(await problemsOnBoth(page)).toEqual([]);
  await showAs(page, "desktop", "light");
  await form.getByRole("button", { name: "Record remittance" }).click();
  await form.waitFor({ state: "hidden" });
  const remittances = page.getByRole("table", { name: "Remittances" });
  await expect.poll(() => remittances.innerText()).toMatch(/\$3\.00[^]*Return 10/u);
  await expect
    .poll(() => row.innerText())
    .toMatch(/\$0\.00\s+\$3\.00\s+why this number\?\s+\$0\.00\s+why this number\?/u);

  // What was remitted opens the remittances, what is still owed also the tax.
  await row.getByRole("link", { name: "$0.00 why this number?" }).last().click();
  const owed = page.getByRole("dialog", { name: "Tax still owed: why this number?" });
  await expect
    .poll(() => owed.innerText())
    .toMatch(/These 2 entries sum to \$0\.00\.[^]*\$3\.00 of sales tax remitted for/u);
  await owed.getByRole("button", { name: "Remittances" }).click();
  await owed.getByText("Remittances, newest first").waitFor();
  await page.keyboard.press("Escape");
  await owed.waitFor({ state: "hidden" });
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export PDF" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe(`sales-tax-${year}.pdf`);

  await remittances.getByRole("button", { name: "Take back" }).click();
  const taken = page.getByRole("dialog", { name: /^Take back/u });
  await taken.getByLabel("Reason").fill("Wrong month");
  await taken.getByRole("button", { name: "Take back" }).click();
  await remittances.getByText("Taken back").waitFor();
  // The button is gone, the focus is not.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
});

it("everybody's yearly statements are saved as one archive, and as a list", async () => {
  await page.getByRole("tab", { name: "Yearly statements" }).click();
  await page.getByText(`1 consignor had entries in ${year}`).waitFor();
  expect(await problemsOnBoth(page)).toEqual([]);
  for (const [button, file] of [
    ["Export all as PDF", `statements-${year}.zip`],
    ["Export the list as CSV", `statements-${year}.csv`],
  ] as const) {
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(file);
  }
});

it("a year that has not begun is said to be one, and leads to the present year", async () => {
  for (const tab of ["months", "tax", "years"]) {
    await visit(page, `${shop.url}/admin/reports?tab=${tab}&year=2098`);
    await page.getByText("2098 has not begun", { exact: true }).waitFor();
    expect(await page.getByText("could not be loaded").count()).toBe(0);
    await page.getByRole("link", { name: "Show the present year" }).click();
    await page.getByText(/has not begun/u).waitFor({ state: "hidden" });
    await expect.poll(() => new URL(page.url()).search).toBe(`?tab=${tab}`);
  }
});
