// A cashier's actions for tests of the point of sale: scanner, keyboard, and checks of what the till knows and shows.
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Like a keyboard wedge: all keys at once, followed by Enter. */
export async function scan(page: Page, code: string): Promise<void> {
  const wedge = await keyboardWedge(page);
  await wedge.scan(code);
  await wedge.detach();
}

type Wedge = {
  readonly scan: (code: string) => Promise<unknown>;
  readonly detach: () => Promise<void>;
};

/**
 * Sends a code's keys without waiting for the page, like a scanner. All keys of a code have the same time, so that
 * they do not look like slow typing on a busy machine.
 */
export async function keyboardWedge(page: Page): Promise<Wedge> {
  const client = await page.context().newCDPSession(page);
  const press = (key: string, text: string, keyCode: number, timestamp: number) => [
    client.send("Input.dispatchKeyEvent", {
      type: "keyDown",
      key,
      text,
      windowsVirtualKeyCode: keyCode,
      timestamp,
    }),
    client.send("Input.dispatchKeyEvent", {
      type: "keyUp",
      key,
      windowsVirtualKeyCode: keyCode,
      timestamp,
    }),
  ];
  return {
    scan(code) {
      const timestamp = Date.now() / 1000;
      return Promise.all([
        ...Array.from(code).flatMap((letter) =>
          press(letter, letter, letter.toUpperCase().charCodeAt(0), timestamp),
        ),
        ...press("Enter", "\r", 13, timestamp),
      ]);
    },
    detach: () => client.detach(),
  };
}

/** At a person's pace. */
export async function typeByHand(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text, { delay: 50 });
}

/** Waits until the field asks for this line's price, which means that the scan has arrived. */
export async function askedForPriceOf(page: Page, itemName: string): Promise<void> {
  await page.getByRole("combobox", { name: `Price of ${itemName}, tax included` }).waitFor();
}

export async function sell(page: Page, code: string, price: string): Promise<void> {
  await scan(page, code);
  await askedForPriceOf(page, `Item ${code}`);
  await typeByHand(page, price);
  await page.keyboard.press("F9");
  await page.getByRole("combobox", { name: "Cash received" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Sale complete").waitFor();
}

/** In the open question about a refused line: books it as the second item found, which has this code, by keyboard. */
export async function settleAsSecondFound(page: Page, term: string, code: string): Promise<void> {
  const question = page.getByRole("dialog");
  await question.getByText("Another item").click();
  const book = question.getByRole("button", { name: "Book as this item" });
  const unpicked = question.getByText("Pick the item that was sold");
  await book.click();
  await unpicked.waitFor();
  const field = question.getByRole("combobox", { name: "The item that was sold" });
  await field.fill(term);
  await question.getByRole("option").nth(1).waitFor();
  await field.press("ArrowDown");
  await question.getByRole("option", { name: new RegExp(code, "u"), selected: true }).waitFor();
  await field.press("Enter");
  await unpicked.waitFor({ state: "hidden" });
  await book.click();
}

/** The barcodes of the cart's lines, in their order. */
export async function codesInCart(page: Page): Promise<readonly (string | undefined)[]> {
  const cart = await page.evaluate(() => localStorage.getItem("posCart"));
  return Array.from(String(cart).matchAll(/"barcode1":"(\d+)"/gu), (match) => match[1]);
}

/** The barcodes in the till's own copy of the inventory. */
function knownCodes(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases();
    if (databases.every(({ name }) => name !== "posCatalogue")) {
      return [];
    }
    const answerOf = (request: IDBRequest) =>
      new Promise((resolve) => {
        request.addEventListener("success", () => resolve(request.result));
      });
    const database = (await answerOf(indexedDB.open("posCatalogue"))) as IDBDatabase;
    const items = await answerOf(database.transaction("items").objectStore("items").getAll());
    database.close();
    return (items as { barcode1: string }[]).map(({ barcode1 }) => barcode1);
  });
}

/** Waits until the till knows items with these barcodes; a barcode given twice belongs to two items. */
export async function knows(page: Page, ...codes: readonly string[]): Promise<void> {
  const wanted = new Set(codes);
  await expect
    .poll(async () => (await knownCodes(page)).filter((code) => wanted.has(code)).length)
    .toBe(codes.length);
}

/** Settles the first refused line, or the one of this item, in its dialog. */
export async function settle(
  page: Page,
  way: string,
  act: string | RegExp,
  itemName?: string,
): Promise<void> {
  const refused = page.getByRole("region", { name: "Taken, not booked" });
  const line = refused
    .getByRole("listitem")
    .filter({ hasText: itemName ?? "" })
    .first();
  await line.getByRole("button", { name: "Settle" }).click();
  await page.getByRole("dialog").getByText(way).click();
  await page.getByRole("dialog").getByRole("button", { name: act }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

/** Empties the cart, whatever an earlier spec has left in it. */
export async function emptyCart(page: Page): Promise<void> {
  const hasLines = await page.evaluate(() => {
    const isFilled = localStorage.getItem("posCart")?.includes("lineId") ?? false;
    localStorage.removeItem("posCart");
    return isFilled;
  });
  if (hasLines) {
    await page.reload();
    await page.getByRole("combobox").waitFor();
  }
}

/** Lets requests through and holds back their responses until the returned function is called. */
export async function holdAnswers(page: Page, address: RegExp): Promise<() => void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    const response = await route.fetch();
    await isReleased;
    await route.fulfill({ response });
  });
  return release;
}

/** Keeps this till from saving a sale until the returned function is called. */
export async function holdSaving(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(async () => {
    const request = indexedDB.open("posSales");
    await new Promise((resolve) => {
      request.addEventListener("success", resolve);
    });
    const database = request.result;
    const sales = database.transaction("sales", "readwrite").objectStore("sales");
    const hold = () => {
      if (document.body.dataset["letsSave"] === undefined) {
        sales.getKey("").addEventListener("success", hold);
      } else {
        database.close();
      }
    };
    hold();
  });
  return () => page.evaluate(() => document.body.setAttribute("data-lets-save", ""));
}

/** Has End of Day move on to the next day, as at midnight, until the returned function is called. Another item has it read the day again. */
export async function passMidnight(
  page: Page,
  addItem: (code: string) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const address = /\/api\/till\/day$/u;
  const heading = page.locator("main h2").first();
  const before = await heading.innerText();
  // Not unrouted: that would end an answer that is just being changed.
  let isOver = false;
  await page.route(address, async (route) => {
    if (isOver) {
      return route.fallback();
    }
    const response = await route.fetch();
    if (isOver) {
      // It may include what was added since, and nothing would ask again.
      return route.fulfill({ response });
    }
    const now = Object(await response.json()) as { readonly to: string };
    const day = now.to.slice(0, 10);
    return route.fulfill({ response, json: { ...now, day, today: day } });
  });
  await addItem("MIDNIGHT-1");
  await expect.poll(() => heading.innerText()).not.toBe(before);
  return async () => {
    isOver = true;
    await addItem("MIDNIGHT-2");
    await expect.poll(() => heading.innerText()).toBe(before);
  };
}
