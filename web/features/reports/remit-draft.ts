// The form that records a remittance: which month it starts with, and when an amount is above what its month owes. Pure.
import type { TaxMonth } from "#features/months/contract-tax.ts";
import { toCents, type Cents } from "#ledger/money.ts";

/** The months of several reports once each, the newest first. */
export function monthsOf(reports: readonly (readonly TaxMonth[])[]): readonly TaxMonth[] {
  const byMonth = new Map(reports.flat().map((one) => [one.month, one]));
  return [...byMonth.values()].toSorted((one, other) => (one.month < other.month ? 1 : -1));
}

/** The oldest month that is over and still owes something, or else the newest month. */
export function monthToRemit(
  months: readonly TaxMonth[],
  present: string | undefined,
): string | undefined {
  const unpaid = months.findLast(({ month, owed }) => month !== present && owed > 0);
  return (unpaid ?? months[0])?.month;
}

/** "Paid on" as it is sent: the day itself, because it is the store's and not this browser's. */
export function paidOn(day: string): { readonly remittedAt?: string } {
  return day === "" ? {} : { remittedAt: day };
}

/** What is still owed for a month; at least 0. */
export function owedFor(months: readonly TaxMonth[], month: string): Cents {
  const found = months.find((one) => one.month === month);
  return Math.max(0, toCents(found?.owed ?? 0));
}
