// How closed months and remitted sales tax read to admins.
import type { FeatureExplanations } from "#features/histories.ts";
import type { monthEvents } from "#features/months/events.ts";
import { monthName } from "#features/months/streams.ts";
import type { MonthTotals } from "#features/reports/contract-month.ts";
import { formatCents } from "#ledger/money.ts";

/** The lines that closing shows before it asks. */
function keptSteps({ own, consigned, shippingCents, consignorCents }: MonthTotals) {
  return [
    { label: "Own goods sold", cents: own.soldCents },
    { label: "Consigned goods sold", cents: consigned.soldCents },
    { label: "Refunds", cents: 0 - own.refundedCents - consigned.refundedCents },
    { label: "Corrections", cents: own.correctedCents + consigned.correctedCents },
    { label: "Shipping", cents: 0 - shippingCents },
    { label: "Consignors' share", cents: 0 - consignorCents },
    { label: "Store keeps", cents: own.storeCents + consigned.storeCents },
  ];
}

/** The totals that are no part of what the store keeps of sales. */
function otherTotals({ sales, tax, closing, ...totals }: MonthTotals): string[] {
  const owed = closing.availableCents + closing.pendingCents + closing.heldCents;
  const parts = (...amounts: readonly (readonly [name: string, cents: number])[]) =>
    amounts.map(([name, cents]) => `${name} ${formatCents(cents)}`).join(", ");
  return [
    `${sales.toLocaleString("en-US")} ${sales === 1 ? "sale" : "sales"} with a price`,
    parts(
      ["Sales tax: collected", tax.collectedCents + tax.correctedCents],
      ["refunded", tax.refundedCents],
    ),
    parts(["Trades: commission", totals.commissionCents], ["shipping fees", totals.tradeFeeCents]),
    parts(["Payouts: paid", totals.paidCents], ["returned", totals.returnedCents]),
    parts(["Owed to consignors at the end:", owed]),
  ];
}

const forNobody = { consignor: null, item: null, user: null } as const;

export const monthExplanations: FeatureExplanations<typeof monthEvents> = {
  MonthClosed: {
    ...forNobody,
    months: {
      kind: "closed",
      read: ({ month, totals }) => ({
        description: `${monthName(month)} closed. What is dated into it from now on is booked in the open month`,
        steps: keptSteps(totals),
        notes: otherTotals(totals),
      }),
    },
  },
  SalesTaxRemitted: {
    ...forNobody,
    remittances: {
      kind: "remitted",
      read: ({ amountCents, month, reference, noteId }) => ({
        description: `${formatCents(amountCents)} of sales tax remitted for ${monthName(month)}${reference === "" ? "" : ` (${reference})`}`,
        noteId,
      }),
    },
  },
  SalesTaxRemittanceReversed: {
    ...forNobody,
    remittances: {
      kind: "reversed",
      read: ({ amountCents, month, noteId }) => ({
        description: `Remittance of ${formatCents(amountCents)} of sales tax for ${monthName(month)} taken back: it was entered wrong`,
        noteId,
      }),
    },
  },
};
