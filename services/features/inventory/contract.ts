// The responses of the calls that read the inventory; contract-queries.ts has their requests, contract-commands.ts the changes.
import * as z from "zod/mini";

export const itemSourceName = z.enum(["MasterInventory", "ConsignorInventory"]);

/**
 * What items can be sorted by. `source` is the consignor's name; the store's own items come before all names. Ties
 * are sorted by when the item was added, in the same direction.
 */
export const itemSort = z.enum([
  "added",
  "itemName",
  "barcode1",
  "barcode2",
  "location",
  "source",
  "quantity",
]);
export type ItemSort = z.infer<typeof itemSort>;

/** An item as screens show it; an empty field is "". `consignorID` is null for a master item. */
export const inventoryItem = z.object({
  id: z.string(),
  source: itemSourceName,
  consignorID: z.nullable(z.string()),
  /** Null for a master item, or if the consignor has no name. */
  consignorDisplayName: z.nullable(z.string()),
  itemName: z.string(),
  listingTitle: z.string(),
  barcode1: z.string(),
  barcode2: z.string(),
  location: z.string(),
  quantity: z.int(),
  /** Units of it that trades hold; they are not in `quantity`. */
  unitsInTrades: z.int(),
  link: z.string(),
  imageUrl: z.string(),
  asin: z.string(),
  /** What one unit costs, tax included; null without a tag price. */
  tagPriceCents: z.nullable(z.int()),
  /** Send it back as `expectedVersion`. */
  version: z.int(),
  archived: z.boolean(),
  /** ISO 8601. */
  addedAt: z.string(),
  /** ISO 8601: when a unit last came in or was sold. Counts and removals make no difference. */
  unsoldSince: z.string(),
});

export const searchResponse = z.object({
  items: z.array(inventoryItem),
  hasMore: z.boolean(),
});

/** How many items match; `capped` says that there are more than `count` ("10,000+"). */
export const searchCountResponse = z.object({ count: z.int(), capped: z.boolean() });

/** GET /inventory/items/{id}: also for an archived item, so that its history stays readable. */
export const itemResponse = z.object({ item: inventoryItem });

/** One line of an item's history; `line` counts up from 1, the oldest. */
export const timelineLine = z.object({
  line: z.int(),
  position: z.int(),
  /** The event's type, for example `SaleRecorded`. */
  type: z.string(),
  /** ISO 8601. */
  happenedAt: z.string(),
  recordedAt: z.string(),
  unitsDelta: z.int(),
  unitsAfter: z.int(),
  /** The kind of event, for icons. */
  kind: z.enum(["in", "out", "sold", "traded", "back", "moved", "edited", "counted", "removed"]),
  /** "Counted 5, was 3" */
  title: z.string(),
  /** What changed and why, one sentence each; empty for anyone who is not an admin. */
  notes: z.array(z.string()),
  /** Added to the title: who got the units. Null if nobody is named, and for anyone who is not an admin. */
  consignorID: z.nullable(z.string()),
  /** Added to the title: the units' price in dollars. Null without a price, and for anyone who is not an admin. */
  price: z.nullable(z.number()),
  /** The given reason; null without one, if it was erased, and for anyone who is not an admin. */
  reason: z.nullable(z.string()),
  /** The sale it is about; null without one, and for anyone who is not an admin. */
  saleID: z.nullable(z.string()),
  /** Who did it: a uid or `system:<name>`; null for anyone who is not an admin. */
  actor: z.nullable(z.string()),
  actorDisplayName: z.nullable(z.string()),
  /** The event's data; null for anyone who is not an admin. */
  data: z.nullable(z.record(z.string(), z.unknown())),
});

export const timelineResponse = z.object({
  lines: z.array(timelineLine),
  hasMore: z.boolean(),
});

export type InventoryItem = z.output<typeof inventoryItem>;
export type SearchResponse = z.output<typeof searchResponse>;
export type SearchCountResponse = z.output<typeof searchCountResponse>;
export type ItemResponse = z.output<typeof itemResponse>;
export type TimelineLine = z.output<typeof timelineLine>;
export type TimelineResponse = z.output<typeof timelineResponse>;
