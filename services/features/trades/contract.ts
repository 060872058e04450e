// What the calls that read trades take and give; contract-commands.ts has those that change them. Money is cents.
//
// Buyers
//   GET    /trades/my-trades                   the caller's trades, with every offer
//   GET    /trades/{id}                        one trade; its buyer and admins
//   GET    /trades/terms                       what a request costs now, and the last address
//   GET    /trades/{id}/history                what happened to a trade; its buyer and admins
//   GET    /trades/{id}/shipping               the store's address and what a label needs; its buyer and admins
//   GET    /trades/{id}/label                  the label as a PDF; its buyer and admins
// Sellers
//   GET    /trades/offers/my-offers            what waits for the caller as seller; ?status=all adds the closed ones
// Admins
//   GET    /trades/fulfillments/pending        what waits for a label or for fulfillment, and what was fulfilled lately
//   GET    /trades/fulfillments/count          how many orders are not fulfilled
import * as z from "zod/mini";
import { pageLimit, text, uuid } from "#ledger/fields.ts";

/** An offer lives this long, and again this long after a counter or a raise. */
export const OFFER_HOURS = 48;
/** But never longer than this after the request. */
export const OFFER_MAX_DAYS = 7;
/** How many counters an offer can have, of both parties together. */
export const MAX_COUNTERS = 5;
/** A trade whose buyer owes the label is cancelled after this many days without one. */
export const LABEL_DAYS = 14;
/** A fulfilled trade is completed after this time if the buyer says nothing. */
export const COMPLETION_DAYS = 7;
/** How long after fulfillment the buyer can report a problem. */
export const REPORT_DAYS = 30;
export const MAX_LABEL_BYTES = 10 * 1024 * 1024;

export const tradeStatus = z.enum([
  "pending",
  "awaiting_shipping",
  "shipping_uploaded",
  "fulfilled",
  "completed",
  "cancelled",
  "expired",
]);
export type TradeStatus = z.infer<typeof tradeStatus>;

/**
 * `pending`: nobody answered yet. `no_stock`: the seller had none left. `withdrawn`: the buyer or the store closed
 * the trade. `cancelled`: it was accepted, and the whole acceptance was cancelled.
 */
export const offerStatus = z.enum([
  "pending",
  "countered",
  "accepted",
  "declined",
  "expired",
  "withdrawn",
  "no_stock",
  "cancelled",
]);
export type OfferStatus = z.infer<typeof offerStatus>;

/** A party declined it, or other sellers filled the trade first. */
export const declinedBecause = z.enum(["party", "filled"]);

export const tradeParty = z.enum(["buyer", "seller"]);
export type TradeParty = z.infer<typeof tradeParty>;

export const labelCarrier = z.enum(["USPS", "UPS", "FedEx"], "Please select a carrier");
export type LabelCarrier = z.infer<typeof labelCarrier>;

export const reportKind = z.enum(
  ["lost", "damaged", "wrong", "returned"],
  "Please say what went wrong",
);
export type ReportKind = z.infer<typeof reportKind>;

/** `<trade id>-<number>`. */
export const offerId = z
  .string("This is no id")
  .check(
    z.regex(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[1-9][0-9]{0,3}$/u,
      "This is no id",
    ),
  );

export const tradeParams = z.strictObject({ id: uuid });
export const offerParams = z.strictObject({ id: offerId });
export const tradeOfferParams = z.strictObject({ id: uuid, offerId });

const ADDRESS_MESSAGE = "Please fill in all shipping address fields";
const addressLine = (maximum: number) => text(1, maximum, ADDRESS_MESSAGE);

export const shippingAddress = z.strictObject({
  name: addressLine(100),
  street: addressLine(200),
  city: addressLine(100),
  state: addressLine(100),
  zip: addressLine(20),
  country: z._default(addressLine(100), "USA"),
});
export type ShippingAddress = z.output<typeof shippingAddress>;

/** A person as admins see one. */
const person = z.object({ uid: z.string(), displayName: z.string() });

/** An offer as the trade's buyer and admins see it. */
export const tradeOffer = z.object({
  offerId: z.string(),
  status: offerStatus,
  /** Null unless declined. */
  declinedBecause: z.nullable(declinedBecause),
  /** Who has to answer; null if it is closed. */
  turn: z.nullable(tradeParty),
  quantityOffered: z.int(),
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
  /** For one unit, cents; null if nothing is accepted. */
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
  /** 0 if the buyer provides the label. */
  shippingFee: z.int(),
  /**
   * What it costs the buyer: the accepted units at their prices, or while nothing is accepted the requested units at
   * the requested price; and the shipping fee.
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
  /** Null without a label, or if it was erased. */
  labelUrl: z.nullable(z.string()),
  /** When it is cancelled if the buyer's label is still missing; null if that cannot happen. */
  cancelsAt: z.nullable(z.string()),
  fulfilledAt: z.nullable(z.string()),
  /** When it completes by itself; null if it does not, for example because of a report. */
  completesAt: z.nullable(z.string()),
  /** Until when the buyer can report a problem; null before fulfillment. */
  reportUntil: z.nullable(z.string()),
  /** The open report; null without one. */
  report: z.nullable(
    z.object({
      kind: reportKind,
      /** Null if there is none, or if it was erased. */
      description: z.nullable(z.string()),
      reportedAt: z.string(),
    }),
  ),
  /** The reason that was given for cancelling it; null if none was. */
  cancelReason: z.nullable(z.string()),
  offers: z.array(tradeOffer),
});
export type Trade = z.infer<typeof trade>;

/** GET /trades/my-trades: newest first. */
export const myTradesQuery = z.strictObject({
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/u, "This cursor is unknown"))),
  limit: pageLimit(50, 200),
});

export const myTradesResponse = z.object({
  trades: z.array(trade),
  /** Offers with a counter that the buyer has to answer, over all trades. */
  countersWaiting: z.int(),
  nextCursor: z.nullable(z.string()),
});
export type MyTradesResponse = z.infer<typeof myTradesResponse>;

/** GET /trades/offers/my-offers: the next to end comes first; closed ones come last, newest first. */
export const myOffersQuery = z.strictObject({
  status: z._default(z.enum(["open", "all"]), "open"),
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/u, "This cursor is unknown"))),
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
  /** Units on the table. */
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

/** GET /trades/{id}/shipping: what a buyer needs to make the label. */
export const tradeShippingResponse = z.object({
  /** Where the label ships from: the store. Null until the store sets an address. */
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
  /** Where the goods go; null if it was erased. */
  shippingAddress: z.nullable(shippingAddress),
  /** Units in the parcel. */
  units: z.int(),
  /** Who uploads the label. */
  labelOwedBy: z.enum(["buyer", "store"]),
});
export type TradeShippingResponse = z.infer<typeof tradeShippingResponse>;

/** GET /trades/fulfillments/pending */
export const fulfillmentOrder = z.extend(trade, {
  buyer: person,
  /** The last 8 characters of the buyer's uid, upper case. */
  buyerShortId: z.string(),
  /** The buyer's available balance now, cents. Fulfill shows a negative one. */
  buyerAvailableCents: z.int(),
  shippingAddress: z.nullable(shippingAddress),
  labelOwedBy: z.enum(["buyer", "store"]),
  /** Where the accepted units are, by location: for picking. */
  picks: z.array(
    z.object({
      offerId: z.string(),
      itemId: z.string(),
      seller: person,
      /** Empty if the item has none. */
      location: z.string(),
      units: z.int(),
    }),
  ),
});
export type FulfillmentOrder = z.infer<typeof fulfillmentOrder>;

export const fulfillmentsResponse = z.object({
  /** Longest waiting first, then those with an open report, then the fulfilled ones of the last 30 days, newest first. */
  orders: z.array(fulfillmentOrder),
  /** How many wait, for the badge. */
  waiting: z.int(),
});
export type FulfillmentsResponse = z.infer<typeof fulfillmentsResponse>;

/** GET /trades/fulfillments/count: the badge, without the orders. */
export const fulfillmentCountResponse = z.object({ waiting: z.int() });
export type FulfillmentCountResponse = z.infer<typeof fulfillmentCountResponse>;

/** GET /trades/terms: the rates that would apply to a request of the caller now. */
export const tradeTermsResponse = z.object({
  commissionPercentage: z.int(),
  /** Cents; 0 for a buyer who provides the label. */
  shippingFee: z.int(),
  /** What the caller has available, cents. */
  availableCents: z.int(),
  /** The address of the caller's last trade; null without one. */
  shippingAddress: z.nullable(shippingAddress),
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
  /** The reason that was given; null if there is none or if it was erased. */
  note: z.nullable(z.string()),
  /** Null for the buyer if a seller did it: buyers do not learn who sells. */
  actor: z.nullable(person),
  happenedAt: z.string(),
});
export type TradeHistoryLine = z.infer<typeof tradeHistoryLine>;

/** GET /trades/{id}/history: oldest first. */
export const tradeHistoryResponse = z.object({ lines: z.array(tradeHistoryLine) });
export type TradeHistoryResponse = z.infer<typeof tradeHistoryResponse>;
