// From totals in cents to the figures that a report shows. Pure.
import type { ReportFigures, ReportNumber } from "#features/reports/contract.ts";
import type { MonthTotals, OwedCents } from "#features/reports/contract-month.ts";
import { otherUntaxedOf } from "#features/reports/contract-month.ts";
import { toDollars } from "#ledger/money.ts";

const sumOf = ({ availableCents, pendingCents, heldCents }: OwedCents): number =>
  availableCents + pendingCents + heldCents;

/** Sales that were recorded without a price, and how many of them still have none. */
export type Unpriced = { readonly recorded: number; readonly left: number };

export const NONE_UNPRICED: Unpriced = { recorded: 0, left: 0 };

function lossesOf(shrinkage: MonthTotals["shrinkage"]) {
  const sum = (of: (one: MonthTotals["shrinkage"][number]) => number) =>
    shrinkage.reduce((total, one) => total + of(one), 0);
  return {
    unitsLost: sum(({ units }) => units),
    lostValue: toDollars(sum(({ valueCents = 0 }) => valueCents)),
    lostWithoutPrice: sum(({ unvaluedUnits = 0 }) => unvaluedUnits),
    shrinkage: shrinkage.map(({ reason, units, valueCents = 0, unvaluedUnits = 0 }) => ({
      reason,
      units,
      value: toDollars(valueCents),
      withoutPrice: unvaluedUnits,
    })),
  };
}

export function figuresOf(totals: MonthTotals, unpriced: Unpriced): ReportFigures {
  const { own, consigned, tax, opening, closing, shrinkage } = totals;
  return {
    sales: totals.sales + unpriced.recorded,
    unpricedSales: unpriced.left,
    sold: toDollars(own.soldCents + consigned.soldCents),
    kept: toDollars(own.storeCents + consigned.storeCents),
    ownSold: toDollars(own.soldCents),
    consignedSold: toDollars(consigned.soldCents),
    refunds: toDollars(0 - own.refundedCents - consigned.refundedCents),
    corrections: toDollars(own.correctedCents + consigned.correctedCents),
    ownShare: toDollars(own.storeCents),
    storeShare: toDollars(consigned.storeCents),
    consignorShare: toDollars(totals.consignorCents),
    shipping: toDollars(totals.shippingCents),
    payouts: toDollars(totals.paidCents - totals.returnedCents),
    payoutsPaid: toDollars(totals.paidCents),
    payoutsReturned: toDollars(totals.returnedCents),
    commission: toDollars(totals.commissionCents),
    tradeFees: toDollars(totals.tradeFeeCents),
    traded: toDollars(totals.tradedCents),
    adjustments: toDollars(totals.adjustedCents),
    takenOver: toDollars(totals.takenOverCents),
    taxable: toDollars(tax.taxedCents),
    exempt: toDollars(tax.exemptCents),
    untaxedOnline: toDollars(tax.untaxedCents),
    otherUntaxed: toDollars(otherUntaxedOf(totals)),
    taxCollected: toDollars(tax.collectedCents + tax.correctedCents),
    taxRefunded: toDollars(tax.refundedCents),
    owedBefore: toDollars(sumOf(opening)),
    owed: toDollars(sumOf(closing)),
    owedAvailable: toDollars(closing.availableCents),
    owedPending: toDollars(closing.pendingCents),
    owedHeld: toDollars(closing.heldCents),
    ...lossesOf(shrinkage),
  };
}

/** What was owed before the period, for the numbers that are owed at its end. */
export function openingOf(number: ReportNumber, { opening }: MonthTotals): number {
  const cents: Readonly<Partial<Record<ReportNumber, number>>> = {
    owed: sumOf(opening),
    owedAvailable: opening.availableCents,
    owedPending: opening.pendingCents,
    owedHeld: opening.heldCents,
  };
  return cents[number] ?? 0;
}

/** Adds up parts that follow each other. */
export function wholeOf(parts: readonly MonthTotals[]): MonthTotals | undefined {
  return parts.reduce<MonthTotals | undefined>(
    (whole, part) => (whole === undefined ? part : added(whole, part)),
    undefined,
  );
}

function addedShrinkage(one: MonthTotals["shrinkage"], other: MonthTotals["shrinkage"]) {
  const byReason = Map.groupBy([...one, ...other], ({ reason }) => reason);
  return [...byReason].map(([reason, own]) => ({
    reason,
    units: own.reduce((sum, { units }) => sum + units, 0),
    valueCents: own.reduce((sum, { valueCents = 0 }) => sum + valueCents, 0),
    unvaluedUnits: own.reduce((sum, { unvaluedUnits = 0 }) => sum + unvaluedUnits, 0),
  }));
}

/** Numbers of one level, added by name. */
function addedNumbers<Part extends object>(one: Part, other: Part): Part {
  const sums = Object.entries(one).map(([name, value]: [string, unknown]) => {
    const added: unknown = Reflect.get(other, name);
    return [name, typeof value === "number" && typeof added === "number" ? value + added : value];
  });
  return Object.fromEntries(sums) as Part;
}

function added(one: MonthTotals, other: MonthTotals): MonthTotals {
  return {
    ...addedNumbers(one, other),
    own: addedNumbers(one.own, other.own),
    consigned: addedNumbers(one.consigned, other.consigned),
    tax: addedNumbers(one.tax, other.tax),
    shrinkage: addedShrinkage(one.shrinkage, other.shrinkage),
    opening: one.opening,
    closing: other.closing,
  };
}
