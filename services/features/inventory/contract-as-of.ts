// What the calls take and give that show items as they were recorded by a time, and where an item's units came from.
import * as z from "zod/mini";
import { consignorId, uuid } from "#features/inventory/contract-fields.ts";
import { moment, pageLimit } from "#ledger/fields.ts";

const cursor = z.optional(
  z.string().check(z.regex(/^[1-9][0-9]{0,14}$/u, "This cursor is unknown")),
);

export const ownerParam = z.strictObject({ uid: consignorId });
export const pastItemParam = z.strictObject({ id: uuid });

/** An item as it was recorded at a position. Without what trades held of it then. */
export const itemAsOf = z.object({
  id: z.string(),
  /** Null for a master item. */
  consignorID: z.nullable(z.string()),
  itemName: z.string(),
  listingTitle: z.string(),
  barcode1: z.string(),
  barcode2: z.string(),
  location: z.string(),
  link: z.string(),
  imageUrl: z.string(),
  asin: z.string(),
  /** Null without a tag price. */
  tagPriceCents: z.nullable(z.int()),
  quantity: z.int(),
  archived: z.boolean(),
  /** How many events the item had by then. */
  version: z.int(),
  /** ISO 8601. */
  addedAt: z.string(),
});
export type ItemAsOf = z.infer<typeof itemAsOf>;

/** The position, and the time that was asked for; for a position, when it was recorded. */
const asOf = { position: z.int(), at: z.nullable(z.string()) };

/** GET /audit/inventory/{uid}: a person's items that were not deleted then, newest first; for the person and admins. */
export const inventoryAsOfQuery = z.strictObject({
  at: moment,
  /** `nextCursor` of the page before. */
  cursor,
  limit: pageLimit(50, 200),
});

export const inventoryAsOfResponse = z.object({
  consignorID: z.string(),
  ...asOf,
  /** Fewer than the limit where some of the page were deleted by then. */
  items: z.array(itemAsOf),
  nextCursor: z.nullable(z.string()),
});
export type InventoryAsOfResponse = z.infer<typeof inventoryAsOfResponse>;

/** GET /audit/items/{id}: for its owner and admins; by default as of now. 404 if it was not there yet. */
export const itemAsOfQuery = z.strictObject({ at: z.optional(moment) });

export const itemAsOfResponse = z.object({ ...asOf, item: itemAsOf });
export type ItemAsOfResponse = z.infer<typeof itemAsOfResponse>;

/** GET /audit/items/{id}/origin: how units came into an item and which sales took them; for its owner and admins. */
export const itemOriginQuery = z.strictObject({
  /** `nextCursor` of the page before: of both lists. */
  cursor,
  limit: pageLimit(100, 200),
});

export const itemOriginResponse = z.object({
  itemID: z.string(),
  itemName: z.string(),
  consignorID: z.nullable(z.string()),
  /** Oldest first. Both lists are one page of the item's history. */
  intakes: z.array(
    z.object({
      line: z.int(),
      position: z.int(),
      type: z.string(),
      units: z.int(),
      /** How the units came in; null for an allocation out of the store's own stock. */
      source: z.nullable(z.enum(["manual", "mass-input", "copy", "import", "allocation"])),
      /** The store's item that they were allocated from, or the item that was copied; null for anyone but admins. */
      fromItemID: z.nullable(z.string()),
      /** The shipment they were taken out of; null without one, and for anyone but its sender and admins. */
      shipment: z.nullable(
        z.object({
          shipmentID: z.string(),
          /** Null for an unknown sender. */
          consignorID: z.nullable(z.string()),
          submittedAt: z.string(),
          deliveredAt: z.nullable(z.string()),
          processedAt: z.nullable(z.string()),
        }),
      ),
      happenedAt: z.string(),
      recordedAt: z.string(),
    }),
  ),
  /** What each sale's money paid for: GET /audit/sales/{saleID}/paid-by. */
  sales: z.array(
    z.object({
      line: z.int(),
      position: z.int(),
      saleID: z.string(),
      units: z.int(),
      happenedAt: z.string(),
    }),
  ),
  nextCursor: z.nullable(z.string()),
});
export type ItemOriginResponse = z.infer<typeof itemOriginResponse>;
