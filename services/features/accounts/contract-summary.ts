// What the dashboard's calls take and give. Apart from the ledger's contract, which the browser then loads only with a history.
import * as z from "zod/mini";
import { pageLimit } from "#ledger/fields.ts";

/** GET /accounts/{id}/summary: the dashboard's tiles. */
export const summaryResponse = z.object({
  available: z.number(),
  inTransit: z.number(),
  /** "Held for trades": what this person's open trades as a buyer hold. */
  heldForTrades: z.number(),
  /** Items of the consignor that have stock. */
  activeItems: z.int(),
  /** Units of this person that open trades hold; they are no longer in stock and not traded yet. */
  unitsInTrades: z.int(),
  /** Recorded sales, including custom ones. */
  salesCount: z.int(),
  totalPaid: z.number(),
});
export type SummaryResponse = z.infer<typeof summaryResponse>;

/** GET /accounts/{id}/balance-series: the balance over time as steps, oldest first. */
export const balanceSeriesQuery = /* @__PURE__ */ z.strictObject({ days: pageLimit(90, 730) });

export const balanceSeriesResponse = z.object({
  points: z.array(
    z.object({
      /** The end of a day (UTC); the last point is now. */
      at: z.string(),
      balance: z.number(),
      inTransit: z.number(),
    }),
  ),
});
export type BalanceSeriesResponse = z.infer<typeof balanceSeriesResponse>;
