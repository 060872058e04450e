// What the calls that change a trade take and give. Money is cents.
//
// Buyers
//   POST   /trades/request                     asks every consignor who has the item
//   POST   /trades/{id}/shipping-label         multipart: label (PDF), trackingNumber, carrier; who owes the label, and admins
//   POST   /trades/{id}/raise                  before anybody accepted: a higher price
//   POST   /trades/{id}/close                  after somebody accepted: the open offers are withdrawn
//   POST   /trades/{id}/cancel                 the buyer before anybody accepted, an admin until fulfilled
//   PUT    /trades/{id}/address                another shipping address, until fulfilled; its buyer and admins
//   POST   /trades/{id}/confirm                the goods arrived
//   POST   /trades/{id}/report                 lost, damaged, wrong or returned goods
//   DELETE /trades/{id}/report                 takes the report back, or turns it down as an admin
// Sellers; and buyers when it is their turn
//   POST   /trades/offers/{id}/accept
//   POST   /trades/offers/{id}/decline
//   POST   /trades/offers/{id}/counter
//   DELETE /trades/offers/{id}/counter         takes the caller's own counter back
// Admins
//   POST   /trades/{id}/fulfill
//   POST   /trades/{id}/offers/{offerId}/cancel   one acceptance, wholly or by units
//   POST   /trades/{id}/refund                 after fulfillment; settles a report
import * as z from "zod/mini";
import { text, wholeCount } from "#ledger/fields.ts";
import { MAX_AMOUNT_CENTS } from "#ledger/money.ts";
import {
  labelCarrier,
  offerId,
  offerStatus,
  reportKind,
  shippingAddress,
  tradeStatus,
} from "#features/trades/contract.ts";

function cents(minimum: number, noWhole: string, tooLittle: string) {
  return z
    .int(noWhole)
    .check(
      z.minimum(minimum, tooLittle),
      z.maximum(MAX_AMOUNT_CENTS, "An amount is at most $10,000,000"),
    );
}

const price = cents(1, "A price is whole cents", "Price must be greater than 0");
const quantity = wholeCount(1, "Quantity must be at least 1");

/** POST /trades/request */
export const requestTradeRequest = z.strictObject({
  itemName: text(1, 200, "Please name the item"),
  itemBarcode: text(1, 128, "Please name the item's barcode"),
  quantity,
  /** Cents, for one unit. */
  pricePerItem: price,
  shippingAddress,
  /** True if the buyer uploads a label; then no shipping fee is charged. */
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
  /** The price that was shown: 409 `price_changed` if it is not the current one. */
  pricePerItem: z.optional(price),
  /** By default all that is offered. */
  quantity: z.optional(quantity),
});
export type AcceptOfferRequest = z.input<typeof acceptOfferRequest>;

/** POST /trades/offers/{id}/counter */
export const counterOfferRequest = z.strictObject({
  counterPrice: cents(1, "A price is whole cents", "Counter price must be greater than 0"),
  /** By default all that is offered. */
  quantity: z.optional(quantity),
});
export type CounterOfferRequest = z.input<typeof counterOfferRequest>;

/** What each command about an offer answers. */
export const offerChangedResponse = z.object({
  message: z.string(),
  offerId: z.string(),
  tradeId: z.string(),
  status: offerStatus,
  tradeStatus,
  /** Units accepted. */
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

/** POST /trades/{id}/shipping-label: the fields next to the file. */
export const labelFields = z.strictObject({
  trackingNumber: text(1, 100, "Please enter a tracking number"),
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

/** What happens to the units of a cancelled acceptance. */
export const cancelledUnitsAs = z.enum(
  ["restock", "lost", "damaged"],
  "Please say what becomes of the units",
);
export type CancelledUnitsAs = z.infer<typeof cancelledUnitsAs>;

/** POST /trades/{id}/offers/{offerId}/cancel */
export const cancelAcceptanceRequest = z.strictObject({
  /** By default all. */
  units: z.optional(quantity),
  as: cancelledUnitsAs,
  reason,
});
export type CancelAcceptanceRequest = z.input<typeof cancelAcceptanceRequest>;

export const borneBy = z.enum(["seller", "store"], "Please say who bears the refund");

/** POST /trades/{id}/refund */
export const refundTradeRequest = z
  .strictObject({
    /** The acceptance; may be left out if the trade has only one. */
    offerId: z.optional(offerId),
    units: wholeCount(0, "Quantity must be at least 0"),
    cents: cents(0, "An amount is whole cents", "An amount is at least 0"),
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
