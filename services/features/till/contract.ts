// The requests and responses of the calls about the till's days. Money is in dollars here, and in cents from the routes on.
import * as z from "zod/mini";
import { dollarsFrom, pageLimit, queuedText, signedDollars } from "#ledger/fields.ts";
import type { Cents } from "#ledger/money.ts";

/** What these calls refuse, by code. */
export const tillRefusals = {
  /** `current.version` is the one that counts now. */
  day_counted: { status: 409, message: "Somebody else counted this day while you were counting" },
  payments_changed: {
    status: 409,
    message: "A sale or refund was recorded while you were counting. Check the expected amount",
  },
  /** A count that differs from what is expected needs a note. */
  note_required: { status: 409, message: "Say in the note why the count differs" },
  /** The message names what was counted. */
  more_left_than_counted: { status: 409 },
} as const;

export type DrawerMoves = {
  readonly openingCents: Cents;
  readonly cashSoldCents: Cents;
  readonly cashRefundedCents: Cents;
  readonly paidInCents: Cents;
  readonly paidOutCents: Cents;
};

/** What should be in the drawer. The screen shows it before the day is closed. */
export function expectedInDrawer(moves: DrawerMoves): Cents {
  const { openingCents, cashSoldCents, cashRefundedCents, paidInCents, paidOutCents } = moves;
  return openingCents + cashSoldCents - cashRefundedCents + paidInCents - paidOutCents;
}

const DAY = "A day looks like 2026-11-22";
const day = z.string(DAY).check(
  z.regex(/^20\d\d-\d\d-\d\d$/u, { error: DAY, abort: true }),
  z.refine(
    (text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text),
    "There is no such day",
  ),
);
const cash = (what: string) => dollarsFrom(0, `${what} is at least 0`);

/** GET /till/day, admins only: one day, by default the store's today. */
export const tillDayQuery = z.strictObject({ day: z.optional(day) });

/** POST /till/days, admins only. */
export const closeTillDayRequest = z.strictObject({
  /** Not after the store's today. */
  day,
  openingAmount: cash("The opening amount"),
  /** Put into the drawer and taken out of it other than by sales and refunds. */
  paidInAmount: z._default(cash("Cash put in"), 0),
  paidOutAmount: z._default(cash("Cash taken out"), 0),
  countedAmount: cash("The counted amount"),
  /** What stays in the drawer for the next day; by default all that was counted. */
  leftAmount: z.optional(cash("What stays in the drawer")),
  /** Required where the count differs from what is expected: 409 `note_required`. */
  note: z.optional(queuedText(0, 500, "A note is text")),
  /** What the form showed: 409 `payments_changed` if it is another amount by now. */
  expectedAmount: z.optional(signedDollars),
  /** The `version` that the form was loaded with: 409 `day_counted` if it is another by now. */
  expectedVersion: z.optional(z.int().check(z.nonnegative())),
});
export type CloseTillDayRequest = z.input<typeof closeTillDayRequest>;

export const closeTillDayResponse = z.object({
  message: z.string(),
  version: z.int(),
  expectedAmount: z.number(),
  /** Counted − expected: negative if cash is missing. */
  differenceAmount: z.number(),
});
export type CloseTillDayResponse = z.infer<typeof closeTillDayResponse>;

const payment = z.object({
  /** Null for the till's sales and refunds of which nobody said how they were paid. */
  tender: z.nullable(z.enum(["cash", "card", "other"])),
  /** With tax. */
  soldAmount: z.number(),
  refundedAmount: z.number(),
});
export type TillPaymentView = z.infer<typeof payment>;

/** One count of the drawer. */
const tillClosing = z.object({
  position: z.int(),
  day: z.string(),
  payments: z.array(payment),
  openingAmount: z.number(),
  paidInAmount: z.number(),
  paidOutAmount: z.number(),
  expectedAmount: z.number(),
  countedAmount: z.number(),
  differenceAmount: z.number(),
  leftAmount: z.number(),
  note: z.nullable(z.string()),
  closedAt: z.string(),
  closedBy: z.object({ uid: z.string(), displayName: z.string() }),
  /** True if the day was counted again later. */
  isReplaced: z.boolean(),
  /**
   * Set if the counted day before was counted again after this count, and now leaves something else than this day
   * began with. The count stays as it is until somebody counts again.
   */
  newOpening: z.nullable(z.object({ day: z.string(), amount: z.number() })),
  /**
   * By how much sales, refunds and corrections recorded after the count changed the day's payments, by tender. Without
   * those that are as they were; empty for a count that was replaced.
   */
  since: z.array(z.object({ tender: payment.shape.tender, amount: z.number() })),
});
export type TillClosing = z.infer<typeof tillClosing>;

/** The events that `corrections` of a day counts: what the audit log is filtered by to show them. */
export const correctionTypes = [
  "SaleCorrected",
  "SaleTenderCorrected",
  "RefundTenderCorrected",
] as const;

export const tillDayResponse = z.object({
  day: z.string(),
  /** When the day begins and ends, ISO 8601: midnight of the store's time zone, where no counted day fixed it. */
  from: z.string(),
  to: z.string(),
  today: z.string(),
  /** Pass it back as `expectedVersion`. */
  version: z.int(),
  /** As the ledger has them now: cash, card and other always, what nobody said only where there is some. */
  payments: z.array(payment),
  /** The day's other sales and refunds, with tax: those of no till, of which nobody said how they were paid. */
  elsewhere: z.object({
    sales: z.int(),
    soldAmount: z.number(),
    refundedAmount: z.number(),
  }),
  /** How many corrections of sales and refunds, whenever they were made, were recorded on the day. */
  corrections: z.int(),
  /** What the last counted day before left in the drawer; null if none was counted. */
  leftBefore: z.nullable(z.number()),
  /** The count of this day that counts; null while there is none. */
  closing: z.nullable(tillClosing),
});
export type TillDayResponse = z.infer<typeof tillDayResponse>;

/** Refunds by how the money went back. In `unsaid` (sold at a till) and `elsewhere` nobody said how. */
export const refundsBy = z.enum(["cash", "card", "other", "unsaid", "elsewhere"]);
export type RefundsBy = z.infer<typeof refundsBy>;

/**
 * GET /till/refunds, admins only: the refunds of a day that a number of GET /till/day sums, the newest first. Without
 * `by`, those of all its payments.
 */
export const tillRefundsQuery = z.strictObject({
  day,
  by: z.optional(refundsBy),
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/u, "This cursor is unknown"))),
  limit: pageLimit(50, 200),
});

const tillRefund = z.object({
  position: z.int(),
  saleID: z.string(),
  itemName: z.string(),
  /** 0 if only a part of the price went back. */
  units: z.int(),
  /** With tax. */
  amount: z.number(),
  tender: payment.shape.tender,
  refundedAt: z.string(),
  soldAt: z.string(),
});
export type TillRefund = z.infer<typeof tillRefund>;

export const tillRefundsResponse = z.object({
  refunds: z.array(tillRefund),
  /** Over all of the day's that match, regardless of the page: GET /till/day has the same amount. */
  total: z.object({ count: z.int(), amount: z.number() }),
  nextCursor: z.nullable(z.string()),
});
export type TillRefundsResponse = z.infer<typeof tillRefundsResponse>;

/** GET /till/changes, admins only: what was recorded about a counted day after its count, the last first. */
export const tillChangesQuery = z.strictObject({ day });

const tillChange = z.object({
  position: z.int(),
  what: z.enum(["sold", "corrected", "refunded", "payment-corrected", "refund-payment-corrected"]),
  saleID: z.string(),
  itemName: z.string(),
  /** What it adds to the day's payments, with tax, by tender: all parts of a day sum to `since` of its count. */
  parts: z.array(z.object({ tender: payment.shape.tender, amount: z.number() })),
  /** Who recorded it; null where it was no person. */
  by: z.nullable(z.string()),
  recordedAt: z.string(),
});
export type TillChange = z.infer<typeof tillChange>;

export const tillChangesResponse = z.object({
  changes: z.array(tillChange),
  /** True if more sales changed than these, which changed last. */
  hasMore: z.boolean(),
});
export type TillChangesResponse = z.infer<typeof tillChangesResponse>;

/** GET /till/days, admins only: every count, the newest day first. */
export const tillDaysQuery = z.strictObject({
  /** Days before this one. */
  before: z.optional(day),
  limit: pageLimit(30, 200),
});
export const tillDaysResponse = z.object({
  closings: z.array(tillClosing),
  /** Pass it as `before`; null at the end. */
  nextBefore: z.nullable(z.string()),
});
export type TillDaysResponse = z.infer<typeof tillDaysResponse>;
