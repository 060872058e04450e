// The point of sale's screen in a real browser: how long a message stays, what a phone shows, and the links to other screens.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { problemsOnBoth } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import {
  askedForPriceOf,
  emptyCart,
  knows,
  passMidnight,
  scan,
  sell,
  typeByHand,
} from "#testing/till/till-hands.ts";
import { openTillStore } from "#testing/till/till-store.ts";
import type { TillStore } from "#testing/till/till-store.ts";

let shop: TillStore;
let otherTillsItem: string;

function overflowOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

beforeAll(async () => {
  shop = await openTillStore();
  await shop.item(shop.averyUid, "TWO-1", 2, "Lamp of two");
  await shop.item(shop.blakeUid, "TWO-1", 2, "Lamp of two");
  await shop.item(null, "SAID-1", 1, "Stool");
  await shop.item(shop.averyUid, "SOLD-1", 6);
  otherTillsItem = await shop.item(null, "PAID-1", 5);
  const tagged = { itemName: "Item PAID-2", barcode1: "PAID-2", quantity: 9, tagPriceCents: 1000 };
  await shop.call("POST", "/inventory/consignor", { ...tagged, consignorID: shop.averyUid });
});

beforeEach(async () => {
  await emptyCart(await shop.till());
});

afterAll(() => shop.close());

describe("a key that is pressed twice", () => {
  it.each(["F9", "F8", "F7"])("opens the payment by %s and books nothing", async (key) => {
    const page = await shop.till();
    await knows(page, "SOLD-1");
    await scan(page, "SOLD-1");
    await askedForPriceOf(page, "Item SOLD-1");
    await typeByHand(page, "30");
    await page.keyboard.press("Enter");
    // In one task of the page, as two presses 150 ms apart are on a fast machine.
    await page.evaluate((name) => {
      const field = document.activeElement;
      for (const type of ["keydown", "keyup", "keydown", "keyup"]) {
        field?.dispatchEvent(
          new KeyboardEvent(type, { key: name, bubbles: true, cancelable: true }),
        );
      }
    }, key);
    await page.getByRole("combobox", { name: "Cash received" }).waitFor();
    await page.getByRole("button", { name: "Exact cash" }).waitFor();
    expect(await page.getByText("Sale complete").count()).toBe(0);
    await page.keyboard.press("Escape");
  });
});

describe("owners of one barcode", () => {
  it("stand in the same order after one of them sold a unit", async () => {
    const page = await shop.till();
    await knows(page, "TWO-1", "TWO-1");
    const owners = async () => {
      await scan(page, "TWO-1");
      await page.getByText("2 owners have TWO-1. Whose is it?").waitFor();
      return page.getByRole("listbox").getByRole("option").allInnerTexts();
    };
    const [first, second] = await owners();
    await page.keyboard.press("Enter");
    await askedForPriceOf(page, "Lamp of two");
    await typeByHand(page, "9");
    await page.keyboard.press("F9");
    await page.getByRole("combobox", { name: "Cash received" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Sale complete").waitFor();
    const ownerOf = (text: string | undefined) => /Avery|Blake/u.exec(text ?? "")?.[0];
    expect([first, second].map(ownerOf)).toEqual(["Avery", "Blake"]);
    expect((await owners()).map(ownerOf)).toEqual(["Avery", "Blake"]);
    await page.keyboard.press("Escape");
  });
});

describe("a message of the till", () => {
  it("disappears when the text is changed, the question answered or the mode left", async () => {
    const page = await shop.till();
    const alert = page.getByRole("alert");
    const isGone = (): Promise<void> => alert.waitFor({ state: "hidden" });
    await knows(page, "TWO-1", "TWO-1", "SAID-1");
    await scan(page, "TWO-1");
    await alert.getByText("2 owners have TWO-1. Whose is it?").waitFor();
    await page.keyboard.press("Escape");
    await isGone();

    await scan(page, "SAID-1");
    await askedForPriceOf(page, "Stool");
    await typeByHand(page, "30");
    await page.keyboard.press("Enter");
    await scan(page, "SAID-1");
    await alert.getByText("Only 1 available in inventory").waitFor();
    await page.getByRole("slider", { name: "Consignor share" }).press("ArrowRight");
    await isGone();

    await page.keyboard.press("F9");
    await page.getByRole("combobox", { name: "Cash received" }).waitFor();
    await typeByHand(page, "20");
    await page.keyboard.press("Enter");
    await alert.getByText("The cash is less than the total").waitFor();
    await typeByHand(page, "1.2.3");
    await page.getByRole("button", { name: "Cash", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await alert.getByText("“1.2.3” cannot be read as an amount").waitFor();
    await typeByHand(page, "50");
    await page.getByRole("region", { name: "Cart" }).getByText("$20.00").waitFor();
    await isGone();

    await page.keyboard.press("Enter");
    await page.getByText("Sale complete").waitFor();
    await scan(page, "NOBODYS-1");
    await alert.getByText("No item has the barcode NOBODYS-1").waitFor();
    await page
      .getByRole("region", { name: "Today at this till" })
      .getByRole("button", { name: /Stool/u })
      .click();
    await isGone();
    expect(shop.pageErrors).toEqual([]);
  });
});

/** Today's sales in cents: cash, card and other. */
async function soldBy({ call }: TillStore): Promise<number[]> {
  const { body } = await call("GET", "/till/day");
  const payments = body["payments"] as readonly { readonly soldAmount: number }[];
  return payments.map(({ soldAmount }) => Math.round(soldAmount * 100));
}

describe("paying", () => {
  it("takes quick cash, a card and a certificate in one press each, Pay never moves, and the day is counted", async () => {
    const page = await shop.till();
    await knows(page, "PAID-1", "PAID-2");
    const cart = page.getByRole("region", { name: "Cart" });
    const pay = cart.getByRole("button", { name: /^Pay/u });
    const place = async () => {
      const box = await pay.boundingBox();
      return { y: box?.y, bottom: (box?.y ?? 0) + (box?.height ?? 0) };
    };
    const before = await place();
    const earlier = await soldBy(shop);
    await scan(page, "PAID-2");
    // The tag's price is filled in.
    await cart.getByText("$10.00 each").waitFor();
    await scan(page, "PAID-1");
    await askedForPriceOf(page, "Item PAID-1");
    await typeByHand(page, "2");
    await page.keyboard.press("Enter");
    await cart.getByRole("button", { name: "Pay $12.00" }).waitFor();
    await expect.poll(place).toEqual(before);
    // The second press of a double click falls on Exact cash, and is ignored.
    await pay.dblclick();
    await cart.getByRole("button", { name: "$20", exact: true }).click();
    const last = page.getByRole("region", { name: "The last sale" });
    await last.getByText("Change to give").waitFor();
    await last.getByText("$8.00").first().waitFor();

    await scan(page, "PAID-2");
    await cart.getByText("$10.00 each").waitFor();
    // Enter is held down: it opens the payment and does not complete it.
    await pay.focus();
    // A person's key: an Enter right after the scan's would be taken for its second end.
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.down("Enter");
    await page.getByRole("combobox", { name: "Cash received" }).waitFor();
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await cart.getByRole("button", { name: "Card", exact: true }).click();
    await last.getByText("Paid, card").waitFor();

    await scan(page, "PAID-2");
    await cart.getByRole("button", { name: "Exempt" }).click();
    await page.getByRole("textbox", { name: "Certificate number" }).fill("TX-77");
    await page.getByRole("button", { name: "Take off the tax" }).click();
    await cart.getByRole("button", { name: "Pay $9.24" }).waitFor();
    await pay.click();
    await cart.getByRole("button", { name: "Exact cash" }).click();
    await last.getByText("Tax exempt, TX-77").first().waitFor();
    await last.getByText(/^Receipt R-.*The next scan starts a new sale\.$/u).waitFor();

    // An earlier sale is no last one, and with a filled cart the next scan joins it.
    await scan(page, "PAID-2");
    await cart.getByText("$10.00 each").waitFor();
    await page
      .getByRole("region", { name: "Today at this till" })
      .getByRole("listitem")
      .last()
      .getByRole("button")
      .click();
    const earlierSale = page.getByRole("region", { name: "Receipt" });
    await earlierSale.getByText(/^Receipt R-[^.]*$/u).waitFor();
    await expect.poll(() => page.getByText("Sale complete").count()).toBe(0);
    await earlierSale.getByText(/^Receipt R-[^.]*\.$/u).waitFor();
    await cart.getByRole("button", { name: "Take out Item PAID-2" }).click();
    await earlierSale.getByText(/The next scan starts a new sale\.$/u).waitFor();
    await page.getByText(/sales? not sent yet/u).waitFor({ state: "hidden" });

    await expect
      .poll(async () => (await soldBy(shop)).map((cents, index) => cents - (earlier[index] ?? 0)))
      .toEqual([2124, 1000, 0]);
    const after = await soldBy(shop);
    await visit(page, `${shop.url}/admin/end-of-day`);
    await page.getByRole("button", { name: "Count the drawer" }).click();
    const backToToday = await passMidnight(page, (code) => shop.item(null, code, 1));
    await page.getByRole("textbox", { name: "Counted" }).fill(`${((after[0] ?? 0) - 100) / 100}`);
    await page.getByRole("dialog").getByText("$1.00 short").waitFor();
    await page.getByRole("button", { name: "Close the day" }).click();
    await page.getByText("Say in the note why the count differs").first().waitFor();
    await page.getByRole("textbox", { name: "Note" }).fill("Wrong change");
    await page.getByRole("button", { name: "Close the day" }).click();
    await page.getByRole("table", { name: "Counted days" }).getByText("$1.00 short").waitFor();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await backToToday();
    expect(await problemsOnBoth(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("table", { name: "Payments of the day" }).getByText("Card").click();
    await page.getByRole("button", { name: "Item PAID-2" }).first().waitFor();
    await expect
      .poll(() => page.getByRole("combobox", { name: "Paid by" }).inputValue())
      .toBe("card");
    await visit(page, `${shop.url}/pos`);
    expect(shop.pageErrors).toEqual([]);
  });

  it("ends in a tab whose cart another tab has emptied or paid, and says so", async () => {
    const page = await shop.till();
    await knows(page, "SOLD-1");
    const other = await page.context().newPage();
    await visit(other, `${shop.url}/pos`);
    const cash = page.getByRole("combobox", { name: "Cash received" });
    const openPayment = async () => {
      await scan(page, "SOLD-1");
      await askedForPriceOf(page, "Item SOLD-1");
      await typeByHand(page, "7");
      await page.keyboard.press("F9");
      await cash.waitFor();
    };
    await openPayment();
    await other.getByRole("button", { name: "Park" }).click();
    await page.getByRole("alert").getByText("This cart was changed in another tab").waitFor();
    await cash.waitFor({ state: "hidden" });

    await openPayment();
    await other.getByRole("button", { name: /^Pay \$/u }).click();
    await other.getByRole("button", { name: "Card", exact: true }).click();
    await other.getByText("Sale complete").waitFor();
    await page.getByRole("alert").getByText("This cart was already paid in another tab").waitFor();
    expect(await cash.count()).toBe(0);
    await other.close();
    expect(shop.pageErrors).toEqual([]);
  });

  it("finds a receipt of another till by its number", async () => {
    const page = await shop.till();
    await shop.call("POST", "/inventory/master/sale", {
      masterItemID: otherTillsItem,
      quantitySold: 1,
      salePrice: 5,
      channel: "pos",
      tender: "card",
      receiptID: "0a1b2c3d-0000-4000-8000-000000000001",
    });
    // The till asks once; the sale must be in the lists by then.
    await expect
      .poll(() => shop.call("GET", "/receipts?number=R-0A1B2C3D"))
      .toMatchObject({ body: { receipts: [expect.anything()] } });
    await scan(page, "R-0A1B2C3D");
    const receipt = page.getByRole("region", { name: "Receipt" });
    await receipt.getByText("$5.00").first().waitFor();
    await receipt.getByRole("button", { name: "Email receipt" }).click();
    await page.getByRole("textbox", { name: "Customer's email" }).fill("kim@example.test");
    await page.getByRole("button", { name: "Send receipt" }).click();
    await page.getByText("Receipt sent to kim@example.test").waitFor();

    await visit(page, `${shop.url}/admin/sales?channel=pos&q=PAID-1`);
    await page.getByRole("button", { name: "Item PAID-1" }).first().click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("button", { name: "Correct payment" }).click();
    const form = page.getByRole("dialog", { name: "Correct payment" });
    await form.getByText("Cash", { exact: true }).click();
    expect(await problemsOnBoth(page)).toEqual([]);
    // The window is a phone's now, and the form is still there.
    await form.getByRole("button", { name: "Save payment" }).click();
    await page.getByText("Payment updated").waitFor();
    await drawer.getByText("Payment corrected").waitFor();
    await visit(page, `${shop.url}/pos`);
    expect(shop.pageErrors).toEqual([]);
  });
});

describe("the screen", () => {
  it("keeps the total and Pay at the bottom of a phone, and shows the names of sold items in full", async () => {
    const page = await shop.till();
    await knows(page, "TWO-1", "TWO-1", "SOLD-1");
    await page.setViewportSize({ width: 360, height: 640 });
    const payEndsAt = async (): Promise<number> => {
      const box = await page.getByRole("button", { name: /^Pay/u }).boundingBox();
      return Math.round((box?.y ?? 0) + (box?.height ?? 0));
    };
    await sell(page, "SOLD-1", "12");
    await expect.poll(() => payEndsAt()).toBe(628);
    await scan(page, "TWO-1");
    await page.getByRole("listbox").waitFor();
    await expect.poll(() => payEndsAt()).toBe(628);
    await page.keyboard.press("Escape");
    const sold = page.getByRole("region", { name: "Today" }).getByText("Item SOLD-1").first();
    await expect.poll(() => sold.evaluate((name) => name.scrollWidth - name.clientWidth)).toBe(0);
    await expect.poll(async () => (await sold.boundingBox())?.width).toBeGreaterThan(250);
    // At 400 % there is no room for a bar over the field.
    await page.setViewportSize({ width: 320, height: 256 });
    await page.getByRole("combobox").focus();
    await expect
      .poll(async () => {
        const field = await page.getByRole("combobox").boundingBox();
        const total = await page.getByRole("status", { name: "Total" }).boundingBox();
        return (field?.y ?? 0) + (field?.height ?? 0) < (total?.y ?? 0);
      })
      .toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("links to each admin screen at every width", async () => {
    const page = await shop.till();
    const sidebar = page.getByRole("navigation", { name: "Main" });
    await sidebar.getByRole("link", { name: "Settings" }).waitFor();
    const places = await sidebar.getByRole("link").allInnerTexts();
    expect(places).toEqual(expect.arrayContaining(["POS", "Inventory", "Settings"]));
    for (const width of [360, 640, 768, 1000, 1023]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole("button", { name: "Menu", exact: true }).click();
      const items = page.getByRole("menuitem");
      await expect
        .poll(async () => (await items.allInnerTexts()).slice(0, places.length))
        .toEqual(places);
      await page.keyboard.press("Escape");
      await items.first().waitFor({ state: "hidden" });
    }
    for (const width of [1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => sidebar.getByRole("link").allInnerTexts()).toEqual(places);
      await expect.poll(() => overflowOf(page)).toBe(0);
    }
  });

  it("has a sidebar that collapses to icons and stays so after a reload", async () => {
    const page = await shop.till();
    const sidebar = page.getByRole("navigation", { name: "Main" });
    const width = async (): Promise<number | undefined> => (await sidebar.boundingBox())?.width;
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(width).toBe(240);
    await sidebar.getByRole("button", { name: "Collapse navigation" }).click();
    await expect.poll(width).toBe(60);
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(width).toBe(60);
    await sidebar.getByRole("button", { name: "Expand navigation" }).click();
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(width).toBe(240);
    await expect.poll(() => overflowOf(page)).toBe(0);
    await page.evaluate(() => localStorage.removeItem("sidebar"));
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});
