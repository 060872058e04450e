// What the marketplace shows: consignors' items in stock by barcode, without the viewer's own units and without sellers.
import * as z from "zod/mini";
import { pageLimit, placeCursor, searchText } from "#ledger/fields.ts";

/** What the grid can be sorted by, over the whole list. Ties go by barcode. */
export const marketplaceSort = z.enum(["itemName", "totalQuantity", "lastTradedPrice", "added"]);
export type MarketplaceSort = z.infer<typeof marketplaceSort>;

/** GET /marketplace/items */
export const marketplaceQuery = z.strictObject({
  /** Part of a name or barcode, whatever its case; an exact barcode comes first. */
  searchTerm: z.optional(searchText(200, "A search is text")),
  /** The newest in stock first without it, whatever `order` says. */
  sort: z.optional(marketplaceSort),
  // oxlint-disable-next-line no-underscore-dangle -- this is what zod/mini calls a default
  order: z._default(z.enum(["asc", "desc"]), "asc"),
  /** The `nextCursor` of the page before, under the same search and sort. */
  cursor: placeCursor,
  limit: pageLimit(48, 200),
});
export type MarketplaceQuery = z.output<typeof marketplaceQuery>;

/** GET /marketplace/items/export: the same search and order, as a CSV file. */
export const marketplaceExportQuery = z.omit(marketplaceQuery, { cursor: true, limit: true });
export type MarketplaceFilters = z.output<typeof marketplaceExportQuery>;

/** Everybody's units of one barcode. Money is cents, as everywhere in trades; an empty text is "". */
export const marketplaceItem = z.object({
  itemName: z.string(),
  barcode1: z.string(),
  /** Units in stock, without the viewer's own. */
  totalQuantity: z.int(),
  /** Consignors who have them, without the viewer. */
  consignorCount: z.int(),
  link: z.string(),
  imageUrl: z.string(),
  asin: z.string(),
  /** For one unit; null where it was never traded. */
  lastTradedPriceCents: z.nullable(z.int()),
  /** Trades of other people that still wait for sellers. */
  openRequests: z.int(),
  /** Units that these still want. */
  unitsWanted: z.int(),
});
export type MarketplaceItem = z.infer<typeof marketplaceItem>;

export const marketplaceResponse = z.object({
  items: z.array(marketplaceItem),
  /** How many barcodes match; `capped` says that there are more than `value` ("10,000+"). */
  count: z.object({ value: z.int(), capped: z.boolean() }),
  nextCursor: z.nullable(z.string()),
});
export type MarketplaceResponse = z.infer<typeof marketplaceResponse>;
