// A store with an admin, a buyer with $100 and a seller, each in a browser of their own, for walks through trades.
import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { addItem } from "#features/inventory/decider.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsIn } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";

const happenedAt = "2026-11-01T10:00:00.000Z";

export type TradeMarket = {
  readonly shop: BrowserStore;
  readonly admin: Page;
  readonly avery: Page;
  readonly blake: Page;
  readonly uids: Readonly<Record<"admin" | "avery" | "blake", string>>;
  readonly execute: BrowserStore["execute"];
  /** Gives a person units of an item. */
  readonly stock: (
    uid: string,
    itemName: string,
    barcode1: string,
    quantity: number,
  ) => Promise<void>;
  readonly setAvailable: (uid: string, balanceCents: number) => Promise<void>;
  readonly open: (page: Page, path: string) => Promise<void>;
};

export async function openTradeMarket(): Promise<TradeMarket> {
  const shop = await openBrowserStore();
  const uids = {
    admin: await shop.person("admin@store.test", "Robin Admin", "admin"),
    avery: await shop.person("avery@store.test", "Avery Stone", "user"),
    blake: await shop.person("blake@store.test", "Blake Rivers", "user"),
  };
  const { execute } = shop;
  const setAvailable: TradeMarket["setAvailable"] = (uid, balanceCents) =>
    execute(setBalance, { uid, balanceCents, expectedCents: null, noteId: null, happenedAt });
  await setAvailable(uids.avery, 10_000);
  const enter = async (name: string) => {
    const visitor = await shop.visitor();
    await visitor.addInitScript(stopPolling);
    return shop.signIn(visitor, `${name}@store.test`);
  };
  const [admin, avery, blake] = await Promise.all([enter("admin"), enter("avery"), enter("blake")]);
  return {
    shop,
    admin,
    avery,
    blake,
    uids,
    execute,
    setAvailable,
    stock: (ownerUid, itemName, barcode1, quantity) =>
      execute(addItem, {
        itemId: randomUUID(),
        ownerUid,
        source: "manual" as const,
        details: { ...noDetails, itemName, barcode1 },
        quantity,
        happenedAt,
      }),
    open: (page, path) => visit(page, `${shop.url}${path}`),
  };
}

/** Runs in the page: nothing is read again every few seconds, so that the page learns what others did only by live events. */
function stopPolling(): void {
  const start = globalThis.setInterval;
  const withoutPolls = (act: () => void, everyMs: number) =>
    everyMs < 3000 ? start(act, everyMs) : 0;
  Object.defineProperty(globalThis, "setInterval", { value: withoutPolls });
}

const noDetails = {
  listingTitle: "",
  barcode2: "",
  location: "A-01",
  link: "",
  imageUrl: "",
  asin: "",
};

/** Waits for a message at the edge of the screen. */
export async function said(page: Page, text: string): Promise<void> {
  await page.getByRole("region", { name: "Notifications" }).getByText(text).first().waitFor();
}

/** An entry of the navigation on a desktop. */
export function entry(page: Page, name: string): Locator {
  return page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
}

/** Fills in the address of a trade request. */
export async function fillAddress(form: Locator): Promise<void> {
  for (const [label, text] of [
    ["Name", "Avery Stone"],
    ["Street", "12 Long Meadow Road"],
    ["City", "Austin"],
    ["State", "TX"],
    ["ZIP code", "78701"],
  ] as const) {
    await form.getByLabel(label, { exact: true }).fill(text);
  }
}

/** Checks the page on a phone, dark, and on a desktop, light. */
export async function look(page: Page): Promise<void> {
  expect(
    await problemsIn(page, [
      ["phone", "dark"],
      ["desktop", "light"],
    ]),
  ).toEqual([]);
}
