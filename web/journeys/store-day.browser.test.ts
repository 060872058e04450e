// The store's day in a real browser, from incoming items to outgoing money: dark on a desktop and light on a phone, because
// the other tests check the screens the other way round.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { cutPixelsOf, overflowOf, problemsOf } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import { sized } from "#testing/trial/size.ts";

let shop: BrowserStore;
let admin: Page;
let avery: Page;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("admin@store.test", "Robin Admin", "admin");
  await shop.person("avery@store.test", "Avery Stone", "user");
  const enter = async (email: string) => shop.signIn(await shop.visitor(), email);
  [admin, avery] = await Promise.all([enter("admin@store.test"), enter("avery@store.test")]);
});

afterAll(() => shop.close());

function open(page: Page, path: string): Promise<void> {
  return visit(page, `${shop.url}${path}`);
}

async function pickAvery(page: Page, form: Locator): Promise<void> {
  await form.getByLabel("Consignor", { exact: true }).fill("avery");
  await page.getByRole("option", { name: /Avery Stone/u }).click();
}

async function save(form: Locator, act: string | RegExp = "Save"): Promise<void> {
  await form.getByRole("button", { name: act, exact: true }).click();
  await form.waitFor({ state: "hidden" });
}

/** A toast. The same text may also appear elsewhere. */
function said(page: Page, text: string): Locator {
  return page.getByRole("region", { name: "Notifications" }).getByText(text);
}

async function unitsOf(itemName: string): Promise<number | undefined> {
  const [row] = await shop.store.sql<{ quantity: number }[]>`
    select quantity from read.inventory_items where item_name = ${itemName}`;
  return row?.quantity;
}

/** Avery requests an amount, or everything if none is given. */
async function requestPayout(method: "CashApp" | "Venmo", handle: string, amount?: string) {
  await open(avery, "/dashboard");
  await avery.getByRole("button", { name: "Request payout" }).first().click();
  const form = avery.getByRole("dialog");
  // The money of a request that was just deleted is there too.
  await form.getByText("$85.25", { exact: true }).first().waitFor();
  await form.getByText(method, { exact: true }).click();
  await form.getByLabel(method === "CashApp" ? "Cashtag" : "Venmo username").fill(handle);
  await (amount === undefined
    ? form.getByRole("button", { name: "All" }).click()
    : form.getByLabel("Amount").fill(amount));
  return form;
}

const days: readonly (readonly [number, "light" | "dark"])[] = [
  [360, "light"],
  [1280, "dark"],
];

// The small size has the phone's day only: there, lists are cards and actions are in menus. Other tests walk the desktop's screens.
describe.each(days.slice(0, sized(1, 2)))("the store's day at %i px, %s", (width, theme) => {
  const isPhone = width === 360;
  const item = `Camera ${width} ${theme}`;
  const code = `CAM-${width}-${theme}`;
  let looks = 0;
  const look = async (page: Page): Promise<void> => {
    await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe(theme);
    looks += 1;
    // Other tests have axe look at these screens in other views: here, every other time is enough for the small size.
    const problems = looks % sized(2, 1) === 0 ? await problemsOf(page) : await overflowOf(page);
    expect(problems).toEqual([]);
  };

  beforeEach(async () => {
    for (const page of [admin, avery]) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((name) => {
        // Stored, too, for the till, which is a page of its own.
        localStorage.setItem("theme", name);
        document.documentElement.dataset["theme"] = name;
      }, theme);
    }
  });

  it("takes items in, one by one and with the scanner", async () => {
    await open(admin, "/admin");
    const add = "Add to Consignor Inventory";
    if (isPhone) {
      await admin.getByRole("button", { name: "Add", exact: true }).click();
      await admin.getByRole("menuitem", { name: add }).click();
    } else {
      await admin.getByRole("button", { name: add }).click();
    }
    const form = admin.getByRole("dialog");
    await pickAvery(admin, form);
    await form.getByLabel("Item name").fill(item);
    await form.getByLabel("Barcode 1").fill(code);
    await form.getByLabel("Quantity").fill("3");
    await save(form);

    await admin.getByRole("button", { name: "Mass Input" }).click();
    await pickAvery(admin, form);
    await form.getByLabel("Item name").fill(`Film ${width} ${theme}`);
    await form.getByLabel("Barcodes, one per line").fill(`${code}-A\n${code}-A\n${code}-B\n`);
    await form.getByText("3 barcodes").waitFor();
    await form.getByRole("button", { name: "Review" }).click();
    await form.getByText("None for new items").waitFor();
    await look(admin);
    await form.getByRole("button", { name: "Save 3 units" }).click();
    await said(admin, "3 units added to 2 items (2 new)").waitFor();
    await open(admin, `/admin?q=${width}+${theme}`);
    await admin.getByText("3 items", { exact: true }).waitFor();
    await expect.poll(() => unitsOf(item)).toBe(3);
  });

  it("sells, corrects a typing mistake, and refunds a return", async () => {
    await open(admin, `/admin?q=${code}`);
    const form = admin.getByRole("dialog");
    for (const price of ["120.50", "40"]) {
      await admin.getByRole("button", { name: `Sold: ${item}` }).click();
      await form.getByLabel("Sale price").fill(price);
      await form.getByLabel("Shipping cost").fill("10");
      await form
        .getByText(price === "40" ? "$15.00" : "$55.25")
        .first()
        .waitFor();
      await look(admin);
      await save(form);
      await said(admin, "Sale recorded successfully").first().waitFor();
    }

    await open(admin, `/admin/sales?q=${encodeURIComponent(item)}`);
    const drawer = admin.getByRole("dialog", { name: item });
    const openSale = async (price: string) => {
      const line = admin.locator("tr, li").filter({ hasText: price });
      await line.getByRole("button", { name: item, exact: true }).first().click();
      await drawer.getByText(price, { exact: true }).first().waitFor();
    };
    await openSale("$120.50");
    await drawer.getByRole("button", { name: "Edit sale" }).click();
    const correction = admin.getByRole("dialog", { name: "Edit Sale" });
    await correction.getByLabel("Sale price").fill("140.50");
    await correction.getByLabel("Reason").fill("Typed wrongly");
    // (140.50 − 10.00) × 50% = 65.25
    await expect.poll(() => correction.innerText()).toMatch(/Avery Stone[^]*\$55\.25[^]*\$65\.25/u);
    await correction.getByRole("row", { name: /Avery Stone, available.*\+\$10\.00/u }).waitFor();
    await look(admin);
    await save(correction);
    await said(admin, "Sale corrected").waitFor();
    await drawer.getByText("“Typed wrongly”").waitFor();
    await drawer.getByText("Ledger entry").first().waitFor();
    await look(admin);
    await drawer.getByRole("button", { name: "Close" }).click();

    await openSale("$40.00");
    await drawer.getByRole("button", { name: "Refund sale" }).click();
    const refund = admin.getByRole("dialog", { name: "Refund sale" });
    await refund.getByLabel("Reason").fill("Came back");
    await refund.getByText("Avery Stone gives back $15.00 of this sale.").waitFor();
    await refund.getByRole("row", { name: /Avery Stone, available.*−\$15\.00/u }).waitFor();
    await refund.getByRole("row", { name: /, units.*\+1/u }).waitFor();
    await look(admin);
    await save(refund, "Refund $40.00");
    await said(admin, "$40.00 refunded").waitFor();
    await drawer.getByText("Fully refunded: the customer has all of $40.00 back.").waitFor();
    await drawer.getByText("“Came back”").waitFor();
    await look(admin);
    // The sale in the list says so too. Searching for the words alone would find that one as well.
    await admin.locator("tr, li").getByText("−$40.00 refunded").first().waitFor();
    await drawer.getByRole("button", { name: "Close" }).click();

    await open(admin, "/admin/end-of-day?refunds=elsewhere");
    const back = admin.getByRole("dialog", { name: /^Refunds of/u }).getByRole("listitem");
    const row = back.filter({ hasText: item });
    // On a phone all of the row opens the sale.
    await (isPhone ? row : row.getByRole("link")).click({ position: { x: 6, y: 6 } });
    await drawer.getByText("Fully refunded: the customer has all of $40.00 back.").waitFor();

    await open(admin, `/admin/sales?q=${encodeURIComponent(item)}`);
    const totals = admin.getByRole("region", { name: "Totals of these sales" });
    const refunds = totals.getByText("after $40.00 refunds");
    await refunds.waitFor();
    await expect.poll(() => cutPixelsOf(refunds)).toBeLessThan(1);
    await totals.getByRole("link", { name: /Store keeps/u }).click();
    await admin.getByText(/sales? in this list sum to \$/u).waitFor();
    await look(admin);
    await admin.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await admin.getByRole("button", { name: "Custom sale" }).first().click();
    await pickAvery(admin, form);
    await form.getByLabel("Item name").fill(`Cable lot ${width} ${theme}`);
    await form.getByLabel("Amount").fill("10");
    await form.getByText("Avery Stone gets $10.00 and then has $75.25 available").waitFor();
    await look(admin);
    await save(form);
  });

  it("sells at the till", async () => {
    await open(admin, "/pos");
    await admin.getByRole("combobox").fill(code);
    await admin.getByRole("option", { name: new RegExp(item, "u") }).waitFor();
    await admin.keyboard.press("Enter");
    await admin.getByRole("combobox", { name: `Price of ${item}, tax included` }).fill("21.65");
    await admin.keyboard.press("Enter");
    // 21.65 / 1.0825 = 20.00, and half of it.
    await admin.getByText("Avery Stone gets").getByText("$10.00").waitFor();
    await look(admin);
    await admin.getByRole("button", { name: "Pay $21.65" }).click();
    await admin.getByRole("button", { name: "Exact cash" }).click();
    await admin.getByText("Sale complete").waitFor();
    await look(admin);
    await admin.getByText(/not sent yet/u).waitFor({ state: "hidden" });
    // Three came in, two were sold, one of those came back, and one was sold at the till.
    await expect.poll(() => unitsOf(item)).toBe(1);
  });

  it("shows the consignor why, and pays once on request", async () => {
    await open(avery, "/dashboard");
    await avery.getByText("$85.25").first().waitFor();
    await open(avery, "/sales-history");
    await avery
      .getByText(`${item} sold at the till`)
      .or(avery.getByText(`${item} sold`))
      .first()
      .waitFor();
    await look(avery);

    const first = await requestPayout("Venmo", "@avery-stone", "25.25");
    await look(avery);
    await avery
      .context()
      .route("https://venmo.com/**", (route) =>
        route.fulfill({ contentType: "text/html", body: "Venmo" }),
      );
    const opened = avery.waitForEvent("popup");
    await first.getByRole("button", { name: "Request payout" }).click();
    const venmo = await opened;
    await expect
      .poll(() => venmo.url())
      .toMatch(/^https:\/\/venmo\.com\/.*txn=charge&amount=25\.25/u);
    await venmo.close();
    const charge = avery.getByRole("link", { name: "Open Venmo" });
    await expect
      .poll(() => charge.getAttribute("href"))
      .toMatch(/^https:\/\/venmo\.com\/.*25\.25/u);
    await expect.poll(() => charge.getAttribute("target")).toBe("_blank");
    await look(avery);
    await save(first, "Done");
    await open(avery, "/sales-history");
    const chip = avery.getByText("Payout requested", { exact: true }).first();
    await chip.waitFor();
    // Neither cut nor past the card's edge.
    await expect
      .poll(() =>
        chip.evaluate((word) => [
          word.scrollWidth > word.clientWidth,
          (word.parentElement?.getBoundingClientRect().right ?? Infinity) >
            (word.closest("li, td")?.getBoundingClientRect().right ?? 0) - 8,
        ]),
      )
      .toEqual([false, false]);
    await open(admin, "/payout-requests");
    await admin
      .getByRole("button", { name: /^Delete/u })
      .first()
      .click();
    const question = admin.getByRole("alertdialog");
    await question.getByText("$85.25").waitFor();
    await look(admin);
    await save(question, "Delete and refund");
    await said(admin, "Payout request deleted and balance refunded").waitFor();

    await save(await requestPayout("CashApp", "$avery"), "Request payout");
    await open(admin, "/payout-requests");
    await admin
      .getByRole("button", { name: /Mark as paid/u })
      .first()
      .click();
    await look(admin);
    await save(question, "Mark as paid");
    await said(admin, "Payout marked as paid").waitFor();
    // The list is empty: the focus is on its heading, not lost.
    await expect
      .poll(() => admin.evaluate(() => document.activeElement?.textContent))
      .toBe("Payout Requests");

    await open(avery, "/sales-history?tab=payouts");
    const payouts = avery.locator("tr, li");
    for (const [amount, status] of [
      ["$85.25", "Paid"],
      ["$25.25", "Deleted, refunded"],
    ] as const) {
      await payouts.filter({ hasText: amount }).filter({ hasText: status }).first().waitFor();
    }
    await open(avery, "/dashboard");
    await avery.getByText("$0.00").first().waitFor();
    await look(avery);
  });
});

it("takes back a payout whose transfer failed, and tells the consignor why", async () => {
  await open(admin, "/payout-requests?status=paid");
  const button = /^Mark as returned: the payout of \$85\.25 to Avery Stone$/u;
  await admin.getByRole("button", { name: button }).first().click();
  const form = admin.getByRole("dialog", {
    name: "Mark payout of $85.25 to Avery Stone as returned",
  });
  await form.getByText("Avery Stone, available").waitFor();
  await form.getByRole("button", { name: "Mark as returned" }).click();
  await form.getByText("Enter a reason").waitFor();
  await form.getByLabel("Reason").fill("The account is closed");
  await form.getByText("Enter a reason").waitFor({ state: "hidden" });
  await expect.poll(() => problemsOf(admin)).toEqual([]);
  await save(form, "Mark as returned");
  await said(admin, "Payout marked as returned").waitFor();

  // The dashboard has been open since before that.
  await avery
    .getByText(/The account is closed/u)
    .first()
    .waitFor();
  await avery.getByText("came back").first().waitFor();
  await avery.getByText("$85.25").first().waitFor();
  await expect.poll(() => problemsOf(avery)).toEqual([]);
});

it("logged no errors all day", () => {
  expect(shop.pageErrors).toEqual([]);
});
