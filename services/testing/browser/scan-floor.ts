// A store in the middle of its day for tests of the scanner: goods, a sale, a balance, a payout request, and timed keys.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { setBalance } from "#features/accounts/decider.ts";
import { requestPayout } from "#features/payouts/decider.ts";
import { recordSale } from "#features/sales/decider-record.ts";
import { openInventoryFloor, type InventoryFloor } from "#testing/shop/inventory-floor.ts";
import { keysAt, type Keys } from "#testing/service/keys-at.ts";
import { waitUntilStill } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";

const happenedAt = "2026-11-02T10:00:00.000Z";

/** Somebody with a keyboard and a scanner. */
export type Desk = { readonly page: Page; readonly keys: Keys };

export type ScanFloor = {
  readonly floor: InventoryFloor;
  readonly robin: Desk;
  readonly avery: Desk;
  /** The length of the log, which grows with anything that is booked. */
  readonly logLength: () => Promise<number>;
  /** Opens a path and waits for what it shows. */
  readonly open: (desk: Desk, path: string) => Promise<Page>;
};

/** The scanned code of these tests, which looks like a price. */
export const CODE = "100235";

export async function openScanFloor(): Promise<ScanFloor> {
  const floor = await openInventoryFloor();
  const { shop, averyUid } = floor;

  const itemId = await floor.stocked("Film camera", {
    barcode1: CODE,
    quantity: 50,
    ownerUid: averyUid,
  });
  await floor.stocked("Oak stool", { barcode1: "STOOL-1", quantity: 50 });
  await floor.stocked("Pine shelf", { barcode1: "SHELF-1", quantity: 50 });
  await shop.execute(recordSale, {
    saleId: randomUUID(),
    consignorId: averyUid,
    itemId,
    barcode1: null,
    units: 2,
    priceCents: 8000,
    shippingCents: 500,
    salesTaxCents: 0,
    taxRateBasisPoints: null,
    consignorPercentage: 50,
    channel: "online",
    happenedAt,
  });
  const balance = { uid: averyUid, balanceCents: 20_000, expectedCents: null };
  await shop.execute(setBalance, { ...balance, happenedAt, noteId: null });
  await shop.execute(requestPayout, {
    payoutId: randomUUID(),
    consignorId: averyUid,
    amountCents: 2500,
    method: "venmo",
    handleId: randomUUID(),
    handleHash: "0".repeat(64),
    happenedAt,
  });
  const averysPage = await shop.signedIn(await shop.visitor(), "avery@store.test");
  return {
    floor,
    robin: { page: floor.page, keys: await keysAt(floor.page) },
    avery: { page: averysPage, keys: await keysAt(averysPage) },
    async logLength() {
      const [row] = await shop.store.sql<{ events: number }[]>`
        select count(*)::int as events from log.events`;
      return row?.events ?? 0;
    },
    async open({ page }, path) {
      await visit(page, `${shop.url}${path}`);
      await waitUntilStill(page);
      return page;
    },
  };
}
