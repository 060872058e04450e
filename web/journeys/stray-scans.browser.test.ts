// Scans where no code is expected, in a real browser: whatever has the focus, nothing is pressed or booked.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keysAt } from "#testing/service/keys-at.ts";
import { problemsOf, showAs, waitUntilStill } from "#testing/browser/look-at.ts";
import { sized } from "#testing/trial/size.ts";
import { CODE, openScanFloor, type Desk, type ScanFloor } from "#testing/browser/scan-floor.ts";

let scene: ScanFloor;
let robin: Desk;

beforeAll(async () => {
  scene = await openScanFloor();
  ({ robin } = scene);
});

afterAll(() => scene.floor.shop.close());

/** Milliseconds between the keys: a fast scanner and the slowest. `key-burst.test.ts` has those in between. */
const gaps = sized([1, 50], [1, 8, 16, 50]);

/** Everything that a pressed button may change: the address, what is open, what is chosen, what is in the log. */
async function stateOf(page: Page) {
  const shown = await page.evaluate(() => ({
    address: location.href,
    theme: document.documentElement.dataset["theme"],
    open: Array.from(
      document.querySelectorAll("[role=dialog], [role=alertdialog], [role=menu]"),
      (popup) => popup.querySelector("h2")?.textContent ?? popup.role,
    ),
    chosen: Array.from(
      document.querySelectorAll("[aria-selected=true], [aria-pressed=true], [aria-expanded=true]"),
      ({ id, tagName }) => `${tagName} ${id}`,
    ),
    checked: Array.from(document.querySelectorAll("input"), ({ checked }) => checked),
  }));
  return { ...shown, events: await scene.logLength() };
}

function said(page: Page): Locator {
  return page.getByRole("region", { name: "Notifications" });
}

it("books no sale if two scans follow a sale on /admin, where the Sold button has the focus again", async () => {
  const { page, keys } = robin;
  await scene.open(robin, "/admin?q=Film");
  const sold = page.getByRole("button", { name: "Sold: Film camera" });
  await sold.focus();
  await keys.press("Enter");
  const form = page.getByRole("dialog", { name: "Add Sale" });
  await form.getByLabel("Sale price").waitFor();
  await form.getByLabel("Sale price").focus();
  await keys.type("12.50", "Enter");
  await form.waitFor({ state: "hidden" });
  await page.getByText("Sale recorded successfully").first().waitFor();
  await expect.poll(() => sold.evaluate((button) => button === document.activeElement)).toBe(true);
  const before = await stateOf(page);

  for (const end of ["Enter", "Tab"] as const) {
    for (const gapMs of gaps) {
      await keys.scan("STOOL-1 A", gapMs, end);
      await keys.scan("STOOL-1 B", gapMs, end);
      await expect
        .poll(async () => [gapMs, end, await stateOf(page)])
        .toEqual([gapMs, end, before]);
      await expect
        .poll(() => sold.evaluate((button) => button === document.activeElement))
        .toBe(true);
    }
  }
  await said(page).getByText("Nothing has the code STOOL-1 B.").waitFor();
  // One message in total, not one per scan, because an Undo may be shown next to it.
  await expect
    .poll(() =>
      said(page)
        .getByText(/Nothing has the code/u)
        .count(),
    )
    .toBe(1);
  // A person can still press it.
  await keys.press("Enter");
  await form.waitFor();
  await form.getByRole("button", { name: "Cancel" }).click();
});

type Place = {
  readonly what: string;
  readonly path: string;
  readonly at: (page: Page) => Locator | Promise<Locator>;
  readonly whose?: "avery";
};

async function menuItem(page: Page, menu: string | RegExp, item: string): Promise<Locator> {
  await page.getByRole("button", { name: menu }).first().click();
  return page.getByRole("menuitem", { name: item });
}

async function inDialog(page: Page, opener: string | RegExp, act: string): Promise<Locator> {
  await page.getByRole("button", { name: opener }).first().click();
  return page
    .getByRole("dialog")
    .or(page.getByRole("alertdialog"))
    .getByRole("button", { name: act });
}

const places: readonly Place[] = [
  {
    what: "a row of the inventory",
    path: "/admin",
    at: (page) => page.getByRole("button", { name: "Film camera", exact: true }),
  },
  {
    what: "a row's checkbox",
    path: "/admin",
    at: (page) => page.getByRole("checkbox", { name: "Select Film camera" }),
  },
  {
    what: "a preset",
    path: "/admin",
    at: (page) => page.getByRole("button", { name: "Zero stock" }),
  },
  {
    what: "a column's heading",
    path: "/admin",
    at: (page) => page.getByRole("button", { name: "Item Name" }),
  },
  {
    what: "a link",
    path: "/admin",
    at: (page) => page.getByRole("link", { name: "Consignors", exact: true }),
  },
  {
    what: "a menu's line",
    path: "/admin",
    at: (page) => menuItem(page, "More for Film camera", "Delete"),
  },
  {
    what: "a form's Save",
    path: "/admin",
    at: (page) => inDialog(page, "Sold: Film camera", "Save"),
  },
  {
    what: "a sale's row",
    path: "/admin/sales",
    at: (page) => page.getByRole("button", { name: "Film camera" }).first(),
  },
  {
    what: "a person's tab",
    path: "/consignors",
    async at(page) {
      await page.getByRole("button", { name: "Avery Stone", exact: true }).click();
      return page.getByRole("tab", { name: "Overview" });
    },
  },
  {
    what: "the question before a payout is marked as paid",
    path: "/payout-requests",
    at: (page) => inDialog(page, /^Mark as paid/u, "Mark as paid"),
  },
  {
    what: "the way back from the old accounts",
    path: "/consignors/migration",
    at: (page) => page.getByRole("link", { name: "Back to consignors" }),
  },
  {
    what: "a theme",
    path: "/profile",
    at: (page) => page.getByRole("radio", { name: "Dark" }),
  },
  { what: "a switch", path: "/profile", at: (page) => page.getByRole("switch").first() },
  {
    what: "Request payout",
    path: "/dashboard",
    at: (page) => page.getByRole("button", { name: "Request payout" }).first(),
    whose: "avery",
  },
  {
    what: "a tab of the history",
    path: "/sales-history",
    at: (page) => page.getByRole("tab", { name: "Payouts" }),
    whose: "avery",
  },
];

describe("a scan", () => {
  it.each(places)("presses nothing at $what", async ({ what, path, at, whose }) => {
    const desk = whose === "avery" ? scene.avery : robin;
    const { page, keys } = desk;
    await scene.open(desk, path);
    const place = await at(page);
    await place.waitFor({ state: "attached" });
    await waitUntilStill(page);
    await place.focus();
    const before = await stateOf(page);
    // At the small size, Enter after one of the two and Tab after the other, in turns from place to place.
    const isEven = places.findIndex((one) => one.what === what) % 2 === 0;
    const [end, other] = isEven ? (["Enter", "Tab"] as const) : (["Tab", "Enter"] as const);
    for (const [first, second] of sized([[end, other]], [
      ["Enter", "Enter"],
      ["Tab", "Tab"],
    ] as const)) {
      await keys.scan(`${CODE} 7`, 8, first);
      await keys.scan(`Q${CODE}`, 50, second);
    }
    await expect.poll(() => stateOf(page)).toEqual(before);
    await said(page)
      .getByText(
        new RegExp(`^(?:Scan ignored here: Q${CODE}|Nothing has the code Q${CODE}\\.)$`, "u"),
      )
      .waitFor();
  });

  it("says so without axe violations, on a desktop and on a phone", async () => {
    for (const [view, theme] of [
      ["desktop", "light"],
      ["phone", "dark"],
    ] as const) {
      await showAs(robin.page, view, theme);
      const page = await scene.open(robin, "/admin?q=stool");
      await robin.keys.scan("9781234567897".repeat(9));
      const notice = said(page).getByText(/^Nothing has the code 9781234567897\d{11}\.$/u);
      await notice.waitFor();
      // At most two lines, because it covers what is below.
      await expect
        .poll(() =>
          notice.evaluate((words) => {
            const range = document.createRange();
            range.selectNodeContents(words);
            return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
          }),
        )
        .toBeLessThanOrEqual(2);
      expect(await problemsOf(page)).toEqual([]);
    }
    await showAs(robin.page, "desktop", "light");
  });
});

describe("a menu with an item whose first letter is the code's", () => {
  const lines = () => robin.page.locator("[role=menuitem][data-highlighted]");

  async function openMenu(): Promise<Locator> {
    const { page, keys } = robin;
    await scene.open(robin, "/admin");
    const opener = page.getByRole("button", { name: "More for Film camera" });
    await opener.focus();
    await keys.press("Enter");
    await expect.poll(() => page.locator("[role=menu]:focus").count()).toBe(1);
    return opener;
  }

  async function scanAndSettle(code: string, gapMs: number): Promise<void> {
    await robin.keys.scan(code, gapMs, "Enter", "Enter");
    await said(robin.page).getByText(`Scan ignored here: ${code}`).waitFor();
    await robin.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  }

  it.each(gaps)("keeps its highlighted item: a key every %i ms", async (gapMs) => {
    await openMenu();
    await robin.keys.strokes(["ArrowDown"], []);
    await expect.poll(() => lines().count()).toBe(1);
    const before = await lines().allTextContents();
    expect(before).not.toEqual(["Delete"]);
    for (const code of ["D-04-17", "DELETE"]) {
      await scanAndSettle(code, gapMs);
      await expect
        .poll(async () => [code, await lines().allTextContents()])
        .toEqual([code, before]);
      await expect
        .poll(() => robin.page.locator("[role=menuitem]:focus").allTextContents())
        .toEqual(before);
    }
  });

  it.each(gaps)(
    "is closed where no line was highlighted, and a hand's Enter deletes nothing: a key every %i ms",
    async (gapMs) => {
      const opener = await openMenu();
      const events = await scene.logLength();
      await scanAndSettle("D-04-17", gapMs);
      await robin.page.getByRole("menu").waitFor({ state: "hidden" });
      await expect
        .poll(() => opener.evaluate((button) => button === document.activeElement))
        .toBe(true);
      await robin.keys.press("Enter");
      await robin.page.getByRole("menu").waitFor();
      await expect.poll(() => scene.logLength()).toBe(events);
      await expect.poll(() => lines().count()).toBe(0);
    },
  );
});

it("does not ignore a second press of Space by a person, however soon it comes", async () => {
  const { page, keys } = robin;
  await scene.open(robin, "/admin");
  const box = page.getByRole("checkbox", { name: "Select Film camera" });
  await box.focus();
  await expect.poll(() => box.isChecked()).toBe(false);
  await keys.strokes([" "], []);
  await expect.poll(() => box.isChecked()).toBe(true);
  await keys.strokes([" ", " ", " "], [70, 70]);
  await expect.poll(() => box.isChecked()).toBe(false);
});

it("does not remove Undo from the screen", async () => {
  const { page, keys } = robin;
  const names = ["Undo one", "Undo two", "Undo three"];
  for (const [index, name] of names.entries()) {
    await scene.floor.stocked(name, { barcode1: `UNDO-${String(index)}`, quantity: 0 });
  }
  await scene.open(robin, "/admin?q=Undo");
  for (const name of names) {
    await page.getByRole("button", { name: `More for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("row", { name: new RegExp(name, "u") }).waitFor({ state: "detached" });
  }
  await expect.poll(() => said(page).getByRole("button", { name: "Undo" }).count()).toBe(3);
  await page.getByRole("button", { name: "Zero stock" }).focus();
  for (const code of ["NOTHING-1", "NOTHING-2"]) {
    await keys.scan(code);
    await said(page).getByText(`Nothing has the code ${code}.`).waitFor();
    await expect.poll(() => said(page).getByRole("button", { name: "Undo" }).count()).toBe(3);
  }
});

describe("keys as fast as a scanner's that are not from one", () => {
  it("sign in if a password manager types them, including Tab and Enter", async () => {
    const page = await (await scene.floor.shop.visitor()).newPage();
    await page.goto(`${scene.floor.shop.url}/login`);
    const keys = await keysAt(page);
    const email = page.getByLabel("Email");
    await email.waitFor();
    await waitUntilStill(page);
    await email.focus();
    await keys.scan("avery@store.test", 2, "Tab");
    await expect.poll(() => email.inputValue()).toBe("avery@store.test");
    await expect
      .poll(() => email.evaluate((field) => field === document.activeElement))
      .toBe(false);
    await page.getByLabel("Password", { exact: true }).focus();
    await keys.scan("a-password-of-tests", 2);
    await page.waitForURL(/\/dashboard/u);
  });
});

it("logs no errors", () => {
  expect(scene.floor.shop.pageErrors).toEqual([]);
});

it("presses no button of a dialog by a code too short or too slow to be told from typing, and a person presses it", async () => {
  const { page, keys } = robin;
  await scene.open(robin, "/payout-requests");
  const yes = await inDialog(page, /^Mark as paid/u, "Mark as paid");
  await yes.focus();
  await waitUntilStill(page);
  const before = await stateOf(page);
  for (const code of ["9", "99", "12.5"]) {
    await keys.scan(code, 50, "Enter");
    await expect.poll(async () => [code, await stateOf(page)]).toEqual([code, before]);
  }
  await keys.press("Enter");
  await yes.waitFor({ state: "hidden" });
  await expect.poll(() => scene.logLength()).toBe(before.events + 1);
});
