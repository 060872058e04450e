// What the calls that explain the store's own numbers take and give; for admins.
import * as z from "zod/mini";
import { day } from "#features/accounts/contract.ts";
import { explainedNumber } from "#features/accounts/contract-explain.ts";
import { pageLimit, placeCursor } from "#ledger/fields.ts";

/**
 * A number over all people, in dollars. `owed` and `negative` sum the balances above and below zero, `pendingPayouts`,
 * `pendingCashApp` and `pendingVenmo` the requests that are not paid yet, `heldForTrades` what open trades hold.
 */
export const totalNumber = z.enum([
  "owed",
  "negative",
  "pendingPayouts",
  "pendingCashApp",
  "pendingVenmo",
  "heldForTrades",
]);
export type TotalNumber = z.infer<typeof totalNumber>;

/** GET /audit/explain-total, admins only. */
export const explainTotalQuery = z.strictObject({
  number: totalNumber,
  cursor: placeCursor,
  limit: pageLimit(50, 200),
});

export const explainTotalResponse = z.object({
  number: totalNumber,
  position: z.int(),
  /** The number as screens show it. */
  closing: z.number(),
  /** Every line's amount, summed: by person, from another read table than `closing` where there is one. */
  summed: z.number(),
  isBalanced: z.boolean(),
  lineCount: z.int(),
  /** The largest amount first. Each person's number is explained by GET /audit/explain/{uid}. */
  lines: z.array(
    z.object({
      consignorID: z.string(),
      displayName: z.string(),
      /** Which number of the person explains it further. */
      number: explainedNumber,
      amount: z.number(),
    }),
  ),
  nextCursor: z.nullable(z.string()),
});
export type ExplainTotalResponse = z.infer<typeof explainTotalResponse>;

/** The accounts of the store and of the world outside. */
export const storeAccount = z.enum([
  "store:revenue",
  "store:shipping",
  "store:sales-tax",
  "store:trade-commission",
  "store:adjustments",
  "world:customers",
  "world:cashapp",
  "world:venmo",
  "world:tax-authority",
  "world:opening-balances",
]);
export type StoreAccount = z.infer<typeof storeAccount>;

/** GET /audit/explain-account, admins only: an account by days of the store. */
export const explainAccountQuery = z.strictObject({
  account: storeAccount,
  /** Days in the store's time zone, both inclusive, at most 400. By default the last 31 until `to`, and today. */
  from: z.optional(day),
  to: z.optional(day),
});

export const explainAccountResponse = z.object({
  account: storeAccount,
  position: z.int(),
  /** The days that were used, and the store's time zone. */
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  /** Dollars, summed from the postings. An account of the world is negative by what it has given. */
  opening: z.number(),
  /** Days with entries, newest first, by the time of recording. */
  days: z.array(
    z.object({
      day: z.string(),
      /** Its bounds in the store's time zone. The first is part of it, the last is not. */
      starts: z.string(),
      ends: z.string(),
      /** What the day changed, and the balance after it. */
      amount: z.number(),
      closing: z.number(),
      /** By type of event: "SaleRecorded" and what people call it. */
      groups: z.array(
        z.object({
          type: z.string(),
          label: z.string(),
          events: z.int(),
          in: z.number(),
          out: z.number(),
        }),
      ),
    }),
  ),
  /** What the balances say, at the end of the period. */
  closing: z.number(),
  /** The opening and all days. */
  summed: z.number(),
  isBalanced: z.boolean(),
});
export type ExplainAccountResponse = z.infer<typeof explainAccountResponse>;
