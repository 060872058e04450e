// The tax report: each month's sales by how they are taxed, its collected and refunded tax, and what was remitted for it. Pure.
import { toDollars } from "#ledger/money.ts";
import type { TaxMonth } from "#features/months/contract-tax.ts";
import type { Remittance } from "#features/months/streams.ts";
import { remittedFor } from "#features/months/streams.ts";
import type { MonthTotals } from "#features/reports/contract-month.ts";
import { otherUntaxedOf } from "#features/reports/contract-month.ts";

/** Corrections of the tax stand with what was collected. */
export function taxMonthOf(
  month: string,
  totals: Pick<MonthTotals, "own" | "consigned" | "tax">,
  remittances: readonly Remittance[],
): TaxMonth {
  const { tax } = totals;
  const collected = tax.collectedCents + tax.correctedCents;
  const remitted = remittedFor(remittances, { from: month, to: month });
  return {
    month,
    taxable: toDollars(tax.taxedCents),
    exempt: toDollars(tax.exemptCents),
    untaxedOnline: toDollars(tax.untaxedCents),
    otherUntaxed: toDollars(otherUntaxedOf(totals)),
    collected: toDollars(collected),
    refunded: toDollars(tax.refundedCents),
    remitted: toDollars(remitted),
    owed: toDollars(collected - tax.refundedCents - remitted),
  };
}
