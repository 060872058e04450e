// What the reads of trades take and give: trades and offers as buyers, sellers and the store see them, and histories.
import * as z from "zod/mini";
import {
  declinedBecause,
  labelCarrier,
  offerStatus,
  reportKind,
  shippingAddress,
  tradeParty,
  tradeStatus,
} from "#features/trades/contract.ts";
import { pageLimit, placeCursor, searchText, periodEnd } from "#ledger/fields.ts";

/** A person as admins see one. */
export const person = z.object({ uid: z.string(), displayName: z.string() });

/** Where the goods go, in an answer. */
export const answeredAddress = z.object(shippingAddress.shape);

/** An offer as the trade's buyer and admins see it. */
export const tradeOffer = z.object({
  offerId: z.string(),
  status: offerStatus,
  /** Null unless declined. */
  declinedBecause: z.nullable(declinedBecause),
  /** Who has to answer; null where it is closed. */
  turn: z.nullable(tradeParty),
  /** Units the seller was asked for. */
  quantityOffered: z.int(),
  /** Units on the table: fewer where the last counter names fewer, and of an open offer at most what the trade still needs. */
  quantity: z.int(),
  /** What the buyer asked for, cents. */
  pricePerItem: z.int(),
  /** The last counter; its price is the one on the table. Null without one. */
  counterPrice: z.nullable(z.int()),
  /** Who named the counter price; null without one. */
  counteredBy: z.nullable(tradeParty),
  /** How many counters are left. */
  countersLeft: z.int(),
  expiresAt: z.string(),
  /** Units that are accepted and not cancelled. */
  acceptedQuantity: z.int(),
  /** For one unit, cents; null where nothing is accepted. */
  acceptedPrice: z.nullable(z.int()),
  refundedQuantity: z.int(),
  refundedCents: z.int(),
  /** For admins; null for the buyer. */
  seller: z.nullable(person),
});
export type TradeOffer = z.infer<typeof tradeOffer>;

/** A trade as its buyer and admins see it. */
export const trade = z.object({
  tradeId: z.string(),
  itemName: z.string(),
  itemBarcode: z.string(),
  itemLink: z.string(),
  imageUrl: z.string(),
  /** Units asked for. */
  quantity: z.int(),
  acceptedQuantity: z.int(),
  /** As asked for or raised, cents. */
  pricePerItem: z.int(),
  /** 0 where the buyer provides the label. */
  shippingFee: z.int(),
  /**
   * What it costs the buyer: the accepted units at their prices, or while nothing is accepted the units that were
   * asked for at the price that was asked for; and the shipping fee.
   */
  totalCost: z.int(),
  /** "Held for trades": the buyer's money that the trade holds now, cents. */
  heldCents: z.int(),
  refundedCents: z.int(),
  status: tradeStatus,
  /** Since when it has this status. */
  statusSince: z.string(),
  providesOwnShipping: z.boolean(),
  createdAt: z.string(),
  trackingNumber: z.nullable(z.string()),
  carrier: z.nullable(labelCarrier),
  /** Null without a label, and where it was erased. */
  labelUrl: z.nullable(z.string()),
  /** When it is cancelled for want of the buyer's label; null where it is not. */
  cancelsAt: z.nullable(z.string()),
  fulfilledAt: z.nullable(z.string()),
  /** When it completes by itself; null where it does not, also because of a report. */
  completesAt: z.nullable(z.string()),
  /** Until when the buyer can report a problem; null before fulfillment. */
  reportUntil: z.nullable(z.string()),
  /** The open report; null without one. */
  report: z.nullable(
    z.object({
      kind: reportKind,
      /** Null where nothing was said, and where it was erased. */
      description: z.nullable(z.string()),
      reportedAt: z.string(),
    }),
  ),
  /** Why it was cancelled, as somebody typed it; null without. */
  cancelReason: z.nullable(z.string()),
  offers: z.array(tradeOffer),
});
export type Trade = z.infer<typeof trade>;

/** Filters of a person's trades and offers. */
const found = {
  /** Part of the item's name or barcode, or the first characters of the trade's id. */
  q: z.optional(searchText(100, "At most 100 characters")),
  /** When it was requested; a day is the store's and is included, an instant `to` is excluded. */
  from: z.optional(periodEnd),
  to: z.optional(periodEnd),
};

const tradeFilters = { ...found, status: z.optional(tradeStatus) };

/** GET /trades/my-trades/export */
export const myTradesExportQuery = z.strictObject(tradeFilters);

/** GET /trades/my-trades: newest first. */
export const myTradesQuery = z.strictObject({
  ...tradeFilters,
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/u, "This cursor is unknown"))),
  limit: pageLimit(50, 200),
});

export const myTradesResponse = z.object({
  trades: z.array(trade),
  /** Offers on which the buyer has to answer a counter, over all trades. */
  countersWaiting: z.int(),
  nextCursor: z.nullable(z.string()),
});
export type MyTradesResponse = z.infer<typeof myTradesResponse>;

/** `reply`: the seller has to answer. `waiting`: the buyer has to. */
export const offerTab = z.enum(["reply", "waiting", "closed"]);
export type OfferTab = z.infer<typeof offerTab>;

/** GET /trades/offers/my-offers/export */
export const myOffersExportQuery = z.strictObject({
  ...found,
  tab: z._default(offerTab, "reply"),
});

/** GET /trades/offers/my-offers/count */
export const myOffersCountQuery = z.strictObject(found);

/** How many open offers match, by who has to answer. */
export const myOffersCountResponse = z.object({ reply: z.int(), waiting: z.int() });
export type MyOffersCountResponse = z.infer<typeof myOffersCountResponse>;

/** GET /trades/offers/my-offers: what ends first comes first; closed ones after, newest first. */
export const myOffersQuery = z.strictObject({
  ...found,
  /** Only these, whatever `status` is. */
  tab: z.optional(offerTab),
  status: z._default(z.enum(["open", "all"]), "open"),
  cursor: placeCursor,
  limit: pageLimit(100, 200),
});

/** An offer as its seller sees it. */
export const sellerOffer = z.object({
  offerId: z.string(),
  tradeId: z.string(),
  itemName: z.string(),
  itemBarcode: z.string(),
  imageUrl: z.string(),
  status: offerStatus,
  declinedBecause: z.nullable(declinedBecause),
  turn: z.nullable(tradeParty),
  tradeStatus,
  /** Units on the table; of an open offer at most what the trade still needs. */
  quantity: z.int(),
  /** What the buyer asked for, for one unit; cents. */
  pricePerItem: z.int(),
  counterPrice: z.nullable(z.int()),
  counteredBy: z.nullable(tradeParty),
  countersLeft: z.int(),
  /** The price on the table for all units, or what was accepted; cents. */
  totalValue: z.int(),
  /** What the store keeps of it: the trade's frozen percentage. */
  commissionPercentage: z.int(),
  commissionCents: z.int(),
  /** What the seller gets of it, when the trade is fulfilled. */
  payoutCents: z.int(),
  acceptedQuantity: z.int(),
  expiresAt: z.string(),
  createdAt: z.string(),
});
export type SellerOffer = z.infer<typeof sellerOffer>;

export const myOffersResponse = z.object({
  offers: z.array(sellerOffer),
  nextCursor: z.nullable(z.string()),
});
export type MyOffersResponse = z.infer<typeof myOffersResponse>;

/** A trade as its buyer and admins open it. */
const wholeTrade = z.extend(trade, { seenAs: z.enum(["buyer", "store"]) });

/** A trade as one of its sellers opens it: without the buyer, the parcel, and what others offer. */
const sellersTrade = z.extend(sellerOffer, {
  seenAs: z.literal("seller"),
  fulfilledAt: z.nullable(z.string()),
  refundedQuantity: z.int(),
  refundedCents: z.int(),
});
export type SellersTrade = z.infer<typeof sellersTrade>;

/** GET /trades/{id} */
export const openedTrade = z.union([wholeTrade, sellersTrade]);
export type OpenedTrade = z.infer<typeof openedTrade>;

/** GET /trades/{id}/shipping: what a buyer needs to make the label. */
export const tradeShippingResponse = z.object({
  /** Where the label ships from: the store. Null while the store has not set an address. */
  storeAddress: z.nullable(
    z.object({
      name: z.string(),
      street: z.string(),
      city: z.string(),
      state: z.string(),
      zip: z.string(),
      country: z.string(),
    }),
  ),
  /** The last 8 characters of the buyer's uid, upper case: goes onto the parcel. */
  shortId: z.string(),
  /** The first 8 characters of the trade's id. */
  reference: z.string(),
  /** Where the goods go; null where it was erased. */
  shippingAddress: z.nullable(answeredAddress),
  /** Units in the parcel. */
  units: z.int(),
  /** Who uploads the label. */
  labelOwedBy: z.enum(["buyer", "store"]),
});
export type TradeShippingResponse = z.infer<typeof tradeShippingResponse>;

/** GET /trades/terms: what a request of the caller would be made under now. */
export const tradeTermsResponse = z.object({
  commissionPercentage: z.int(),
  /** Cents; 0 for a buyer who provides the label. */
  shippingFee: z.int(),
  /** What the caller has available, cents. */
  availableCents: z.int(),
  /** The address of the caller's last trade; null without one. */
  shippingAddress: z.nullable(answeredAddress),
});
export type TradeTermsResponse = z.infer<typeof tradeTermsResponse>;

const historyKind = z.enum([
  "requested",
  "offer",
  "accepted",
  "returned",
  "shipping",
  "ended",
  "problem",
  "reminder",
  "other",
]);

export const tradeHistoryLine = z.object({
  position: z.int(),
  type: z.string(),
  kind: historyKind,
  /** "Accepted: 2 units at $5.00 each" */
  description: z.string(),
  /** What somebody gave as a reason; null where none was given or where it was erased. */
  note: z.nullable(z.string()),
  /** Who did it: "You", "Buyer", "Seller 2", "Another seller", "Store", for admins the name. Null if nobody did. */
  by: z.nullable(z.string()),
  /** For admins; null for buyers and sellers. */
  actor: z.nullable(person),
  happenedAt: z.string(),
});
export type TradeHistoryLine = z.infer<typeof tradeHistoryLine>;

/** GET /trades/{id}/history: oldest first. */
export const tradeHistoryResponse = z.object({ lines: z.array(tradeHistoryLine) });
export type TradeHistoryResponse = z.infer<typeof tradeHistoryResponse>;
