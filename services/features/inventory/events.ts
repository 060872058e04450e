// What can happen to stock outside of sales and trades: the inventory's events as they are in the log.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";

const itemId = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/));
const ownerUid = z.nullable(z.string());
const units = z.int().check(z.positive());
const quantity = z.int();

/** An item's description. A field that nobody filled in is the empty string. */
const details = z.object({
  itemName: z.string(),
  listingTitle: z.string(),
  barcode1: z.string(),
  barcode2: z.string(),
  location: z.string(),
  link: z.string(),
  imageUrl: z.string(),
  asin: z.string(),
});

export type ItemDetails = z.infer<typeof details>;

/** How an item came in. `allocation` adds an item without units: the allocation itself moves them. */
const unitsSource = z.enum(["manual", "mass-input", "copy", "import"]);
const itemSource = z.enum(["manual", "mass-input", "copy", "import", "allocation"]);

/** The shipment that a mass input took the units out of. It is left out where there is none. */
const shipmentId = z.optional(itemId);

export type UnitsSource = z.infer<typeof unitsSource>;

/** A new item of the store (`ownerUid` null) or of a consignor. Initial units: world:received → item. */
export const ItemAdded = defineEvent(
  "ItemAdded",
  1,
  z.object({
    itemId,
    ownerUid,
    after: details,
    source: itemSource,
    /** The item that a copy or an allocation took its description from. */
    fromItemId: z.nullable(itemId),
    shipmentId,
  }),
);

/** An item's description changed. It moves no units. */
export const ItemEdited = defineEvent(
  "ItemEdited",
  1,
  z.object({ itemId, ownerUid, before: details, after: details }),
);

/** A count differed from the books: world:adjusted ↔ item. */
export const ItemCountAdjusted = defineEvent(
  "ItemCountAdjusted",
  1,
  z.object({
    itemId,
    ownerUid,
    quantityBefore: quantity,
    quantityAfter: quantity,
    reason: z.string(),
  }),
);

/** An item left the inventory with all its units: item → world:removed. */
export const ItemArchived = defineEvent(
  "ItemArchived",
  1,
  z.object({ itemId, ownerUid, after: details }),
);

/** An archived item is back with the units that archiving took: world:removed → item. */
export const ItemRestored = defineEvent(
  "ItemRestored",
  1,
  z.object({ itemId, ownerUid, after: details }),
);

/** Units of the store became a consignor's: master item → the consignor's item. */
export const UnitsAllocated = defineEvent(
  "UnitsAllocated",
  1,
  z.object({ masterItemId: itemId, itemId, ownerUid: z.string(), units }),
);

/** More units of an existing item: world:received → item. */
export const UnitsReceived = defineEvent(
  "UnitsReceived",
  1,
  z.object({
    itemId,
    ownerUid,
    units,
    source: unitsSource,
    /** The item that a copy was made of. */
    fromItemId: z.nullable(itemId),
    shipmentId,
  }),
);

/** Every event that this feature writes. */
export const inventoryEvents = [
  ItemAdded,
  ItemEdited,
  ItemCountAdjusted,
  ItemArchived,
  ItemRestored,
  UnitsAllocated,
  UnitsReceived,
] as const;
