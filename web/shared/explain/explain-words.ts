// The words of an explanation: what the number is called, its kinds of lines, and the sentence that checks the sum.
import type { ExplainedLine, ExplainedNumber } from "#features/accounts/contract-explain.ts";
import type { TotalNumber } from "#features/accounts/contract-explain-store.ts";
import type { SoldNumber } from "#features/sales/contract-totals.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatMoney, formatQuantity } from "#web/lib/formats.ts";

export const numberNames: Readonly<Record<ExplainedNumber, string>> = {
  available: "Available",
  pendingPayouts: "Pending payouts",
  heldForTrades: "Held for trades",
  totalPaid: "Total paid",
  sales: "Sales",
};

export const totalNames: Readonly<Record<TotalNumber, string>> = {
  owed: "Available",
  negative: "Negative balances",
  pendingPayouts: "Pending payouts",
  pendingCashApp: "Pending by CashApp",
  pendingVenmo: "Pending by Venmo",
  heldForTrades: "Held for trades",
};

/** A total of the filtered sales. */
export const soldNames: Readonly<Record<SoldNumber, string>> = {
  sales: "Sales",
  units: "Units",
  price: "Sale prices after refunds",
  tax: "Sales tax",
  shipping: "Shipping",
  payout: "Consignors get",
  store: "Store keeps",
};

/** The same of one consignor's sales. */
export const ownSoldNames: Readonly<Record<SoldNumber, string>> = {
  ...soldNames,
  payout: "Share of these sales",
};

export const kindNames: Readonly<Record<ExplainedLine["kind"], string>> = {
  sale: "Sales",
  refund: "Refunds",
  correction: "Corrections",
  payout: "Payouts",
  trade: "Trades",
  adjustment: "Adjustments",
  other: "Other entries",
};

export type Unit = "dollars" | "count";

/** An amount of the explained number: dollars, or a plain count. */
export function amountText(amount: number, unit: Unit, signed = false): string {
  if (unit === "dollars") {
    return formatMoney(toCents(amount), signed);
  }
  return signed && amount > 0 ? `+${formatCount(amount)}` : formatCount(amount);
}

/** "These 12 entries sum to $253.29." */
export function sumSentence(count: number, sum: string): string {
  if (count === 0) {
    return `There are no entries: ${sum}.`;
  }
  return count === 1
    ? `This entry is ${sum}.`
    : `These ${formatQuantity(count, "entry", "entries")} sum to ${sum}.`;
}
