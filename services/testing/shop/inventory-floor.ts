// A store whose inventory two admins work in, each with a browser, and steps for tests: goods, scans, findings.
import { expect } from "vitest";
import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { addItem } from "#features/inventory/decider.ts";
import { archiveItem } from "#features/inventory/decider-archive.ts";
import type { ItemDetails } from "#features/inventory/events.ts";
import { DAY_MS } from "#ledger/day-text.ts";
import { type BrowserStore, openBrowserStore } from "#testing/browser/browser-store.ts";
import { waitUntilStill } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";

const happenedAt = "2026-11-01T10:00:00.000Z";

type Stock = Partial<ItemDetails> & {
  readonly quantity?: number;
  readonly ownerUid?: string;
  readonly tagPriceCents?: number;
};

export type InventoryFloor = {
  readonly shop: BrowserStore;
  readonly averyUid: string;
  /** The admin's page, still empty; its print dialog never opens. */
  readonly page: Page;
  /** Another admin's. */
  readonly rival: Page;
  /** An existing item; by default three units of the store's at A-01. */
  readonly stocked: (itemName: string, given?: Stock) => Promise<string>;
  /** A call that somebody else makes. */
  readonly deleteItem: (itemId: string) => Promise<void>;
  /** The number of events of this type about these items. */
  readonly eventsOf: (type: string, itemIds: readonly string[]) => Promise<number>;
  /** Opens /admin with this query and waits for the list. */
  readonly openInventory: (query: string, at?: Page) => Promise<void>;
  /** Selects all rows, which must be `count`; returns the bar with the actions. */
  readonly selectAll: (count: number) => Promise<Locator>;
  readonly close: () => Promise<void>;
};

export async function openInventoryFloor(): Promise<InventoryFloor> {
  const shop = await openBrowserStore();
  await shop.person("admin@store.test", "Robin Admin", "admin");
  await shop.person("second@store.test", "Sam Second", "admin");
  const averyUid = await shop.person("avery@store.test", "Avery Stone", "user");
  const visitor = await shop.visitor();
  await visitor.addInitScript(() => {
    globalThis.print = () => undefined;
  });
  const page = await shop.signedIn(visitor, "admin@store.test");
  const rival = await shop.signedIn(await shop.visitor(), "second@store.test");

  return {
    shop,
    averyUid,
    page,
    rival,
    async stocked(itemName, { quantity = 3, ownerUid, tagPriceCents, ...given } = {}) {
      const itemId = randomUUID();
      const details: ItemDetails = {
        itemName,
        listingTitle: "",
        barcode1: itemId.slice(0, 13).toUpperCase(),
        barcode2: "",
        location: "A-01",
        link: "",
        imageUrl: "",
        asin: "",
        ...given,
      };
      const owner = { ownerUid: ownerUid ?? null, source: "manual" } as const;
      const price = { tagPriceCents: tagPriceCents ?? null };
      await shop.execute(addItem, { itemId, ...owner, ...price, details, quantity, happenedAt });
      return itemId;
    },
    deleteItem: (itemId) => shop.execute(archiveItem, { itemId, ownerUid: null, happenedAt }),
    async eventsOf(type, itemIds) {
      const rows = await shop.store.sql`
        select 1 from log.events
        where type = ${type} and data ->> 'itemId' = any(${[...itemIds]})`;
      return rows.length;
    },
    async openInventory(query, at = page) {
      await visit(at, `${shop.url}/admin?${query}`);
      await waitUntilStill(at);
    },
    async selectAll(count) {
      // Before the rows are there, the box selects nothing.
      await page.getByText(`${count} items`, { exact: true }).waitFor();
      // The items may not be in the list yet.
      const boxes = page.locator("tbody").getByRole("checkbox");
      await expect.poll(() => boxes.count()).toBe(count);
      await page.getByRole("checkbox", { name: "Select all rows" }).click();
      const bar = page.getByRole("region", { name: "Selected rows" });
      await bar.getByText(`${count} selected`).waitFor();
      return bar;
    },
    close: shop.close,
  };
}

/**
 * Types codes like a scanner: each in one burst followed by Enter, 20 per second by the keys' times, though all come
 * at once. The times are after those of `keysAt`, so do not press its keys on this page afterwards. All are ahead of the
 * clock, which may have been set back since the browser started: times before the page's beginning all become 0.
 */
export async function scan(page: Page, codes: readonly string[]): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  const startedAt = Date.now() + 2 * DAY_MS;
  await Promise.all(
    codes.flatMap((code, index) => {
      const timestamp = (startedAt + index * 50) / 1000;
      const strike = (key: string, text: string) => [
        keyboard.send("Input.dispatchKeyEvent", { type: "keyDown", key, text, timestamp }),
        keyboard.send("Input.dispatchKeyEvent", { type: "keyUp", key, timestamp }),
      ];
      return [
        ...Array.from(code).flatMap((letter) => strike(letter, letter)),
        ...strike("Enter", "\r"),
      ];
    }),
  );
  await keyboard.detach();
}
