// What a sale's story is made of: how it was recorded, and each correction and refund with who, when and why.
import * as z from "zod/mini";
import { pageLimit } from "#ledger/fields.ts";

/** GET /sales/{id}/story: newest first. */
export const saleStoryQuery = z.strictObject({
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^[1-9][0-9]{0,8}$/u, "This cursor is unknown"))),
  limit: pageLimit(50, 200),
});

const change = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("money"),
    label: z.string(),
    /** Dollars; null if there was no price. */
    before: z.nullable(z.number()),
    after: z.nullable(z.number()),
  }),
  z.object({ kind: z.literal("text"), label: z.string(), before: z.string(), after: z.string() }),
]);
export type StoryChange = z.infer<typeof change>;

const entry = z.object({
  /** The number of the event among the sale's: 1 is its recording. */
  version: z.int(),
  /** Of the event in the log. */
  position: z.int(),
  kind: z.enum(["recorded", "corrected", "refunded"]),
  /** "Sold 2 units", "Refunded 1 unit, back in stock" */
  title: z.string(),
  /** What the version has of each, or what a refund gave back: "Price", $40.00. Empty for a correction. */
  amounts: z.array(z.object({ label: z.string(), amount: z.number() })),
  /** What else there is to say about it, one sentence each; empty for consignors. */
  notes: z.array(z.string()),
  /** What a correction changed, in the order of the form. */
  changes: z.array(change),
  /** The given reason; null without one, or if it was erased. */
  reason: z.nullable(z.string()),
  /** Consignors read "Store" for everybody but themselves, without a uid. */
  actor: z.object({ uid: z.nullable(z.string()), name: z.string() }),
  happenedAt: z.string(),
  recordedAt: z.string(),
  /** What it changed of the consignor's available balance, and the line of their ledger; null if it is not one. */
  ledger: z.nullable(z.object({ line: z.int(), amount: z.number() })),
  /**
   * For admins, if it is a refund: its number among the sale's refunds (1 is the first), and how the money went back, as known now;
   * null if nobody said.
   */
  refund: z.nullable(
    z.object({ number: z.int(), tender: z.nullable(z.enum(["cash", "card", "other"])) }),
  ),
});
export type StoryEntry = z.infer<typeof entry>;

export const saleStoryResponse = z.object({
  saleID: z.string(),
  entries: z.array(entry),
  nextCursor: z.nullable(z.string()),
});
export type SaleStoryResponse = z.infer<typeof saleStoryResponse>;
