// The requests and responses of the calls that keep a point of sale's copy of the items.
import * as z from "zod/mini";
import { queryNumber } from "#features/inventory/contract-queries.ts";

const maxCatalogueLimit = 1000;

/** GET /inventory/catalogue: items in stock, newest first; admins only. `before` is the previous page's `nextBefore`. */
export const catalogueQuery = z.strictObject({
  before: z.optional(z.coerce.number().check(z.int(), z.gte(1))),
  limit: queryNumber(maxCatalogueLimit, maxCatalogueLimit),
});

/** GET /inventory/catalogue/changes: the items that changed after the position `since`, as they are now. */
export const catalogueChangesQuery = z.strictObject({
  since: z.coerce.number().check(z.int(), z.gte(0)),
});

/** What a point of sale needs to know about an item. */
export const catalogueItem = z.object({
  id: z.string(),
  consignorID: z.nullable(z.string()),
  consignorDisplayName: z.nullable(z.string()),
  itemName: z.string(),
  barcode1: z.string(),
  barcode2: z.string(),
  location: z.string(),
  imageUrl: z.string(),
  quantity: z.int(),
  /** Null in a copy that was stored before items had tag prices. */
  // oxlint-disable-next-line no-underscore-dangle -- this is what zod/mini calls a default
  tagPriceCents: z._default(z.nullable(z.int()), null),
  archived: z.boolean(),
});

export const catalogueResponse = z.object({
  items: z.array(catalogueItem),
  /** Null at the end. */
  nextBefore: z.nullable(z.int()),
});

/** `through` is the next `since`. If it is below the `since` that was sent, the log is not the same as before. */
export const catalogueChangesResponse = z.object({
  items: z.array(catalogueItem),
  through: z.int(),
  hasMore: z.boolean(),
});

export type CatalogueItem = z.output<typeof catalogueItem>;
