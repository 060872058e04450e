// What the calls take and give that follow money: from a payout to the sales that funded it, and back. First in, first out.
import * as z from "zod/mini";
import { lineKind } from "#features/accounts/contract.ts";
import { pageLimit, uid, uuid } from "#ledger/fields.ts";

export const fundedPayoutParams = z.strictObject({ payoutID: uuid });
export const fundedLineParams = z.strictObject({
  uid,
  line: z.pipe(
    z.string().check(z.regex(/^[1-9][0-9]{0,14}$/u, "A line is a whole number")),
    z.transform(Number),
  ),
});
export const paidSaleParams = z.strictObject({ saleID: uuid });

/** GET /audit/payouts/{payoutID}/funding, and GET /audit/funding/{uid}/{line} for any line that takes money. */
export const fundingQuery = z.strictObject({
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^[1-9][0-9]{0,14}$/u, "This cursor is unknown"))),
  limit: pageLimit(100, 500),
});

/** A line of the person's ledger at one end of a flow of money. */
const flowLine = {
  line: z.int(),
  position: z.int(),
  type: z.string(),
  kind: lineKind,
  /** "2 × Desk lamp sold" */
  description: z.string(),
  happenedAt: z.string(),
  recordedAt: z.string(),
  /** What the line itself added or took, as a positive number. */
  lineAmount: z.number(),
};

/**
 * Money that came in and paid for the line. Open it further by what it is:
 * `sale`: GET /sales/{saleID}, its item's origin by GET /audit/items/{itemID}/origin.
 * `trade`: what a seller was paid for, with the seller's items.
 * `returned`: a deleted or returned payout, or a cancelled trade, gave it back: its funding is that of `payoutID`
 * (GET /audit/payouts/{payoutID}/funding) or of the lines in `returnedFrom` (GET /audit/funding/{uid}/{line}).
 * `other`: a balance set by hand, an opening balance: it came from nowhere else.
 */
const fundingSource = z.object({
  ...flowLine,
  origin: z.enum(["sale", "trade", "returned", "other"]),
  saleID: z.nullable(z.string()),
  payoutID: z.nullable(z.string()),
  tradeID: z.nullable(z.string()),
  itemIDs: z.array(z.string()),
  /** The person's earlier lines that took the money which this one gave back. */
  returnedFrom: z.array(z.int()),
  /** The part of it that paid for the line. */
  amount: z.number(),
});
export type FundingSource = z.infer<typeof fundingSource>;

export const fundingResponse = z.object({
  consignorID: z.string(),
  /** The line that took the money: the payout's request, a trade's hold, a refund of money that was gone already. */
  line: z.object(flowLine),
  /** Null if the line is not a payout. */
  payoutID: z.nullable(z.string()),
  /** `deleted`, `returned`: the money went back; a later line has it again. Null if the line is not a payout. */
  payoutStatus: z.nullable(z.enum(["pending", "paid", "deleted", "returned"])),
  /** Whether it was the consignor who deleted the payout. */
  payoutWithdrawn: z.boolean(),
  /** The transfer's number; null if nobody entered it, or if the line is not a payout. */
  payoutReference: z.nullable(z.string()),
  /** What a refund or a correction took from what its own sale still had: no other sale paid for that. */
  ownSale: z.number(),
  /** What is still owed: later income will cover it. 0 for a payout. */
  uncovered: z.number(),
  /** ownSale + the sources + uncovered. */
  summed: z.number(),
  isBalanced: z.boolean(),
  sourceCount: z.int(),
  /** Oldest first. */
  sources: z.array(fundingSource),
  nextCursor: z.nullable(z.string()),
});
export type FundingResponse = z.infer<typeof fundingResponse>;

/** GET /audit/sales/{saleID}/paid-by: where a sale's money went. For its consignor and for admins. */
export const paidByResponse = z.object({
  saleID: z.string(),
  /** Null for a sale of the store's own item: it pays nobody. */
  consignorID: z.nullable(z.string()),
  itemID: z.nullable(z.string()),
  /** What the sale and its corrections added to the balance. */
  credited: z.number(),
  /** What its refunds and corrections took from what it still had. */
  reduced: z.number(),
  /** What it paid for, oldest first. */
  uses: z.array(
    z.object({
      ...flowLine,
      use: z.enum(["payout", "trade", "other"]),
      payoutID: z.nullable(z.string()),
      tradeID: z.nullable(z.string()),
      payoutStatus: z.nullable(z.enum(["pending", "paid", "deleted", "returned"])),
      amount: z.number(),
    }),
  ),
  /** What of it is still available. */
  remaining: z.number(),
  /** reduced + the uses + remaining, which must be `credited`. */
  summed: z.number(),
  isBalanced: z.boolean(),
});
export type PaidByResponse = z.infer<typeof paidByResponse>;
