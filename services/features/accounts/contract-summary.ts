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

const recentLine = z.object({
  /** Its number in the account. */
  line: z.int(),
  kind: z.string(),
  /** "2 × Desk lamp sold" */
  description: z.string(),
  /** Change of the available balance. 0 if only the money in transit changed. */
  amount: z.number(),
  balanceAfter: z.number(),
  /** What the amount is made of, without the sum: "Sale price" 40, "Shipping" −5, "Store's share" −17.5. */
  reasons: z.array(z.object({ label: z.string(), amount: z.number() })),
  /** The given reason; null if there is none or it was erased. */
  note: z.nullable(z.string()),
  happenedAt: z.string(),
  recordedAt: z.string(),
  /** It was recorded on a later day than it happened, or happened on an earlier day than an entry before it. */
  isLate: z.boolean(),
});
export type RecentLine = z.infer<typeof recentLine>;

/** A settled payout is news for two weeks. */
export const PAYOUT_NEWS_MS = 14 * 86_400_000;

const recentPayout = z.object({
  id: z.string(),
  amount: z.number(),
  method: z.enum(["cashapp", "venmo"]),
  status: z.enum(["pending", "paid", "deleted", "returned"]),
  requestedAt: z.string(),
  /**
   * Until when the admin who began to pay it has it: it can neither be corrected nor withdrawn, also afterwards. Null
   * while nobody began, and once it is settled.
   */
  claimedUntil: z.nullable(z.string()),
  /** Where it was sent; null while it is pending, and where the handle was erased. */
  handle: z.nullable(z.string()),
  /** The transfer's number; null if nobody entered it. */
  reference: z.nullable(z.string()),
  /** Whether it was the consignor who deleted it. */
  withdrawn: z.boolean(),
  /** When it was paid or deleted; null while it is pending. */
  settledAt: z.nullable(z.string()),
  /** When its transfer came back after it was paid, and why; null for all others, and for an erased reason. */
  returnedAt: z.nullable(z.string()),
  returnReason: z.nullable(z.string()),
});
export type RecentPayout = z.infer<typeof recentPayout>;

/** GET /accounts/{id}/recent: the last five entries, newest first, and the payouts asked for lately. */
export const recentResponse = z.object({
  lines: z.array(recentLine),
  /** At most three pending ones, the oldest first; then at most three settled ones, the last first, but before them what came back within `PAYOUT_NEWS_MS`. */
  payouts: z.array(recentPayout),
  /** Pending ones that are not among them. */
  morePending: z.int(),
});
export type RecentResponse = z.infer<typeof recentResponse>;

/** GET /accounts/{id}/balance-series: the balance over time as steps, oldest first. */
export const balanceSeriesQuery = /* @__PURE__ */ z.strictObject({ days: pageLimit(90, 730) });

export const balanceSeriesResponse = z.object({
  points: z.array(
    z.object({
      /** The end of the store's day; the last point is now. */
      at: z.string(),
      balance: z.number(),
      inTransit: z.number(),
    }),
  ),
});
export type BalanceSeriesResponse = z.infer<typeof balanceSeriesResponse>;
