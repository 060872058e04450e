// What the trade calls take and give. Money is cents here, as everywhere in trades.
//
// Buyers
//   POST   /trades/request                     asks every consignor who has the item
//   GET    /trades/my-trades                   the caller's trades, with every offer
//   GET    /trades/my-trades/export            the same as CSV
//   GET    /trades/{id}                        one trade; its buyer, its sellers and admins
//   GET    /trades/terms                       what a request costs now, and the last address
//   GET    /trades/{id}/history                what happened to a trade; its buyer, its sellers and admins
//   GET    /trades/{id}/shipping               the store's address and what a label needs; its buyer and admins
//   POST   /trades/{id}/shipping-label         multipart: label (PDF), trackingNumber, carrier; who owes the label, and admins
//   GET    /trades/{id}/label                  the label as a PDF; its buyer and admins
//   POST   /trades/{id}/raise                  before anybody accepted: a higher price
//   POST   /trades/{id}/close                  after somebody accepted: the open offers are withdrawn
//   POST   /trades/{id}/cancel                 the buyer before anybody accepted, an admin until fulfilled
//   PUT    /trades/{id}/address                another shipping address, until fulfilled; its buyer and admins
//   POST   /trades/{id}/confirm                the goods arrived
//   POST   /trades/{id}/report                 lost, damaged, wrong or returned goods
//   DELETE /trades/{id}/report                 takes the report back, or turns it down as an admin
// Sellers; and buyers, where it is their turn
//   GET    /trades/offers/my-offers            what waits for the caller as seller; ?status=all adds the closed ones,
//                                              ?tab= gives one tab of the list
//   GET    /trades/offers/my-offers/count      how many open ones there are, by who has to answer
//   GET    /trades/offers/my-offers/export     the same as CSV
//   GET    /trades/offers/count                what waits for the caller's answer: the badge
//   POST   /trades/offers/{id}/accept
//   POST   /trades/offers/{id}/decline
//   POST   /trades/offers/{id}/counter
//   DELETE /trades/offers/{id}/counter         takes the caller's own counter back
// Admins
//   GET    /trades/fulfillments/pending        what waits for a label or for fulfillment, and what was fulfilled lately
//   GET    /trades/fulfillments/count          how many orders are not fulfilled
//   GET    /trades/fulfillments/export         the orders as CSV
//   GET    /trades/holding/{itemId}            which acceptances hold units of an item
//   GET    /trades/users/{userId}/requests     a person's trades as their buyer
//   GET    /trades/users/{userId}/offers       a person's offers as a seller
//   POST   /trades/{id}/fulfill
//   POST   /trades/{id}/offers/{offerId}/cancel   one acceptance, wholly or by units
//   POST   /trades/{id}/refund                 after fulfillment; settles a report
import * as z from "zod/mini";
import { moment, text, uid, uuid, visibleLine, wholeCount } from "#ledger/fields.ts";
import { MAX_AMOUNT_CENTS } from "#ledger/money.ts";

/** An offer lives this long, and again this long after a counter or a raise. */
export const OFFER_HOURS = 48;
/** But never longer than this after the request. */
export const OFFER_MAX_DAYS = 7;
/** How many counters an offer can have, of both parties together. */
export const MAX_COUNTERS = 5;
/** A trade whose buyer owes the label is cancelled after this time without one. */
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

const price = z
  .int("A price is whole cents")
  .check(
    z.minimum(1, "Price must be greater than 0"),
    z.maximum(MAX_AMOUNT_CENTS, "An amount is at most $10,000,000"),
  );
const quantity = wholeCount(1, "Quantity must be at least 1");

/** `<trade id>-<number>`. */
export const offerId = z
  .string("This is not an id")
  .check(
    z.regex(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[1-9][0-9]{0,3}$/u,
      "This is not an id",
    ),
  );

/** Of reads that can show a trade as of a time or position, by what was recorded. */
export const tradeAsOfQuery = z.strictObject({ at: z.optional(moment) });

export const tradeParams = z.strictObject({ id: uuid });
export const offerParams = z.strictObject({ id: offerId });
export const tradeUserParams = z.strictObject({ userId: uid });
export const tradeOfferParams = z.strictObject({ id: uuid, offerId });

/** What is said of each field of an address that is empty, and of an address that is missing. */
export const ADDRESS_MESSAGE = "Please fill in all shipping address fields";
const addressLine = (maximum: number) => text(1, maximum, ADDRESS_MESSAGE);

export const shippingAddress = z.strictObject(
  {
    name: addressLine(100),
    street: addressLine(200),
    city: addressLine(100),
    state: addressLine(100),
    zip: addressLine(20),
    country: z._default(addressLine(100), "USA"),
  },
  // An unknown field is refused in other words.
  { error: ({ code }) => (code === "invalid_type" ? ADDRESS_MESSAGE : undefined) },
);
export type ShippingAddress = z.output<typeof shippingAddress>;

/** POST /trades/request */
export const requestTradeRequest = z.strictObject({
  itemName: visibleLine(1, 200, "Please name the item", "An item's name"),
  itemBarcode: text(1, 128, "Please name the item's barcode"),
  quantity,
  /** Cents, for one unit. */
  pricePerItem: price,
  shippingAddress,
  /** True where the buyer uploads a label; the shipping fee is then not charged. */
  providesOwnShipping: z._default(z.boolean(), false),
  itemLink: z.optional(z.string().check(z.maxLength(2000, "At most 2,000 characters"))),
  imageUrl: z.optional(z.string().check(z.maxLength(2000, "At most 2,000 characters"))),
});
export type RequestTradeRequest = z.input<typeof requestTradeRequest>;

export const requestTradeResponse = z.object({
  message: z.string(),
  tradeId: z.string(),
  /** How many consignors it was offered to. */
  offers: z.int(),
  /** Items and shipping fee, cents. Nothing is held before somebody accepts. */
  totalCost: z.int(),
});
export type RequestTradeResponse = z.infer<typeof requestTradeResponse>;

/** POST /trades/offers/{id}/accept */
export const acceptOfferRequest = z.strictObject({
  /** The price that was shown: 409 `price_changed` where it is another one by now. */
  pricePerItem: z.optional(price),
  /** All that is offered where it is left out. */
  quantity: z.optional(quantity),
});
export type AcceptOfferRequest = z.input<typeof acceptOfferRequest>;

/** POST /trades/offers/{id}/decline */
export const declineOfferRequest = z.strictObject({
  /** The price that was shown: 409 `price_changed` where it is another one by now. */
  pricePerItem: z.optional(price),
});
export type DeclineOfferRequest = z.input<typeof declineOfferRequest>;

/** `current` of 409 `price_changed`, and of `more_than_offered`. */
export const termsChangedCurrent = z.object({
  pricePerItem: z.optional(price),
  quantity: z.optional(quantity),
});

/** POST /trades/offers/{id}/counter */
export const counterOfferRequest = z.strictObject({
  counterPrice: z
    .int("A price is whole cents")
    .check(
      z.minimum(1, "Counter price must be greater than 0"),
      z.maximum(MAX_AMOUNT_CENTS, "An amount is at most $10,000,000"),
    ),
  /** All that is offered where it is left out. */
  quantity: z.optional(quantity),
  /** The price that was shown: 409 `price_changed` where it is another one by now. */
  pricePerItem: z.optional(price),
});
export type CounterOfferRequest = z.input<typeof counterOfferRequest>;

/** What each command about an offer answers. */
export const offerChangedResponse = z.object({
  message: z.string(),
  offerId: z.string(),
  tradeId: z.string(),
  status: offerStatus,
  tradeStatus,
  /** Units accepted; 0 where none were. */
  acceptedQuantity: z.int(),
  /** What the accepted units cost the buyer, without shipping; cents. */
  totalValue: z.int(),
});
export type OfferChangedResponse = z.infer<typeof offerChangedResponse>;

/** What each command about a trade answers. */
export const tradeChangedResponse = z.object({
  message: z.string(),
  tradeId: z.string(),
  status: tradeStatus,
  /** The buyer's money that the trade holds now, cents. */
  heldCents: z.int(),
});
export type TradeChangedResponse = z.infer<typeof tradeChangedResponse>;

/** POST /trades/{id}/raise */
export const raiseTradeRequest = z.strictObject({ pricePerItem: price });
export type RaiseTradeRequest = z.input<typeof raiseTradeRequest>;

const reason = z.optional(text(0, 500, "A reason is text"));

/** POST /trades/{id}/cancel */
export const cancelTradeRequest = z.strictObject({ reason });
export type CancelTradeRequest = z.input<typeof cancelTradeRequest>;

/** PUT /trades/{id}/address */
export const changeAddressRequest = z.strictObject({ shippingAddress });
export type ChangeAddressRequest = z.input<typeof changeAddressRequest>;

/** POST /trades/{id}/shipping-label: the fields that come with the file. */
export const labelFields = z.strictObject({
  trackingNumber: visibleLine(1, 100, "Please enter a tracking number", "A tracking number"),
  carrier: labelCarrier,
});

/** POST /trades/{id}/report */
export const reportTradeRequest = z.strictObject({
  kind: reportKind,
  description: reason,
});
export type ReportTradeRequest = z.input<typeof reportTradeRequest>;

/** DELETE /trades/{id}/report */
export const closeReportRequest = z.strictObject({ reason });

/** What becomes of the units of a cancelled acceptance. */
export const cancelledUnitsAs = z.enum(
  ["restock", "lost", "damaged"],
  "Please say what becomes of the units",
);
export type CancelledUnitsAs = z.infer<typeof cancelledUnitsAs>;

/** POST /trades/{id}/offers/{offerId}/cancel */
export const cancelAcceptanceRequest = z.strictObject({
  /** All where it is left out. */
  units: z.optional(quantity),
  /** The item whose units they are. Without it, the units that were taken last go first. */
  itemId: z.optional(uuid),
  as: cancelledUnitsAs,
  reason,
});
export type CancelAcceptanceRequest = z.input<typeof cancelAcceptanceRequest>;

export const borneBy = z.enum(["seller", "store"], "Please say who bears the refund");

/** POST /trades/{id}/refund */
export const refundTradeRequest = z
  .strictObject({
    /** The acceptance; may be left out where the trade has only one. */
    offerId: z.optional(offerId),
    units: wholeCount(0, "Quantity must be at least 0"),
    cents: z
      .int("An amount is whole cents")
      .check(
        z.minimum(0, "An amount is at least 0"),
        z.maximum(MAX_AMOUNT_CENTS, "An amount is at most $10,000,000"),
      ),
    borneBy,
    /** Whether the units are back in the seller's stock. */
    restock: z.boolean(),
    reason,
  })
  .check(
    z.refine(({ units, cents }) => units > 0 || cents > 0, {
      path: ["cents"],
      message: "A refund gives back units or money",
    }),
  );
export type RefundTradeRequest = z.input<typeof refundTradeRequest>;
