// The totals of a month in which nothing happened, for tests that close months and compare no totals.
import type { MonthTotals } from "#features/reports/contract-month.ts";

const gross = { soldCents: 0, refundedCents: 0, correctedCents: 0, storeCents: 0 };
const owed = { availableCents: 0, pendingCents: 0, heldCents: 0 };

export const noTotals: MonthTotals = {
  sales: 0,
  own: gross,
  consigned: gross,
  consignorCents: 0,
  shippingCents: 0,
  tax: {
    collectedCents: 0,
    refundedCents: 0,
    correctedCents: 0,
    taxedCents: 0,
    exemptCents: 0,
    untaxedCents: 0,
    remittedCents: 0,
  },
  commissionCents: 0,
  tradeFeeCents: 0,
  tradedCents: 0,
  paidCents: 0,
  returnedCents: 0,
  adjustedCents: 0,
  takenOverCents: 0,
  shrinkage: [],
  opening: owed,
  closing: owed,
};
