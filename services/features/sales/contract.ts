// The requests and responses of the sales calls. Money is in dollars here, and in cents from the routes on.
import * as z from "zod/mini";
import {
  dollarsFrom,
  instant,
  pageLimit,
  queuedLine,
  queuedText,
  searchText,
  text,
  uid,
  uuid,
  wholeCount,
} from "#ledger/fields.ts";

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
/** How the customer pays, or gets the money back. */
export const tender = z.enum(["cash", "card", "other"]);
export type Tender = z.infer<typeof tender>;
/** What the till says about the whole cart, with each of its lines. */
const till = {
  /** A UUID that all lines of one cart have: they are one receipt. */
  receiptID: z.optional(uuid),
  tender: z.optional(tender),
  /** The customer has a certificate: no tax was charged. `taxRateBasisPoints` is then what was taken out of the price. */
  taxExempt: z.optional(
    z.strictObject({ certificate: queuedText(0, 100, "A certificate's number is text") }),
  ),
};
const untaxedIfExempt = z.refine<{ readonly taxExempt?: unknown; readonly salesTax: number }>(
  ({ taxExempt, salesTax: tax }) => taxExempt === undefined || tax === 0,
  { message: "A tax-exempt sale has no sales tax", path: ["salesTax"] },
);
const itemName = queuedLine(1, 200, "Please fill in all fields");
const quantitySold = wholeCount(1, "Quantity must be greater than 0");
const channel = z.enum(["online", "pos"]);

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
  amount: dollarsFrom(0.01, "Please enter a valid amount"),
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

export const saleParams = z.strictObject({ id: uuid });
/** Whose sales. */
export const saleHistoryParams = z.strictObject({ id: uid });

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
    /** How the customer gets the money back. Left out: nobody said, and no drawer is taken to be the source. */
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
  /** Of how many sales the number was erased. */
  numbers: z.int(),
  /** False if there may be more sales with it: send the call again with another key. */
  isComplete: z.boolean(),
});
export type EraseCertificateResponse = z.infer<typeof eraseCertificateResponse>;

/** A sale as it is after corrections and refunds. */
export const saleView = z.object({
  saleID: z.string(),
  kind: z.enum(["consignor", "master", "custom"]),
  /** Null for a sale of the store's own item. */
  consignorID: z.nullable(z.string()),
  consignorDisplayName: z.nullable(z.string()),
  /** Null for a custom sale. */
  itemUID: z.nullable(z.string()),
  barcode1: z.nullable(z.string()),
  itemName: z.string(),
  /** The item's picture now; left out without one, and in answers to commands. */
  imageUrl: z.optional(z.string()),
  soldQuantity: z.int(),
  /** Null for a master sale that only moved stock. */
  salePrice: z.nullable(z.number()),
  shippingCost: z.number(),
  salesTax: z.number(),
  /** What the till charged; null if no till named a rate. */
  taxRate: z.nullable(
    z.object({
      /** 825 is 8.25%. */
      basisPoints: z.int(),
      /** True if the store had another rate when it was sold. */
      outdated: z.boolean(),
    }),
  ),
  /** Null if no percentage decided the payout. */
  consignorPercentage: z.nullable(z.int()),
  payoutAmount: z.number(),
  /** What the store keeps of the price after refunds, shipping and payout; negative for a loss. */
  storeAmount: z.number(),
  /** How the payout was computed before refunds, in one line: "($40.00 − $5.00 shipping) × 50% = $17.50". */
  saleRecord: z.string(),
  /** When it was sold, ISO 8601; `timestamp` is the same instant in milliseconds. */
  dateSold: z.string(),
  timestamp: z.int(),
  channel: z.nullable(z.enum(["online", "pos"])),
  /** The receipt that it is on: GET /sales/{id}/receipt. Null if no till named one. */
  receiptID: z.nullable(z.string()),
  /** How the customer paid; null if nobody said. */
  tender: z.nullable(tender),
  /** True if the customer paid no tax for having a certificate. */
  taxExempt: z.boolean(),
  status: z.enum(["sold", "partly_refunded", "refunded"]),
  refundedQuantity: z.int(),
  /** Of the sale price, without tax. */
  refundedAmount: z.number(),
  refundedTax: z.number(),
  /** What refunds took back from the consignor. */
  refundedPayout: z.number(),
  /** How often it was corrected. */
  corrections: z.int(),
  /** Pass it back as `expectedVersion`. */
  version: z.int(),
});
export type SaleView = z.infer<typeof saleView>;

/** A sale as its consignor reads it: without the buyer's tax and payment, and without the store's part. */
const ownSaleView = z.omit(saleView, {
  salesTax: true,
  refundedTax: true,
  taxRate: true,
  taxExempt: true,
  storeAmount: true,
  receiptID: true,
  tender: true,
});
export type OwnSaleView = z.infer<typeof ownSaleView>;

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

/** The filters of every list, file and sum of sales. */
export const saleFilters = {
  /** Part of the item's name, or the exact barcode. */
  searchTerm: z.optional(searchText(200, "A search term is text")),
  kind: z.optional(z.enum(["consignor", "master", "custom"])),
  channel: z.optional(channel),
  status: z.optional(z.enum(["sold", "partly_refunded", "refunded"])),
  /** Sold at or after. */
  from: z.optional(instant),
  /** Sold before. */
  to: z.optional(instant),
};

/** The filters of calls for admins only. */
export const storeSaleFilters = {
  ...saleFilters,
  /** `unpriced`: of any status, without a price. */
  status: z.optional(z.enum(["sold", "partly_refunded", "refunded", "unpriced"])),
  consignor: z.optional(uid),
  /** `unsaid`: sales of the till of which nobody said how they were paid. */
  paidBy: z.optional(z.enum([...tender.options, "unsaid"])),
};

/** What a list of sales can be sorted by. Ties are sorted by date and position, in the same direction. */
export const saleSort = z.enum([
  "date",
  "item",
  "consignor",
  "quantity",
  "price",
  "tax",
  "shipping",
  "percentage",
  "payout",
  "store",
]);
export type SaleSort = z.infer<typeof saleSort>;

const saleOrder = {
  /** Without it, newest first, regardless of `order`. */
  sort: z.optional(saleSort),
  order: z._default(z.enum(["asc", "desc"]), "asc"),
};

/** The last millisecond of the year 9999: no sale is later, because years have four digits. */
const LATEST_SOLD_AT_MS = 253_402_300_799_999;
const page = {
  /** `nextCursor` of the page before. */
  cursor: z.optional(
    z.string().check(
      z.regex(/^[0-9]{1,15}-[0-9]{1,15}$/u, "This cursor is unknown"),
      z.refine(
        (cursor) => Number(cursor.split("-", 1)[0]) <= LATEST_SOLD_AT_MS,
        "This cursor is unknown",
      ),
    ),
  ),
};

/** GET /sales/history/{id}: one consignor's sales. A cursor is only valid for the sort it was made with. */
export const saleHistoryQuery = z.strictObject({
  ...saleFilters,
  ...saleOrder,
  ...page,
  limit: pageLimit(200, 1000),
});

/** GET /sales: all sales, admins only. A cursor is only valid for the sort it was made with. */
export const saleListQuery = z.strictObject({
  ...storeSaleFilters,
  ...saleOrder,
  ...page,
  limit: pageLimit(50, 200),
});

/** GET /sales/export and GET /sales/history/{id}/export: the filtered sales as CSV, sorted like the list. */
export const saleExportQuery = z.strictObject({ ...storeSaleFilters, ...saleOrder });
export const saleHistoryExportQuery = z.strictObject({ ...saleFilters, ...saleOrder });

export const saleListResponse = z.object({
  sales: z.array(saleView),
  /** Null at the end. */
  nextCursor: z.nullable(z.string()),
  hasMore: z.boolean(),
  /** The number of filtered sales; counting stops at 10,000, and then `capped` is true. */
  count: z.object({ value: z.int(), capped: z.boolean() }),
});
export type SaleListResponse = z.infer<typeof saleListResponse>;

/** GET /sales/history/{id} for the consignor. Admins get `saleListResponse`. */
export const ownSaleListResponse = z.extend(saleListResponse, { sales: z.array(ownSaleView) });
export type OwnSaleListResponse = z.infer<typeof ownSaleListResponse>;

/** GET /sales/{id} for admins, and for the sale's consignor. */
export const saleResponse = z.object({ sale: saleView });
export const ownSaleResponse = z.object({ sale: ownSaleView });
export type SaleResponse = z.infer<typeof saleResponse>;
