// What the calls take and give that show an account as it was: by what was recorded then, or by what had happened.
import * as z from "zod/mini";
import { ledgerLine } from "#features/accounts/contract.ts";
import { moment, pageLimit, uid } from "#ledger/fields.ts";

/**
 * `recorded`: what the ledger said then. `effective`: what had happened by then, as far as it is known now: late
 * entries count from when they happened, corrections from when the corrected sale was made. Screens label an effective
 * view, and nothing signs it.
 */
export const viewBy = z.enum(["recorded", "effective"]);
export type ViewBy = z.infer<typeof viewBy>;

export const asOfParams = z.strictObject({ uid });

/** What every view of the past says about itself. */
const asOf = {
  by: viewBy,
  /** `recorded`: the last position that counts. `effective`: the last position that is known. */
  position: z.int(),
  /** The time that was asked for; for a position, when it was recorded. Null while the ledger is empty. */
  at: z.nullable(z.string()),
};

/** GET /audit/balance/{uid}: for the person and for admins. */
export const balanceAsOfQuery = z.strictObject({
  /** A time or a position. For `effective`, a position stands for the time at which it was recorded. */
  at: moment,
  by: z._default(viewBy, "recorded"),
});

export const balanceAsOfResponse = z.object({
  consignorID: z.string(),
  ...asOf,
  balance: z.number(),
  inTransit: z.number(),
  /** How many lines count. */
  lines: z.int(),
});
export type BalanceAsOfResponse = z.infer<typeof balanceAsOfResponse>;

/** GET /audit/history/{uid}: for the person and for admins. Newest first, in the order of `by`. */
export const historyAsOfQuery = z.strictObject({
  at: moment,
  by: z._default(viewBy, "recorded"),
  /** `nextCursor` of the page before. */
  cursor: z.optional(
    z.string().check(z.regex(/^[0-9]{1,17}-[1-9][0-9]{0,14}$/u, "This cursor is unknown")),
  ),
  limit: pageLimit(50, 200),
});

export const historyAsOfResponse = z.object({
  consignorID: z.string(),
  ...asOf,
  balance: z.number(),
  inTransit: z.number(),
  /** How many lines there are in all. */
  lineCount: z.int(),
  /** `balanceAfter` and `inTransitAfter` run in the order of `by`. `effectiveAt` is the time that `effective` goes by. */
  lines: z.array(z.extend(ledgerLine, { effectiveAt: z.string() })),
  nextCursor: z.nullable(z.string()),
});
export type HistoryAsOfResponse = z.infer<typeof historyAsOfResponse>;

/** GET /audit/compare/{uid}: what we knew then, and what we know differently now. */
export const compareQuery = z.strictObject({
  at: moment,
  cursor: z.optional(z.string().check(z.regex(/^[1-9][0-9]{0,14}$/u, "This cursor is unknown"))),
  limit: pageLimit(50, 200),
});

const balances = z.object({ balance: z.number(), inTransit: z.number() });

/** recorded + the lines' amounts = `summed`, which must be `effective`. */
export const compareResponse = z.object({
  consignorID: z.string(),
  /** The time that is compared; null while the ledger is empty. */
  at: z.nullable(z.string()),
  /** The last position that was recorded by then, and the last one that is known now. */
  position: z.int(),
  knownTo: z.int(),
  recorded: balances,
  effective: balances,
  summed: balances,
  isBalanced: z.boolean(),
  lineCount: z.int(),
  /** Newest first. */
  lines: z.array(
    z.extend(ledgerLine, {
      /**
       * `late`: it was recorded afterwards and had happened before, so it adds its amounts. `early`: it was recorded
       * before and takes effect afterwards, so it takes its amounts away.
       */
      why: z.enum(["late", "early"]),
      effectiveAt: z.string(),
      /** What it changes: recorded + all differences = effective. */
      difference: z.number(),
      inTransitDifference: z.number(),
    }),
  ),
  nextCursor: z.nullable(z.string()),
});
export type CompareResponse = z.infer<typeof compareResponse>;
