// Scans and keys anywhere, in a real browser: a scan opens what it belongs to and books nothing; whole walks by keyboard alone.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  cutPixelsOf,
  problemsOf,
  problemsOnBoth,
  showAs,
  waitUntilStill,
} from "#testing/browser/look-at.ts";
import { focusSomething } from "#testing/browser/random-focus.ts";
import { scanMoments } from "#testing/browser/scan-moments.ts";
import { makeLongDay } from "#testing/browser/scan-states.ts";
import { CODE, openScanFloor, type Desk, type ScanFloor } from "#testing/browser/scan-floor.ts";
import { sized } from "#testing/trial/size.ts";

let scene: ScanFloor;
let robin: Desk;

beforeAll(async () => {
  scene = await openScanFloor();
  ({ robin } = scene);
  const { floor } = scene;
  await floor.stocked("Twin mug", { barcode1: "TWIN-1", quantity: 2 });
  await floor.stocked("Twin mug of Avery", { barcode1: "TWIN-1", ownerUid: floor.averyUid });
});

afterAll(() => scene.floor.shop.close());

function said(page: Page, text: string | RegExp): Locator {
  return page.getByRole("region", { name: "Notifications" }).getByText(text);
}

function palette(page: Page): Locator {
  return page.getByRole("dialog", { name: "Command palette" });
}

/** Presses a shortcut, with no key before or after it. */
function press(desk: Desk, ...keys: readonly string[]): Promise<void> {
  return desk.keys.strokes(
    keys,
    keys.slice(1).map(() => 150),
  );
}

function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((one) => one === document.activeElement);
}

describe("a scan outside a text field", () => {
  it("opens the item on any screen, with selling focused, and a second scan of it sells nothing", async () => {
    const { page, keys } = robin;
    await scene.open(robin, "/consignors");
    const events = await scene.logLength();
    await keys.scan(CODE);
    const drawer = page.getByRole("dialog", { name: "Film camera" });
    const sell = drawer.getByRole("button", { name: "Sold: Film camera" });
    await sell.waitFor();
    await expect.poll(() => hasFocus(sell)).toBe(true);
    await keys.scan(CODE, 50, "Enter", "Enter");
    await expect.poll(() => hasFocus(sell)).toBe(true);
    await keys.scan("STOOL-1");
    const sellStool = page.getByRole("button", { name: "Sold: Oak stool" }).last();
    await page.getByRole("dialog", { name: "Oak stool" }).waitFor();
    await expect.poll(() => hasFocus(sellStool)).toBe(true);
    await expect.poll(() => page.getByRole("dialog").count()).toBe(1);
    expect(await scene.logLength()).toBe(events);
  });

  it("offers what there is to choose from if several things have the code", async () => {
    const { page, keys } = robin;
    await scene.open(robin, "/admin/sales");
    await keys.scan("TWIN-1");
    await palette(page).getByText("2 have the code TWIN-1.").waitFor();
    await expect.poll(() => palette(page).getByRole("option").count()).toBe(2);
    await showAs(page, "phone", "light");
    for (const owner of ["Master", "Avery Stone"]) {
      const shown = palette(page).getByText(owner, { exact: true });
      await expect.poll(() => cutPixelsOf(shown)).toBe(0);
    }
    await showAs(page, "desktop", "light");
    await keys.strokes(["ArrowDown"], []);
    await keys.press("Enter");
    await page.getByRole("dialog", { name: /^Twin mug/u }).waitFor();
    await palette(page).waitFor({ state: "detached" });
  });

  it("says that nothing has the code, and offers to take in a new item with it", async () => {
    const { page, keys } = robin;
    await scene.open(robin, "/admin-shipments");
    await keys.scan("NEW-77");
    await said(page, "Nothing has the code NEW-77.").waitFor();
    await page.getByRole("button", { name: "Take in as a new item" }).click();
    const form = page.getByRole("dialog", { name: "Add Item" });
    await expect.poll(() => form.getByLabel("Barcode 1").inputValue()).toBe("NEW-77");
    await form.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("");
  });

  it("opens only what is theirs for a consignor", async () => {
    const { page, keys } = scene.avery;
    await scene.open(scene.avery, "/profile");
    await page.locator("#main").focus();
    await keys.scan("STOOL-1");
    await said(page, "Nothing has the code STOOL-1.").waitFor();
    expect(await page.getByRole("button", { name: "Take in as a new item" }).count()).toBe(0);
    await keys.scan("TWIN-1");
    await page.waitForURL(/\/dashboard\?q=TWIN-1/u);
    await page.getByRole("dialog").getByRole("list", { name: "Came in" }).waitFor();
  });
});

const tried = sized(
  scanMoments.filter(({ inShort }) => inShort),
  scanMoments,
);

/** Sign-ins, visits, and the look-ups of what a form knows: the picture of a product, the name of a barcode. */
const booksNothing = /\/(?:identity|analytics)\/|\/(?:images\/find|inventory\/known)$/u;

/** In a field nobody can tell a scanner from a typist by less than three keys, or slowly by less than six or an amount. */
function isLikeTyping(code: string, gapMs: number): boolean {
  return code.length < 3 || (gapMs > 16 && (code.length < 6 || /^\d*[.,]\d+$/u.test(code)));
}

const codes = [
  CODE,
  "STOOL-1",
  "TWIN-1",
  "NEW-1",
  "12.50",
  "99",
  "0012 3456-7890",
  "R-1A2B3C4D",
  "/J K G",
  "?ggi",
];

/** Numbers from 0 to 1, always the same. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** What the scans before opened must not cover the next screen. The few moments of the short run have screens of their own. */
const newStart = sized<(page: Page) => Promise<unknown>>(
  () => Promise.resolve(),
  (page) => page.goto("about:blank"),
);

/** The few moments of the short run need none of it. */
const longDay = sized(
  () => Promise.resolve(),
  () => makeLongDay(scene.floor),
);

it(
  `${sized("5 scans where Enter could book something", "200 scans at random moments on every screen and dialog")} change no money and no stock`,
  async () => {
    const roll = dice(20_261_123);
    const pick = <Value>(values: readonly Value[]): Value | undefined =>
      values[Math.floor(roll() * values.length)];
    const count = sized(5, 200);
    await longDay();
    const events = await scene.logLength();
    const sent: string[] = [];
    let where = "";
    for (const { page } of [robin, scene.avery]) {
      page.on("request", (request) => {
        const path = new URL(request.url()).pathname;
        const isRehearsed = request.headers()["ledger-rehearsal"] !== undefined;
        if (request.method() !== "GET" && !isRehearsed && !booksNothing.test(path)) {
          sent.push(`${where}: ${request.method()} ${path}`);
        }
      });
    }
    for (let scanned = 0; scanned < count;) {
      const {
        path,
        whose,
        press: opened = [],
        opens = [],
      } = tried[Math.floor((scanned * tried.length) / count)] ?? { path: "/admin" };
      const desk = whose === "avery" ? scene.avery : robin;
      const { page, keys } = desk;
      await newStart(page);
      await scene.open(desk, path);
      where = [path, ...opened.filter((step) => typeof step === "string")].join(" > ");
      for (const step of opened) {
        if (typeof step === "object" && "field" in step) {
          await page.getByLabel(step.field, { exact: true }).last().fill(step.text);
        } else {
          const named = { name: step, exact: typeof step === "string" };
          const button = page.getByRole("button", named).or(page.getByRole("menuitem", named));
          const choice = page.getByRole("checkbox", named).or(page.getByRole("option", named));
          await button.or(choice).first().click();
        }
      }
      if (opens.length > 0) {
        await page.getByRole("dialog").or(page.getByRole("alertdialog")).first().waitFor();
      }
      await waitUntilStill(page);
      const here = Math.max(1, Math.round(count / tried.length));
      for (let nth = 0; nth < here; nth += 1) {
        await focusSomething(page, roll());
        const ends = pick([["Enter"], ["Tab"], ["Enter", "Tab"], ["Enter", "Enter"]] as const) ?? [
          "Enter",
        ];
        const code = pick(codes) ?? CODE;
        const gapMs = pick([1, 8, 16, 50]) ?? 8;
        const isInField = await page.evaluate(
          () => document.activeElement?.matches("input, textarea, select") === true,
        );
        await keys.scan(isInField && isLikeTyping(code, gapMs) ? CODE : code, gapMs, ...ends);
        scanned += 1;
      }
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
    }
    await scene.open(robin, "/admin/sales");
    expect(sent).toEqual([]);
    expect(await scene.logLength()).toBe(events);
  },
  sized(240_000, 1_200_000),
);

/** One look at the palette is enough in the short run. */
const lookOfTrial = sized<(page: Page) => Promise<readonly string[]>>(
  () => Promise.resolve([]),
  problemsOnBoth,
);

describe("by keyboard alone", () => {
  it("rows are walked with J and K, opened with Enter, and the drawer goes on with them", async () => {
    const { page, keys } = robin;
    await scene.open(robin, "/admin");
    const rows = page.locator("[data-row-main]");
    await rows.nth(3).waitFor();
    const names = (await rows.allTextContents()).map((name) => name.replace("No Image", ""));
    await press(robin, "j");
    await expect.poll(() => hasFocus(rows.nth(0))).toBe(true);
    await press(robin, "j", "j", "k");
    await expect.poll(() => hasFocus(rows.nth(1))).toBe(true);
    await keys.press("Enter");
    await page.getByRole("dialog", { name: names[1] ?? "", exact: true }).waitFor();
    await press(robin, "j");
    await page.getByRole("dialog", { name: names[2] ?? "", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  it("a payout is marked as paid", async () => {
    const { page, keys } = robin;
    await scene.open(robin, "/admin");
    await press(robin, "g", "r");
    await page.waitForURL(/payout-requests/u);
    const pay = page.getByRole("button", { name: /^Mark as paid/u }).first();
    await pay.waitFor();
    await press(robin, "j");
    await expect.poll(() => hasFocus(pay)).toBe(true);
    await keys.press("Enter");
    const question = page.getByRole("alertdialog");
    await question.waitFor();
    const sure = question.getByRole("button", { name: "Mark as paid" });
    for (let tabs = 0; tabs < 3 && !(await hasFocus(sure)); tabs += 1) {
      await keys.press("Tab");
    }
    await keys.press("Enter");
    await said(page, "Payout marked as paid").first().waitFor();
  });

  it("the palette finds a person, an action and a screen, and gives the focus back when it closes", async () => {
    const { page, keys } = robin;
    await scene.open(robin, "/admin");
    const sold = page.getByRole("button", { name: "Sold: Film camera" });
    await sold.focus();
    await page.keyboard.press("Control+k");
    await palette(page)
      .getByRole("option", { name: /^Mass Input/u })
      .waitFor();
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "detached" });
    await expect.poll(() => hasFocus(sold)).toBe(true);

    await page.keyboard.press("Control+k");
    await expect.poll(() => hasFocus(palette(page).getByRole("combobox"))).toBe(true);
    expect(await sized(problemsOf, problemsOnBoth)(page)).toEqual([]);
    await showAs(page, "desktop", "light");
    await keys.type("avery stone", "Enter");
    await page.getByRole("dialog", { name: "Avery Stone" }).waitFor();
    await page.keyboard.press("Control+k");
    // Above a drawer that still loads, the palette has the focus a moment later.
    await expect.poll(() => hasFocus(palette(page).getByRole("combobox"))).toBe(true);
    await keys.type("mass", "Enter");
    await page.getByRole("dialog", { name: "Mass Input" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await press(robin, "?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.waitFor();
    expect(await lookOfTrial(page)).toEqual([]);
    await showAs(page, "desktop", "light");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "hidden" });
  });

  it("no key is a shortcut in a text field", async () => {
    const { page, keys } = robin;
    await scene.open(robin, "/admin");
    const search = page.getByPlaceholder("Search by name, barcode, or title...");
    await search.focus();
    await keys.type("gi?/jk");
    await expect.poll(() => search.inputValue()).toBe("gi?/jk");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("a consignor's palette has neither people nor other people's things", async () => {
    const { page, keys } = scene.avery;
    await scene.open(scene.avery, "/dashboard");
    await page.keyboard.press("Control+k");
    await palette(page)
      .getByRole("option", { name: /^Request payout/u })
      .waitFor();
    await keys.type("oak stool");
    await palette(page).getByText("Nothing found for “oak stool”").waitFor();
    expect(await palette(page).getByRole("option").count()).toBe(0);
    await showAs(page, "phone", "light");
    await palette(page).getByRole("button", { name: "Close" }).click();
    await palette(page).waitFor({ state: "detached" });
  });
});

it("logs no errors except for half a scan in a date field", () => {
  expect(scene.floor.shop.pageErrors.filter((error) => !error.includes("400"))).toEqual([]);
});
