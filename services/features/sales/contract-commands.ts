// The requests and responses of the calls that record, correct and refund sales. Money is in dollars here, and in cents from the routes on.
import * as z from "zod/mini";
import {
  dollarsFrom,
  instant,
  queuedLine,
  queuedText,
  text,
  uid,
  uuid,
  wholeCount,
} from "#ledger/fields.ts";
import { channel, tender } from "#features/sales/contract.ts";

const percentage = z
  .int("The consignor's share is a whole percentage")
  .check(
    z.minimum(0, "The consignor's share is at least 0"),
    z.maximum(100, "The consignor's share is at most 100"),
  );
const salePrice = dollarsFrom(0.01, "Please enter a valid price", "Please enter a valid price");
const shippingCost = dollarsFrom(0, "Shipping cost is at least 0");
const salesTax = dollarsFrom(0, "Sales tax is at least 0");
/** What the till charged: 825 is 8.25%. The server books what was charged, and marks a rate that was not the store's. */
const taxRateBasisPoints = z.optional(
  z.int("A tax rate is in hundredths of a percent").check(z.minimum(0), z.maximum(10_000)),
);
/** The number of the certificate of a customer who pays no tax. */
export const certificateNumber = queuedText(0, 100, "A certificate's number is text");
/** What the till says about the whole cart, with each of its lines. */
const till = {
  /** A UUID that all lines of one cart have: they are one receipt. */
  receiptID: z.optional(uuid),
  tender: z.optional(tender),
  /** The customer has a certificate: no tax was charged. `taxRateBasisPoints` is then what was taken out of the price. */
  taxExempt: z.optional(z.strictObject({ certificate: certificateNumber })),
};
const untaxedIfExempt = z.refine<{ readonly taxExempt?: unknown; readonly salesTax: number }>(
  ({ taxExempt, salesTax: tax }) => taxExempt === undefined || tax === 0,
  { message: "A tax-exempt sale has no sales tax", path: ["salesTax"] },
);
const ALL_FIELDS = "Please fill in all fields";
const itemName = queuedLine(1, 200, ALL_FIELDS);
const AMOUNT = "Please enter a valid amount";
const quantitySold = wholeCount(1, "Quantity must be greater than 0");

/** POST /sales/record, admins only. */
export const recordSaleRequest = z
  .strictObject({
    consignorID: uid,
    itemUID: uuid,
    /** The scanned barcode: 409 `barcode_mismatch` if the item has another. */
    barcode1: z.optional(queuedText(1, 128, "A barcode is text")),
    /** Total for all units, without tax. */
    salePrice,
    shippingCost: z._default(shippingCost, 0),
    quantitySold,
    /** Left out: the share agreed with the consignor, else the store's default. */
    consignorPercentage: z.optional(percentage),
    salesTax: z._default(salesTax, 0),
    taxRateBasisPoints,
    channel: z._default(channel, "online"),
    ...till,
    /** When it was sold, not in the future; by default now. */
    soldAt: z.optional(instant),
  })
  .check(untaxedIfExempt);
export type RecordSaleRequest = z.input<typeof recordSaleRequest>;

/** POST /inventory/master/sale, admins only. Without a price it only moves stock. */
export const recordMasterSaleRequest = z
  .strictObject({
    masterItemID: uuid,
    quantitySold,
    salePrice: z.optional(salePrice),
    salesTax: z._default(salesTax, 0),
    taxRateBasisPoints,
    channel: z._default(channel, "online"),
    ...till,
    soldAt: z.optional(instant),
  })
  .check(
    z.refine((sale) => sale.salesTax === 0 || sale.salePrice !== undefined, {
      message: "Without a price there is no sales tax",
      path: ["salesTax"],
    }),
    untaxedIfExempt,
  );
export type RecordMasterSaleRequest = z.input<typeof recordMasterSaleRequest>;

/** POST /sales/custom, admins only. The consignor gets the full amount. */
export const recordCustomSaleRequest = z.strictObject({
  consignorID: uid,
  itemName,
  amount: dollarsFrom(0.01, AMOUNT, AMOUNT, ALL_FIELDS),
  soldAt: z.optional(instant),
});
export type RecordCustomSaleRequest = z.input<typeof recordCustomSaleRequest>;

/** The response to a recorded sale of any kind. */
export const recordSaleResponse = z.object({
  /** "Sale recorded successfully". */
  message: z.string(),
  saleID: z.string(),
  payoutAmount: z.number(),
  /** Units of the item left; null for a custom sale. */
  remainingQuantity: z.nullable(z.int()),
});
export type RecordSaleResponse = z.infer<typeof recordSaleResponse>;

/** PUT /sales/{id}, admins only. Omitted fields stay as they are. */
export const correctSaleRequest = z.strictObject({
  itemName: z.optional(itemName),
  soldQuantity: z.optional(quantitySold),
  /** Null only for a sale without a price, which keeps none. */
  salePrice: z.optional(z.nullable(salePrice)),
  shippingCost: z.optional(shippingCost),
  salesTax: z.optional(salesTax),
  consignorPercentage: z.optional(percentage),
  /** Used if it differs from the stored one; otherwise the payout is computed again if its inputs changed. */
  payoutAmount: z.optional(dollarsFrom(0, "The payout is at least 0")),
  reason: z.optional(text(0, 500, "A reason is text")),
  /** The `version` the form was loaded with: 409 `sale_changed` if it has changed since. */
  expectedVersion: z.optional(z.int().check(z.positive())),
});
export type CorrectSaleRequest = z.input<typeof correctSaleRequest>;

/** POST /sales/{id}/refund, admins only. */
export const refundSaleRequest = z
  .strictObject({
    /** Units to refund; 0 only with an `amount`. */
    quantity: wholeCount(0, "Quantity must be at least 0"),
    /** Dollars of the sale price to refund, without tax; by default the units' share of it. */
    amount: z.optional(dollarsFrom(0.01, "Please enter a valid amount")),
    /** True if the units can be sold again. */
    restock: z.boolean("Say whether the units go back into stock"),
    /** How the customer gets the money back. Left out: nobody said, and the till's drawer is not changed. */
    tender: z.optional(tender),
    reason: text(1, 500, "Enter a reason"),
    expectedVersion: z.optional(z.int().check(z.positive())),
  })
  .check(
    z.refine((refund) => refund.quantity > 0 || refund.amount !== undefined, {
      path: ["quantity"],
      message: "Quantity must be greater than 0",
    }),
  );
export type RefundSaleRequest = z.input<typeof refundSaleRequest>;

/** PUT /sales/{id}/tender, admins only: how the customer really paid, for all sales of the receipt. */
export const correctTenderRequest = z.strictObject({
  tender,
  reason: z.optional(text(0, 500, "A reason is text")),
  expectedVersion: z.optional(z.int().check(z.positive())),
});
export type CorrectTenderRequest = z.input<typeof correctTenderRequest>;
export const correctTenderResponse = z.object({
  message: z.string(),
  saleID: z.string(),
  version: z.int(),
  /** How many sales of the receipt were changed. */
  sales: z.int(),
});
export type CorrectTenderResponse = z.infer<typeof correctTenderResponse>;

export const saleRefundParams = z.strictObject({
  id: uuid,
  /** `refund.number` of the story's entry. */
  refund: z.pipe(
    z.string().check(z.regex(/^[1-9][0-9]{0,5}$/u, "A refund is a whole number from 1 on")),
    z.transform(Number),
  ),
});
/** PUT /sales/{id}/refunds/{refund}/tender, admins only: how the customer really got the money back. */
export const correctRefundTenderResponse = z.object({
  message: z.string(),
  saleID: z.string(),
  version: z.int(),
});
export type CorrectRefundTenderResponse = z.infer<typeof correctRefundTenderResponse>;

/** POST /sales/{id}/erase-certificate */
export const eraseCertificateRequest = z.strictObject({
  /** Also from all other receipts with the same number, of at most 500 sales at a time. */
  everywhere: z._default(z.boolean(), false),
});
export type EraseCertificateRequest = z.input<typeof eraseCertificateRequest>;
export const eraseCertificateResponse = z.object({
  message: z.string(),
  /** The number of sales from which the certificate's number was erased. */
  numbers: z.int(),
  /** False if there may be more sales with it: send the call again with another key. */
  isComplete: z.boolean(),
});
export type EraseCertificateResponse = z.infer<typeof eraseCertificateResponse>;

/** The response of PUT /sales/{id} and of a refund: the sale afterwards, without its display name. */
export const saleChangedResponse = z.object({
  message: z.string(),
  saleID: z.string(),
  version: z.int(),
  /** The payout before refunds. */
  payoutAmount: z.number(),
  /** This refund's part of the price, the tax and the payout; all 0 for a correction. */
  refundedAmount: z.number(),
  refundedTax: z.number(),
  refundedPayout: z.number(),
});
export type SaleChangedResponse = z.infer<typeof saleChangedResponse>;
