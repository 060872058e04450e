// What can happen to stock outside of sales and trades: the inventory's events as they are in the log.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";

const itemId = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/));
const ownerUid = z.nullable(z.string());
const units = z.int().check(z.positive());
const quantity = z.int();
const cents = z.int().check(z.positive());

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

/** Why units left without a sale. The item's consignor sees it. */
export const removalReason = z.enum([
  "returned_to_consignor",
  "lost",
  "damaged",
  "donated",
  "miscount",
]);

export type RemovalReason = z.infer<typeof removalReason>;

/**
 * How a tag price was changed: set to an amount or taken off, or marked down by a part of it or by an amount. The
 * price itself is in `beforeCents` and `afterCents`.
 */
const priceChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("set") }),
  z.object({ kind: z.literal("percent-off"), percent: z.int() }),
  z.object({ kind: z.literal("amount-off"), cents }),
]);

export type PriceChange = z.infer<typeof priceChange>;

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
    /** The tag price of one unit, tax included. It is left out where there is none. */
    tagPriceCents: z.optional(cents),
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

/** An item's tag price changed; null is none. It moves no money: only a sale decides what a consignor is owed. */
export const ItemPriced = defineEvent(
  "ItemPriced",
  1,
  z.object({
    itemId,
    ownerUid,
    beforeCents: z.nullable(cents),
    afterCents: z.nullable(cents),
    change: priceChange,
  }),
);

/** An item left the inventory with all its units: item → world:removed. */
export const ItemArchived = defineEvent(
  "ItemArchived",
  1,
  z.object({
    itemId,
    ownerUid,
    after: details,
    /** Why its units left. It is left out where it had none, or nobody said. */
    reason: z.optional(removalReason),
  }),
);

/** Units left without a sale, and the item stayed: item → world:removed. */
export const UnitsRemoved = defineEvent(
  "UnitsRemoved",
  1,
  z.object({ itemId, ownerUid, units, reason: removalReason }),
);

/** An archived item is back with the units that archiving took: world:removed → item. */
export const ItemRestored = defineEvent(
  "ItemRestored",
  1,
  z.object({
    itemId,
    ownerUid,
    after: details,
    /** Why its units had left, as on the `ItemArchived` that this takes back. */
    reason: z.optional(removalReason),
  }),
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
/** The types of events with an item's whole description as it is after them. */
export const describing = [
  ItemAdded.type,
  ItemEdited.type,
  ItemArchived.type,
  ItemRestored.type,
] as const;

export const inventoryEvents = [
  ItemAdded,
  ItemEdited,
  ItemPriced,
  ItemCountAdjusted,
  ItemArchived,
  ItemRestored,
  UnitsRemoved,
  UnitsAllocated,
  UnitsReceived,
] as const;
