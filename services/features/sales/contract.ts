// What the calls that read sales take and give: one sale, and lists with their filters. Money is in dollars.
import * as z from "zod/mini";
import { pageLimit, periodEnd, searchText, uid, uuid } from "#ledger/fields.ts";

/** How the customer pays, or gets the money back. */
export const tender = z.enum(["cash", "card", "other"]);
export type Tender = z.infer<typeof tender>;

export const channel = z.enum(["online", "pos"]);

export const saleParams = z.strictObject({ id: uuid });
/** Whose sales. */
export const saleHistoryParams = z.strictObject({ id: uid });

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

/** The filters of every list, file and sum of sales. */
export const saleFilters = {
  /** Part of the item's name, or the exact barcode. */
  searchTerm: z.optional(searchText(200, "A search term is text")),
  kind: z.optional(z.enum(["consignor", "master", "custom"])),
  channel: z.optional(channel),
  status: z.optional(z.enum(["sold", "partly_refunded", "refunded"])),
  /** Sold at or after; a day is the store's. */
  from: z.optional(periodEnd),
  /** Sold before, or on this day of the store. */
  to: z.optional(periodEnd),
};

/** The filters of calls for admins only. */
export const storeSaleFilters = {
  ...saleFilters,
  /** `unpriced`: of any status, without a price. */
  status: z.optional(z.enum(["sold", "partly_refunded", "refunded", "unpriced"])),
  consignor: z.optional(uid),
  /** Only sales with a price: for others nothing was paid. `unsaid`: those of the till of which nobody said how. */
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
export type OwnSaleResponse = z.infer<typeof ownSaleResponse>;
