// What people see of rows that could not be folded: a notice above the rows and sums says that some are missing.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addItem } from "#features/inventory/decider.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { openBrowserStore, type BrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOf, showAs, waitUntilStill } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import { sized } from "#testing/trial/size.ts";
import { events, projections } from "../../services/features.ts";

const saleIdOf = (number: number): string =>
  `5a1e0000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const heldSale = saleIdOf(1);
const shownSale = saleIdOf(2);
/** Enough rows that everything below them is off screen. */
const saleCount = 20;
const item = {
  itemId: "17e30000-0000-4000-8000-000000000001",
  ownerUid: null,
  source: "manual",
  details: {
    itemName: "Vase",
    listingTitle: "",
    barcode1: "VASE-1",
    barcode2: "",
    location: "A-01",
    link: "",
    imageUrl: "",
    asin: "",
  },
  quantity: 3,
  happenedAt: "2026-11-20T10:00:00.000Z",
} as const;
const notice = "Some entries are missing here, so totals may be wrong.";

let shop: BrowserStore;
let uid = "";

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("boss@screens.test", "Boss", "admin");
  uid = await shop.person("avery@screens.test", "Avery", "user");
  for (let number = 1; number <= saleCount; number += 1) {
    await sell(saleIdOf(number));
  }
  await shop.store.ledger.execute(addItem, item, requestOf(item.itemId));
  const { workSql } = shop.store;
  await createRunner({ sql: workSql, projections, events }).catchUp();
  // The state after projection steps that could not fold a sale, the account, and a payout of the account's owner.
  await workSql`
    insert into read.quarantine (projection, generation, key, at_position, error)
    select p.name, p.generation, h.key, 1, 'division by zero'
    from read.projections p
    join (values ('sales', ${heldSale}), ('account_history', ${uid}), ('payouts', ${uid}),
        ('inventory', ${uid})) as h (projection, key) on h.projection = p.name
    where p.state = 'live'`;
}, 240_000);

afterAll(() => shop.close());

function requestOf(key: string) {
  return { actor: "system:test", scope: "store", key, requestHash: "00" };
}

async function sell(saleId: string): Promise<void> {
  const command = {
    saleId,
    consignorId: uid,
    itemName: "Lamp",
    amountCents: 1200,
    happenedAt: "2026-11-21T10:00:00.000Z",
  };
  await shop.store.ledger.execute(recordCustomSale, command, requestOf(saleId));
}

/** Whether the first notice in this part of the screen is visible without scrolling. */
async function isNoticeInSight(page: Page, part: "main" | "dialog"): Promise<boolean> {
  const first = page.getByRole(part).getByText(notice).first();
  await first.waitFor();
  await waitUntilStill(page);
  const box = await first.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

it.each([
  [
    "boss",
    ["/admin/sales"],
    [
      "/admin?item=",
      "/admin/sales?sale=",
      "/consignors?consignor=",
      "/consignors?view=ledger&consignor=",
    ],
  ],
  [
    "avery",
    ["/sales-history", "/sales-history?tab=sales", "/sales-history?tab=payouts", "/dashboard"],
    ["/sales-history?line=", "/sales-history?tab=sales&sale="],
  ],
] as const)(
  "%s reads that entries are missing without scrolling: above lists, and at the top of drawers",
  async (who, lists, drawers) => {
    const context = await shop.visitor();
    const page = await shop.signedIn(context, `${who}@screens.test`);
    const opened: Readonly<Record<string, string>> = {
      "item=": item.itemId,
      "sale=": shownSale,
      "line=": "2",
      "consignor=": uid,
    };
    const places = [
      ...lists.map((path) => ({ path, part: "main" as const })),
      ...drawers.map((path) => ({
        path: `${path}${opened[path.slice(path.search(/\w+=$/u))] ?? ""}`,
        part: "dialog" as const,
      })),
    ];
    for (const [index, { path, part }] of places.entries()) {
      await visit(page, `${shop.url}${path}`);
      await page.getByRole(part).getByText(notice).first().waitFor();
      // The notice is the same everywhere: axe looks at every third place, on a phone and on a desktop in turn.
      const views = [
        ["phone", "dark"],
        ["desktop", "light"],
      ] as const;
      const ordered = index % 2 === 0 ? views : views.toReversed();
      for (const [view, theme] of ordered) {
        await showAs(page, view, theme);
        const seen = async () => [path, view, await isNoticeInSight(page, part)];
        await expect.poll(seen).toEqual([path, view, true]);
      }
      const problems = index % sized(3, 1) === 0 ? await problemsOf(page) : [];
      expect([path, ...problems]).toEqual([path]);
    }
    await shop.leave(context);
  },
);
