// What the calls take and give that sum the filtered sales, and that explain such a sum by days or months.
import * as z from "zod/mini";
import { saleFilters, storeSaleFilters } from "#features/sales/contract.ts";

/** GET /sales/history/{id}/totals: one consignor's filtered sales. */
export const saleHistoryTotalsQuery = z.strictObject(saleFilters);

/** GET /sales/totals: all filtered sales, admins only. */
export const saleTotalsQuery = z.strictObject(storeSaleFilters);

const ownTotals = {
  sales: z.int(),
  units: z.int(),
  refundedUnits: z.int(),
  /** Sums of the list's fields of the same names, in dollars. */
  salePrice: z.number(),
  refundedAmount: z.number(),
  shippingCost: z.number(),
  /** What consignors get, after refunds. */
  payoutAmount: z.number(),
} as const;

export const saleHistoryTotalsResponse = z.object({ totals: z.object(ownTotals) });
export type SaleHistoryTotalsResponse = z.infer<typeof saleHistoryTotalsResponse>;

const saleTotals = z.object({
  ...ownTotals,
  /** How many of the sales have no price yet. They and their units are counted too. */
  unpricedSales: z.int(),
  /** After refunds. */
  salesTax: z.number(),
  /** salePrice − refundedAmount − shippingCost − payoutAmount. */
  storeAmount: z.number(),
});
export type SaleTotals = z.infer<typeof saleTotals>;

export const saleTotalsResponse = z.object({ totals: saleTotals });
export type SaleTotalsResponse = z.infer<typeof saleTotalsResponse>;

/** The totals that can be explained. `price` is after refunds. */
export const soldNumber = z.enum(["sales", "units", "price", "tax", "shipping", "payout", "store"]);
export type SoldNumber = z.infer<typeof soldNumber>;

/** Whose days: by default the store's, as lists take them. Closed months keep the time zone of their closing. */
const timeZone = z.optional(
  z.string().check(z.regex(/^[A-Za-z0-9_+/-]{1,60}$/u, "A time zone looks like America/Chicago")),
);

/** GET /sales/totals/explain, admins only. */
export const soldExplainQuery = z.strictObject({
  ...storeSaleFilters,
  number: soldNumber,
  timeZone,
});

/** GET /sales/history/{id}/totals/explain: the totals that a consignor sees. */
export const ownSoldExplainQuery = z.strictObject({
  ...saleFilters,
  number: z.enum(["sales", "units", "price", "shipping", "payout"]),
  timeZone,
});

export const soldExplainResponse = z.object({
  number: soldNumber,
  /** Whose days the newest spans are. */
  timeZone: z.string(),
  unit: z.enum(["dollars", "count"]),
  /** The total as the list shows it, from the sums of days and months. */
  total: z.number(),
  /** How it is made: "Sale prices", "Refunds". Empty if there is nothing to take apart. */
  parts: z.array(z.object({ label: z.string(), amount: z.number() })),
  /** Every sale of the list, summed one by one. */
  summed: z.number(),
  isBalanced: z.boolean(),
  sales: z.int(),
  /** How many of them have no price yet. */
  unpricedSales: z.int(),
  by: z.enum(["day", "month"]),
  /** Newest first. */
  spans: z.array(
    z.object({
      /** "2026-11-21" or "2026-11". */
      name: z.string(),
      /** Whose day or month it is. */
      timeZone: z.string(),
      /** The part of it that the filters leave, as filters: the same list with these has exactly its sales. */
      from: z.string(),
      to: z.string(),
      sales: z.int(),
      amount: z.number(),
    }),
  ),
});
export type SoldExplainResponse = z.infer<typeof soldExplainResponse>;
