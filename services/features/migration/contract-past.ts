// What the calls give about a person's past sales and payouts in the old app. They are beside this app's own: no report, till or stock counts them.
import * as z from "zod/mini";
import { pageLimit, uid } from "#ledger/fields.ts";

export const pastParams = z.strictObject({ id: uid });

/** GET /sales/old-app/{id}: what was taken over from the old app, the last first. */
export const pastQuery = z.strictObject({
  kind: z.enum(["sales", "payouts"]),
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/u, "This cursor is unknown"))),
  limit: pageLimit(50, 200),
});
export type PastKind = z.output<typeof pastQuery>["kind"];

const entry = {
  /** Its position in the log. */
  position: z.int(),
  /** ISO 8601; when it was taken over, if the old app had no date. */
  date: z.string(),
} as const;

export const pastSale = z.object({
  ...entry,
  kind: z.literal("sale"),
  itemName: z.string(),
  soldQuantity: z.int(),
  salePrice: z.number(),
  shippingCost: z.number(),
  payoutAmount: z.number(),
});
export type PastSale = z.infer<typeof pastSale>;

export const pastPayout = z.object({
  ...entry,
  kind: z.literal("payout"),
  amount: z.number(),
  method: z.enum(["cashapp", "venmo"]),
});
export type PastPayout = z.infer<typeof pastPayout>;

export const pastResponse = z.object({
  entries: z.array(z.discriminatedUnion("kind", [pastSale, pastPayout])),
  nextCursor: z.nullable(z.string()),
});
export type PastResponse = z.infer<typeof pastResponse>;
