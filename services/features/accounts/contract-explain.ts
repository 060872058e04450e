// What the calls that explain a number take and give: what it consists of, at one position of the ledger.
import * as z from "zod/mini";
import { lineKind } from "#features/accounts/contract.ts";
import { moment, pageLimit, periodEnd, uid } from "#ledger/fields.ts";

/**
 * A number about one person. `available`, `pendingPayouts`, `heldForTrades` and `totalPaid` are dollars; `sales` counts
 * recorded sales. The other numbers on screen are lengths of lists: items, people, orders, shipments. Each links to
 * its filtered list.
 */
export const explainedNumber = z.enum([
  "available",
  "pendingPayouts",
  "heldForTrades",
  "totalPaid",
  "sales",
]);
export type ExplainedNumber = z.infer<typeof explainedNumber>;

export const explainParams = z.strictObject({ uid });

const cursor = z.optional(
  z.string().check(z.regex(/^[1-9][0-9]{0,14}$/u, "This cursor is unknown")),
);

/** GET /audit/explain/{uid}: for the person and for admins. */
export const explainQuery = z.strictObject({
  number: explainedNumber,
  /** As of this time or position, by what was recorded. By default now. */
  at: z.optional(moment),
  /**
   * The period: lines booked at or after `from` and before `to`, or on days of the store, of which `to` is included.
   * Months of the ledger go by the same time.
   */
  from: z.optional(periodEnd),
  to: z.optional(periodEnd),
  /** Only the lines of this kind. Groups and sums are of all kinds. */
  kind: z.optional(lineKind),
  /** `nextCursor` of the page before. */
  cursor,
  limit: pageLimit(50, 200),
});
export type ExplainQuery = z.output<typeof explainQuery>;

export const explainedLine = z.object({
  position: z.int(),
  type: z.string(),
  kind: lineKind,
  chip: z.object({
    label: z.string(),
    tone: z.enum(["credit", "debit", "correction", "pending", "done", "neutral"]),
  }),
  /** "2 × Desk lamp sold" */
  description: z.string(),
  /** What the line is about, to link to; null if there is no such thing. */
  saleID: z.nullable(z.string()),
  payoutID: z.nullable(z.string()),
  tradeID: z.nullable(z.string()),
  /** What it adds to the number, in the number's unit; negative if it takes away. */
  amount: z.number(),
  /** The line in the person's ledger; null if it is not one of the person's lines. */
  line: z.nullable(z.int()),
  happenedAt: z.string(),
  recordedAt: z.string(),
});
export type ExplainedLine = z.infer<typeof explainedLine>;

/** The part of a number that one kind of line makes. */
const group = z.object({ kind: lineKind, lines: z.int(), amount: z.number() });

/** opening + the groups' amounts = `summed`, which must be `closing`. */
export const explainResponse = z.object({
  number: explainedNumber,
  unit: z.enum(["dollars", "count"]),
  consignorID: z.string(),
  /** Everything here is as of this position of the ledger. */
  position: z.int(),
  /** The number before the period; 0 without `from`. */
  opening: z.number(),
  groups: z.array(group),
  /** The number as screens show it: from the balances, the ledger's running balance, or the list's totals. */
  closing: z.number(),
  /** The opening and all lines, summed one by one. */
  summed: z.number(),
  /** Whether both are the same. If not, something is wrong with the read tables: show both. */
  isBalanced: z.boolean(),
  /** How many lines of all kinds there are in the period. */
  lineCount: z.int(),
  /** Newest first. */
  lines: z.array(explainedLine),
  nextCursor: z.nullable(z.string()),
});
export type ExplainResponse = z.infer<typeof explainResponse>;
