// Request and response of the look-up: what a scanned code belongs to, and what a person may mean by a few words.
import * as z from "zod/mini";
import { searchText, uuid } from "#ledger/fields.ts";

/**
 * GET /lookup. `by=code` finds what has exactly this code: a barcode, a receipt, a tracking number, an email, or an id,
 * of which people know the first or last eight characters. `by=text` also finds things by words in their names, and
 * payouts by exactly their number, their transfer's reference, or their handle.
 */
export const lookupQuery = z.strictObject({
  q: searchText(128, "A code is text").check(z.minLength(1, "A code is text")),
  by: z._default(z.enum(["code", "text"]), "code"),
});

export const foundPayoutStatus = z.enum(["pending", "paid", "deleted", "returned"]);

export const foundThing = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("item"),
    id: z.string(),
    itemName: z.string(),
    barcode1: z.string(),
    location: z.string(),
    quantity: z.int(),
    /** Null for the store's own item, as is the name. */
    consignorID: z.nullable(z.string()),
    consignorName: z.nullable(z.string()),
  }),
  z.object({
    kind: z.literal("sale"),
    id: z.string(),
    itemName: z.string(),
    quantity: z.int(),
    /** Dollars; null for a sale that only moved stock. */
    price: z.nullable(z.number()),
    soldAt: z.string(),
    /** Null for the store's own sale. */
    consignorName: z.nullable(z.string()),
  }),
  z.object({
    kind: z.literal("consignor"),
    id: z.string(),
    name: z.string(),
    email: z.nullable(z.string()),
  }),
  z.object({
    kind: z.literal("trade"),
    id: z.string(),
    itemName: z.string(),
    quantity: z.int(),
    /** Null in the buyer's own list. */
    buyerName: z.nullable(z.string()),
  }),
  z.object({
    kind: z.literal("shipment"),
    id: z.string(),
    shortId: z.string(),
    /** Null until a requested label is uploaded. */
    trackingNumber: z.nullable(z.string()),
    /** Null for an unknown sender, and in a consignor's own list. */
    consignorName: z.nullable(z.string()),
  }),
  z.object({
    kind: z.literal("payout"),
    id: z.string(),
    /** Dollars. */
    amount: z.number(),
    requestedAt: z.string(),
    status: foundPayoutStatus,
    /** Null in a consignor's own list. */
    consignorName: z.nullable(z.string()),
  }),
]);
export type FoundThing = z.infer<typeof foundThing>;

/**
 * Items in stock first, each sender's oldest shipment before anybody's second, at most 12 of each kind. Admins find
 * everything, consignors what is theirs.
 */
export const lookupResponse = z.object({
  things: z.array(foundThing),
  /** Whether more things than these have exactly this code. */
  hasMore: z.boolean(),
});
export type LookupResponse = z.infer<typeof lookupResponse>;

/** GET /lookup/earlier-price/{itemID}, admins only: what a new price of the item is compared with. */
export const earlierPriceParams = z.strictObject({ itemID: uuid });
export const earlierPriceResponse = z.object({
  /** Dollars: the most that was paid for one unit in the latest sales of its barcode. Null without any. */
  highestUnitPrice: z.nullable(z.number()),
});
