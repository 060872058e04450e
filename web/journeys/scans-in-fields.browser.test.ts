// Scans into form fields, in a real browser: amounts, quantities, dates and choices keep their values, and only a typed Enter submits.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keysAt } from "#testing/service/keys-at.ts";
import { stopClock } from "#testing/browser/page-clock.ts";
import { sized } from "#testing/trial/size.ts";
import { CODE, openScanFloor, type Desk, type ScanFloor } from "#testing/browser/scan-floor.ts";

let scene: ScanFloor;
let robin: Desk;

beforeAll(async () => {
  scene = await openScanFloor();
  ({ robin } = scene);
});

afterAll(() => scene.floor.shop.close());

/** Opens a form that books something, ready to submit, and returns it. */
type FormCase = {
  readonly name: string;
  readonly path: string;
  readonly whose?: "avery";
  readonly open: (page: Page) => Promise<Locator>;
  /** The labels of its amounts, quantities and dates. */
  readonly fields: readonly string[];
  /** What a fast typist enters into the first of them before pressing Enter. */
  readonly byHand: string;
};

async function pickAvery(page: Page, form: Locator): Promise<void> {
  await form.getByRole("combobox", { name: "Consignor" }).fill("avery");
  await page.getByRole("option", { name: /Avery Stone/u }).click();
}

async function press(page: Page, name: string | RegExp): Promise<Locator> {
  await page.getByRole("button", { name }).first().click();
  return page.getByRole("dialog");
}

async function chooseFor(page: Page, item: string, act: string): Promise<Locator> {
  await page.getByRole("button", { name: `More for ${item}` }).click();
  await page.getByRole("menuitem", { name: act }).click();
  return page.getByRole("dialog");
}

async function ofSale(page: Page, act: string): Promise<Locator> {
  // The list as it was before the last form may still be shown.
  const position = (await scene.logLength()).toLocaleString("en-US");
  await page.getByText(`(position ${position})`).first().waitFor();
  const row = page.getByRole("row").filter({ hasText: "Film camera" }).first();
  const price = /\$[\d,]+\.\d\d/u.exec(await row.innerText())?.[0] ?? "no price";
  await row.getByRole("button", { name: "Film camera" }).click();
  // The drawer may show the sale as it was before, too.
  await page.getByRole("dialog").getByText(price, { exact: true }).first().waitFor();
  await page.getByRole("dialog").getByRole("button", { name: act }).click();
  return page.getByRole("dialog", { name: act });
}

const SPLIT = ["Quantity sold", "Consignor share"] as const;

const forms: readonly FormCase[] = [
  {
    name: "Add Sale",
    path: "/admin",
    open: (page) => press(page, "Sold: Film camera"),
    fields: ["Sale price", "Shipping cost", ...SPLIT, "Sold at"],
    byHand: "12.50",
  },
  {
    name: "the store's own sale",
    path: "/admin",
    open: (page) => chooseFor(page, "Oak stool", "Sold"),
    fields: ["Sale price", "Quantity sold", "Sold at"],
    byHand: "12.50",
  },
  {
    name: "Add to Consignor",
    path: "/admin",
    async open(page) {
      const form = await press(page, "Add to Consignor: Oak stool");
      await pickAvery(page, form);
      return form;
    },
    fields: ["Quantity"],
    byHand: "2",
  },
  {
    name: "Edit Item",
    path: "/admin",
    open: (page) => chooseFor(page, "Film camera", "Edit"),
    fields: ["Quantity", "Tag price"],
    byHand: "17",
  },
  {
    name: "Edit Sale",
    path: "/admin/sales?q=Film&order=asc",
    open: (page) => ofSale(page, "Edit sale"),
    fields: ["Sale price", "Shipping cost", "Sales tax", ...SPLIT, "Payout"],
    byHand: "91.75",
  },
  {
    name: "Refund sale",
    path: "/admin/sales?q=Film",
    async open(page) {
      const form = await ofSale(page, "Refund sale");
      await form.getByText("Back in stock").click();
      await form.getByLabel("Reason").fill("Came back");
      return form;
    },
    fields: ["Amount", "Quantity"],
    byHand: "1.25",
  },
  {
    name: "Custom sale",
    path: "/admin/sales",
    async open(page) {
      const form = await press(page, "Custom sale");
      await pickAvery(page, form);
      await form.getByLabel("Item name").fill("Cable lot");
      return form;
    },
    fields: ["Amount"],
    byHand: "10.25",
  },
  {
    name: "Adjust balance",
    path: "/consignors",
    async open(page) {
      const form = await chooseFor(page, "Avery Stone", "Adjust balance");
      await form.getByLabel("Reason").fill("Counted again");
      return form;
    },
    fields: ["Change by", "New balance"],
    byHand: "150.75",
  },
  {
    name: "Request payout",
    path: "/dashboard",
    whose: "avery",
    async open(page) {
      const form = await press(page, "Request payout");
      await form.getByText("CashApp", { exact: true }).click();
      await form.getByLabel("Cashtag").fill("$avery");
      return form;
    },
    fields: ["Amount"],
    byHand: "20.25",
  },
];

/** The text in a field, and whether the input is incomplete. */
function contentOf(field: Locator): Promise<string> {
  return field.evaluate((input) =>
    input instanceof HTMLInputElement || input instanceof HTMLSelectElement
      ? `${input.value}${input.validity.badInput ? " and more" : ""}`
      : "no field",
  );
}

/** Nothing that waits for the page's next frame runs until the function that this returns is called. */
async function holdFrames(page: Page): Promise<() => Promise<void>> {
  const held = await page.evaluateHandle(() => {
    const frames = new Map<number, FrameRequestCallback>();
    const { requestAnimationFrame, cancelAnimationFrame } = globalThis;
    let last = 0;
    globalThis.requestAnimationFrame = (frame) => {
      last += 1;
      frames.set(last, frame);
      return last;
    };
    globalThis.cancelAnimationFrame = (id) => {
      frames.delete(id);
    };
    return () => {
      Object.assign(globalThis, { requestAnimationFrame, cancelAnimationFrame });
      for (const frame of frames.values()) {
        frame(performance.now());
      }
    };
  });
  return () => held.evaluate((release) => release());
}

const scans = [
  ["0012 3456-7890", 50, "Enter"],
  ["415", 1, "Tab"],
  [CODE, 8, "Enter"],
  ["9781234567897", 16, "Tab"],
] as const;

describe("an amount, a quantity or a date", () => {
  it.each(forms)(
    "of $name is as it was after a scan, nothing is sent, and a quick hand's Enter sends it",
    async ({ name, path, whose, open, fields, byHand }) => {
      const desk = whose === "avery" ? scene.avery : robin;
      const { page, keys } = desk;
      await scene.open(desk, path);
      const form = await open(page);
      const [first = ""] = fields;
      const main = form.getByLabel(first);
      await main.fill("5");
      const events = await scene.logLength();
      const all = form.locator(
        "input[inputmode=decimal], input[inputmode=numeric], input[type^=date]",
      );
      await expect.poll(() => all.count()).toBe(fields.length);
      for (const [index, label] of fields.entries()) {
        const field = form.getByLabel(label);
        const before = await contentOf(field);
        // At the small size, the first field of the first form gets all of them, each other form's first one the last two,
        // and each other field one of those in turn.
        const few = index === 0 ? scans.slice(-2) : scans.slice(3 - (index % 2)).slice(0, 1);
        const isFirst = index === 0 && name === forms[0]?.name;
        for (const [code, gapMs, end] of sized(isFirst ? scans : few, scans)) {
          await field.focus();
          await keys.scan(code, gapMs, end);
          await expect
            .poll(async () => [label, code, await contentOf(field)])
            .toEqual([label, code, before]);
          await expect.poll(() => form.isVisible()).toBe(true);
        }
      }
      await expect.poll(() => scene.logLength()).toBe(events);
      await main.selectText();
      await keys.type(byHand);
      await expect.poll(() => main.inputValue()).toBe(byHand);
      await keys.press("Enter");
      await form.waitFor({ state: "hidden" });
      await expect.poll(() => scene.logLength()).toBeGreaterThan(events);
    },
  );
});

it("leaves the focus to somebody who goes on before a busy device has drawn again", async () => {
  const { page, keys } = robin;
  await scene.open(robin, "/admin");
  const form = await press(page, "Sold: Film camera");
  const price = form.getByLabel("Sale price");
  const drawHeld = await holdFrames(page);
  await form.getByLabel("Quantity sold").focus();
  await keys.scan(CODE);
  await price.selectText();
  await keys.type("91.");
  await drawHeld();
  await keys.type("75");
  await expect.poll(() => price.inputValue()).toBe("91.75");
});

describe("a choice or a date that filters a list", () => {
  it.each([
    ["the source of items", "/admin", "Source", "MASTER-1", "all"],
    ["the kind of sale", "/admin/sales", "Kind", "CUSTOM-1", "all"],
    ["the first day of sales", "/admin/sales?to=2024-06-05", "From", CODE, ""],
  ] as const)("is as it was after a scan: %s", async (_what, path, label, code, value) => {
    const { page, keys } = robin;
    await scene.open(robin, path);
    const field = page.getByLabel(label, { exact: true });
    await expect.poll(() => contentOf(field)).toBe(value);
    const { search } = new URL(page.url());
    for (const end of ["Enter", "Tab"] as const) {
      await field.focus();
      await keys.scan(`${code} 1`, 8, end);
      await expect.poll(() => contentOf(field)).toBe(value);
    }
    expect(new URL(page.url()).search).toBe(search);
  });
});

describe("a text field", () => {
  it("keeps the code, and only a typed Enter submits the form", async () => {
    const { page, keys } = robin;
    await scene.open(robin, "/admin/sales");
    const form = await press(page, "Custom sale");
    await pickAvery(page, form);
    await form.getByLabel("Amount").fill("3");
    const events = await scene.logLength();
    const name = form.getByLabel("Item name");
    await name.focus();
    await keys.scan(CODE);
    await expect.poll(() => name.inputValue()).toBe(CODE);
    await page.getByText(`Scanned ${CODE}. Press Enter to save.`).waitFor();
    await expect.poll(() => form.isVisible()).toBe(true);
    await expect.poll(() => scene.logLength()).toBe(events);
    await keys.press("Enter");
    await form.waitFor({ state: "hidden" });
    await expect.poll(() => scene.logLength()).toBeGreaterThan(events);
  });

  it("picks nobody from a suggestion list that was open for typed text", async () => {
    const { page, keys } = robin;
    await scene.open(robin, "/admin/sales");
    const form = await press(page, "Custom sale");
    const consignor = form.getByRole("combobox", { name: "Consignor" });
    await consignor.focus();
    await keys.type("ave");
    await page.getByRole("option", { name: /Avery Stone/u }).waitFor();
    await keys.scan(CODE);
    await page.getByText(`Scan ignored here: ${CODE}`).waitFor();
    await expect.poll(() => consignor.inputValue()).toBe("ave");
    await page.getByRole("option", { name: /Avery Stone/u }).click();
    await expect.poll(() => consignor.inputValue()).toBe("Avery Stone");
    // Whoever was chosen stays chosen.
    await keys.scan(CODE);
    await expect.poll(() => consignor.inputValue()).toBe("Avery Stone");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => form.getByLabel("Item name").getAttribute("aria-invalid")).toBe("true");
    expect(await consignor.getAttribute("aria-invalid")).not.toBe("true");
  });

  it("searches at once if the field is a search", async () => {
    // In its own browser, because a stopped clock also changes the times of keys.
    const { shop } = scene.floor;
    const context = await shop.visitor();
    const page = await shop.signIn(context, "admin@store.test");
    const keys = await keysAt(page);
    await page.clock.install();
    await scene.open({ page, keys }, "/admin");
    await page.getByPlaceholder("Search by name, barcode, or title...").focus();
    // A search that waited for the next key would never run.
    await stopClock(page);
    await keys.scan("SHELF-1");
    await page.waitForURL(/q=SHELF-1/u);
    await page.clock.resume();
    await page.getByText("1 item", { exact: true }).waitFor();
    await expect.poll(() => page.getByText("Scan ignored here").count()).toBe(0);
    await context.close();
  });
});

/** `key-burst.test.ts` has these, too, and many more. */
const hands = [
  ["125.50", [60, 25, 60, 60, 60, 60]],
  ["125.50", [70, 25, 70, 25, 70, 65]],
  ["100.00", [55, 55, 55, 55, 55, 55]],
] as const;

it.each(hands.slice(0, sized(1, 3)))(
  "an amount from a hand stays, and Tab goes on: %s at %j ms",
  async (amount, gaps) => {
    const { page, keys } = robin;
    await scene.open(robin, "/admin");
    const form = await press(page, "Sold: Film camera");
    const price = form.getByLabel("Sale price");
    await price.fill("");
    await price.focus();
    await keys.strokes([...Array.from(amount), "Tab"], gaps);
    await expect.poll(() => price.inputValue()).toBe(amount);
    await expect
      .poll(() => price.evaluate((field) => field === document.activeElement))
      .toBe(false);
  },
);

it("treats a key that is held down as typed", async () => {
  const { page, keys } = robin;
  await scene.open(robin, "/admin");
  const form = await press(page, "Sold: Film camera");
  const price = form.getByLabel("Sale price");
  await price.focus();
  await keys.hold("9", 7);
  await keys.press("Tab");
  await expect.poll(() => price.inputValue()).toBe("9999999");
});

it("logs no errors except for half a scan in a date field", () => {
  // Half a scan in a date field is a year that the server refuses, until the date is restored.
  expect(scene.floor.shop.pageErrors.filter((error) => !error.includes("400"))).toEqual([]);
});
