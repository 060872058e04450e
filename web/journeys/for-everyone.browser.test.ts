// What everyone must be able to use: sales, payouts and trades by keyboard alone and as a screen reader meets them, and every screen without findings of axe.
import { existsSync, readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keysAt } from "#testing/service/keys-at.ts";
import { problemsIn, showAs } from "#testing/browser/look-at.ts";
import { CODE, openScanFloor, type Desk, type ScanFloor } from "#testing/browser/scan-floor.ts";
import { visit } from "#testing/browser/visit.ts";
import { sized } from "#testing/trial/size.ts";
import { paths } from "#web/paths.ts";

let scene: ScanFloor;
let robin: Desk;
let avery: Desk;
let blake: Desk;

beforeAll(async () => {
  scene = await openScanFloor();
  ({ robin, avery } = scene);
  const { shop, stocked } = scene.floor;
  const ownerUid = await shop.person("blake@store.test", "Blake Rivers", "user");
  await stocked("Walnut radio", { barcode1: "RADIO-1", quantity: 4, ownerUid });
  const page = await shop.signedIn(await shop.visitor(), "blake@store.test");
  blake = { page, keys: await keysAt(page) };
});

afterAll(() => scene.floor.shop.close());

/** Presses a shortcut, with no key before or after it. */
function press({ keys }: Desk, ...shortcut: readonly string[]): Promise<void> {
  return keys.strokes(
    shortcut,
    shortcut.slice(1).map(() => 150),
  );
}

function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((one) => one === document.activeElement);
}

/** Goes on with Tab until this has the focus, at most `most` times. */
async function tabTo({ page, keys }: Desk, target: Locator, most = 12): Promise<void> {
  await target.waitFor({ state: "attached" });
  // Until what it needs has been read, a button cannot be used, and Tab passes it.
  await expect.poll(() => target.isEnabled()).toBe(true);
  for (let tabs = 0; tabs < most && !(await hasFocus(target)); tabs += 1) {
    await keys.press("Tab");
  }
  const elsewhere = async () =>
    (await hasFocus(target))
      ? "there"
      : page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  await expect.poll(elsewhere).toBe("there");
}

/** What a screen reader meets: roles, names and states, in their order. Times and ids are left out. */
async function treeOf(part: Locator): Promise<string> {
  const tree = await part.ariaSnapshot();
  return `${tree
    .replaceAll(/\b\d{1,2}:\d\d:\d\d\b/g, "…")
    .replaceAll(/\d{1,2} \w{3}(?: \d{4})?, \d\d:\d\d/g, "…")
    .replaceAll(/\b[\da-f]{8}\b/g, "…")}\n`;
}

function said(page: Page, text: string | RegExp): Promise<void> {
  return page.getByRole("region", { name: "Notifications" }).getByText(text).first().waitFor();
}

/** The tree of a part once it is the file's, or what it is after ten seconds: parts read on after they are shown. */
async function settledTree(part: Locator, file: string): Promise<string> {
  const url = new URL(file, import.meta.url);
  const kept = existsSync(url) ? readFileSync(url, "utf8") : "";
  const end = performance.now() + 10_000;
  let tree = await treeOf(part);
  while (tree !== kept && performance.now() < end) {
    await part.evaluate(() => new Promise(requestAnimationFrame));
    tree = await treeOf(part);
  }
  return tree;
}

describe("by keyboard alone, in the order of a screen reader's tree", () => {
  it("an admin finds an item, opens and sells it, and is asked once more about a price far above the others", async () => {
    const { page, keys } = robin;
    await scene.open(robin, "/consignors");
    await press(robin, "g", "i");
    await page.waitForURL(/\/admin$/u);
    await page.getByRole("button", { name: "Film camera", exact: true }).waitFor();
    await press(robin, "/");
    const search = page.getByPlaceholder("Search by name, barcode, or title...");
    await expect.poll(() => hasFocus(search)).toBe(true);
    await keys.type("film", "Enter");
    await page.getByText("1 item", { exact: true }).waitFor();
    await press(robin, "ArrowDown");
    const row = page.getByRole("button", { name: "Film camera", exact: true });
    await expect.poll(() => hasFocus(row)).toBe(true);
    const known = page.waitForResponse(/earlier-price/u);
    await keys.press("Enter");
    const sell = page.getByRole("dialog").getByRole("button", { name: "Sold: Film camera" });
    await sell.waitFor();
    await tabTo(robin, sell, 9);
    await keys.press("Enter");
    const form = page.getByRole("dialog", { name: "Add Sale" });
    await expect.poll(() => hasFocus(form.getByLabel("Sale price"))).toBe(true);
    await known;
    await expect(await settledTree(form, "trees/sale-form.txt")).toMatchFileSnapshot(
      "trees/sale-form.txt",
    );
    const events = await scene.logLength();
    await keys.type("4250", "Enter");
    const question = form.getByText(
      /\$4,250\.00 is far above the highest price so far, \$40\.00\./u,
    );
    await question.waitFor();
    // The icon stands beside a question of several lines, not on a line of its own.
    const icon = form.getByRole("alert").filter({ hasText: "Is it right?" }).locator("svg").first();
    await page.setViewportSize({ width: 360, height: 740 });
    await expect
      .poll(async () => {
        const [sign, text] = [await icon.boundingBox(), await question.boundingBox()];
        return (text?.x ?? 0) > (sign?.x ?? 0) + (sign?.width ?? 0);
      })
      .toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    const yes = form.getByRole("button", { name: "Yes, save it" });
    await expect.poll(() => hasFocus(yes)).toBe(true);
    await expect
      .poll(() => form.locator("button.bg-accent").allInnerTexts())
      .toEqual(["Yes, save it"]);
    await keys.scan(CODE, 8, "Enter", "Enter");
    await expect.poll(() => hasFocus(yes)).toBe(true);
    expect(await scene.logLength()).toBe(events);
    await keys.press("Enter");
    await form.waitFor({ state: "hidden" });
    await expect.poll(() => scene.logLength()).toBe(events + 1);
  });

  it("a dialog, a drawer and what opens above it give the focus back to their button", async () => {
    const { page } = robin;
    await scene.open(robin, "/admin");
    const layers = page.locator("[role=dialog], [role=alertdialog], [role=menu]");
    /** Until as many are open, and the topmost one has the focus. */
    const open = async (count: number) => {
      await expect.poll(() => layers.count()).toBe(count);
      await expect
        .poll(() => layers.nth(count - 1).evaluate((top) => top.contains(document.activeElement)))
        .toBe(true);
    };
    const closed = async (button: Locator, count: number) => {
      await expect.poll(() => layers.count()).toBe(count);
      await expect.poll(() => hasFocus(button)).toBe(true);
    };
    const add = page.getByRole("button", { name: "Add to Master Inventory" });
    await add.press("Enter");
    await open(1);
    await page.keyboard.press("Escape");
    await closed(add, 0);
    // With a question between them: what was typed is discarded.
    await add.press("Enter");
    await open(1);
    await layers.getByLabel("Item name").fill("Sofa");
    await page.keyboard.press("Escape");
    await open(2);
    await page.getByRole("button", { name: "Discard", exact: true }).press("Enter");
    await closed(add, 0);
    const row = page.getByRole("button", { name: "Film camera", exact: true });
    await row.press("Enter");
    await open(1);
    const more = layers.getByRole("button", { name: "More for Film camera" });
    await more.press("Enter");
    await open(2);
    await page.getByRole("menuitem", { name: "Edit" }).press("Enter");
    await layers.getByLabel("Item name").waitFor();
    await open(2);
    await page.keyboard.press("Escape");
    await closed(more, 1);
    await page.keyboard.press("Escape");
    await closed(row, 0);
  });

  it("a consignor requests a payout", async () => {
    const { page, keys } = avery;
    await scene.open(avery, paths.salesHistory);
    await press(avery, "g", "d");
    await tabTo(avery, page.getByRole("button", { name: "Request payout" }), 25);
    await keys.press("Enter");
    const form = page.getByRole("dialog", { name: "Request payout" });
    const cashApp = form.getByRole("radio", { name: "CashApp" });
    await tabTo(avery, cashApp, 3);
    await keys.strokes([" "], []);
    await form.getByLabel("Cashtag").waitFor();
    await expect(await settledTree(form, "trees/payout-request.txt")).toMatchFileSnapshot(
      "trees/payout-request.txt",
    );
    await keys.press("Tab");
    await keys.type("avery");
    await tabTo(avery, form.getByLabel("Amount"), 3);
    await keys.type("40", "Enter");
    await said(page, "Payout requested");
    await form.waitFor({ state: "hidden" });
  });

  it("a consignor asks for an item, its owner accepts, and the buyer sees it", async () => {
    const { page, keys } = avery;
    await scene.open(avery, paths.dashboard);
    await press(avery, "g", "m");
    const card = page.getByRole("button", { name: "Walnut radio" });
    await card.waitFor();
    const market = page.getByRole("list", { name: "Items for trade" });
    await expect(await settledTree(market, "trees/marketplace.txt")).toMatchFileSnapshot(
      "trees/marketplace.txt",
    );
    await press(avery, "j");
    await expect.poll(() => hasFocus(card)).toBe(true);
    await keys.press("Enter");
    const drawer = page.getByRole("dialog", { name: "Walnut radio" });
    await tabTo(avery, drawer.getByLabel("Price"));
    await keys.type("6");
    for (const [label, text] of [
      ["Name", "Avery Stone"],
      ["Street", "12 Long Meadow Road"],
      ["City", "Austin"],
      ["State", "TX"],
      ["ZIP code", "78701"],
    ] as const) {
      await tabTo(avery, drawer.getByLabel(label, { exact: true }));
      await keys.type(text);
    }
    await drawer.getByRole("cell", { name: "−$10.00" }).waitFor();
    await expect(await settledTree(drawer, "trees/trade-request.txt")).toMatchFileSnapshot(
      "trees/trade-request.txt",
    );
    await keys.press("Enter");
    await drawer.getByText("Requested. 1 consignor can accept now").waitFor();

    await scene.open(blake, paths.dashboard);
    await press(blake, "g", "o");
    const offers = blake.page.getByRole("table", { name: "Offers that need a reply" });
    const accept = offers.getByRole("button", { name: /^Accept/u });
    await accept.waitFor();
    await expect(await settledTree(offers, "trees/offers.txt")).toMatchFileSnapshot(
      "trees/offers.txt",
    );
    await press(blake, "j");
    await expect
      .poll(() => hasFocus(offers.getByRole("button", { name: "Walnut radio", exact: true })))
      .toBe(true);
    await tabTo(blake, accept, 3);
    await blake.keys.press("Enter");
    const question = blake.page.getByRole("dialog", { name: /Accept/u });
    await question.waitFor();
    await expect(await settledTree(question, "trees/accept-offer.txt")).toMatchFileSnapshot(
      "trees/accept-offer.txt",
    );
    await tabTo(blake, question.getByRole("button", { name: /^Accept/u }));
    await blake.keys.press("Enter");
    await said(blake.page, "Offer accepted successfully!");

    const trade = drawer.getByRole("link", { name: "Open trade" });
    await tabTo(avery, trade);
    await keys.press("Enter");
    const opened = page.getByRole("dialog");
    await opened.getByText("Accepted: 1 unit at $6.00 each").waitFor();
    await page.keyboard.press("Escape");
    await opened.waitFor({ state: "hidden" });
    const trades = page.getByRole("list", { name: "Your trades" });
    await trades.getByText(/^1 (?:unit|of \d+ units) accepted at/u).waitFor();
    await trades.getByText("Waiting for label").waitFor();
    await press(avery, "j");
    await expect
      .poll(() => hasFocus(trades.getByRole("button", { name: "Walnut radio", exact: true })))
      .toBe(true);
    await expect(await settledTree(trades, "trees/trades.txt")).toMatchFileSnapshot(
      "trees/trades.txt",
    );
  });
});

const strangers: ReadonlySet<string> = new Set([
  paths.home,
  paths.login,
  paths.discordSuccess,
  paths.resetPassword,
  paths.verifyEmail,
  paths.confirmEmailChange,
  paths.verifyStatement,
]);
const consignors: ReadonlySet<string> = new Set([
  paths.ownAudit,
  paths.dashboard,
  paths.salesHistory,
  paths.userShipments,
  paths.marketplace,
  paths.myOffers,
  paths.myTrades,
]);

/** With both sizes in both themes in the trial. At the small size, axe looks at one of two, in turns from screen to screen. */
const views = [
  ["desktop", "light"],
  ["phone", "dark"],
  ["desktop", "dark"],
  ["phone", "light"],
] as const;

describe("axe finds nothing and nothing sticks out, in both themes, at 1280 and 360 px,", () => {
  let stranger: Page;
  beforeAll(async () => {
    stranger = await (await scene.floor.shop.visitor()).newPage();
  });

  // A new address is looked at too, as an admin sees it. Google's pop-up has nothing to look at.
  it.each(Object.entries(paths).filter(([, path]) => path !== paths.googleCallback))(
    "on %s, %s",
    async (_name, path) => {
      const page = strangers.has(path) ? stranger : (consignors.has(path) ? avery : robin).page;
      await showAs(page, "desktop", "light");
      await visit(page, `${scene.floor.shop.url}${path}`);
      expect(await problemsIn(page, views.slice(0, sized(2, 4)))).toEqual([]);
    },
  );
});
