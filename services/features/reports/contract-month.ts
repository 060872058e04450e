// What a month of the store comes to, in cents. The reports show it, and closing a month stores it.
import * as z from "zod/mini";
import { centsFromZero, wholeCents } from "#ledger/fields.ts";

/** What the store owes consignors, by where the money is. `availableCents` is negative if they owe the store more. */
export const owedCents = z.object({
  availableCents: wholeCents,
  /** Requested payouts that are not paid yet. */
  pendingCents: wholeCents,
  /** Held for trades. */
  heldCents: wholeCents,
});
export type OwedCents = z.infer<typeof owedCents>;

/** Sale prices without tax. `refundedCents` is what went back; `correctedCents` is the difference that corrections made. */
const gross = z.object({
  soldCents: wholeCents,
  refundedCents: centsFromZero,
  correctedCents: wholeCents,
  /** What the store keeps of these prices: without shipping, consignors' shares and refunds. */
  storeCents: wholeCents,
});

/** Why units left without a sale, or came back. `counted`: a count differed from the books. `none`: nobody said. */
export const shrinkageReason = z.enum([
  "returned_to_consignor",
  "lost",
  "damaged",
  "donated",
  "miscount",
  "counted",
  "none",
]);
export type ShrinkageReason = z.infer<typeof shrinkageReason>;

export const shrinkageReasonNames: Readonly<Record<ShrinkageReason, string>> = {
  returned_to_consignor: "Returned to consignor",
  lost: "Lost",
  damaged: "Damaged",
  donated: "Donated",
  miscount: "Miscount",
  counted: "Counted",
  none: "No reason given",
};

/**
 * The totals of the lines that are booked in one month of the store, up to one position of the log. A line is booked
 * when it happened, or with the consignor's line before it if that is later, as in consignors' statements. What is the
 * store's own is booked when it happened. Neither is booked in a month that was closed.
 *
 * opening + consignors' shares + trades + taken over + adjustments − payouts + returned payouts − commission − trade fees
 * = closing.
 */
export const monthTotals = z.object({
  /** How many sales were recorded with a price, of all kinds. The reports' `sales` also count those without one. */
  sales: z.int(),
  own: gross,
  /** Consignors' goods, and custom sales, of which the store keeps nothing. */
  consigned: gross,
  /** What consignors got of sales: after refunds and corrections. */
  consignorCents: wholeCents,
  /** The shipping costs of sales. */
  shippingCents: wholeCents,
  tax: z.object({
    collectedCents: wholeCents,
    refundedCents: wholeCents,
    /** The difference that corrections made. */
    correctedCents: wholeCents,
    /** Sale prices after refunds and corrections: with tax, exempt from it, and sold online without tax. */
    taxedCents: wholeCents,
    exemptCents: wholeCents,
    untaxedCents: wholeCents,
    remittedCents: wholeCents,
  }),
  commissionCents: wholeCents,
  /** The shipping fees of fulfilled trades. */
  tradeFeeCents: wholeCents,
  /**
   * What sellers got from buyers for traded goods, with the commission, less what buyers paid: 0 for the store, which
   * only passes it on. Of one consignor it is what they sold less what they bought.
   */
  tradedCents: wholeCents,
  /** Payouts by the time they were paid, and those that came back. */
  paidCents: centsFromZero,
  returnedCents: centsFromZero,
  /** Given to consignors by hand, and for refunds of trades that the store bears; negative if taken from them. */
  adjustedCents: wholeCents,
  /** Taken over from the old app. */
  takenOverCents: wholeCents,
  /**
   * Units that left without a sale, less units that came back, with the tag prices that they had then; for units that a
   * trade held, what its buyer paid. Nobody knows what they cost. Reasons without units are left out.
   */
  shrinkage: z.array(
    z.object({
      reason: shrinkageReason,
      units: z.int(),
      /** Of those with a tag price. Closings before 2026-11-23 have neither this nor the next. */
      valueCents: z.optional(wholeCents),
      /** How many of the units had no tag price. */
      unvaluedUnits: z.optional(z.int()),
    }),
  ),
  opening: owedCents,
  closing: owedCents,
});
export type MonthTotals = z.infer<typeof monthTotals>;

/** The sales after refunds and corrections that are neither taxed nor exempt nor sold online. */
export function otherUntaxedOf({
  own,
  consigned,
  tax,
}: Pick<MonthTotals, "own" | "consigned" | "tax">): number {
  const sales = [own, consigned].reduce(
    (sum, part) => sum + part.soldCents - part.refundedCents + part.correctedCents,
    0,
  );
  return sales - tax.taxedCents - tax.exemptCents - tax.untaxedCents;
}
