// One line that says what an account of the old app contains.
import type { LegacyHoldings } from "#features/migration/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";

export function holdingsText(holdings: LegacyHoldings): string {
  const { balance, items, units, sales, paidPayouts, pendingPayouts, pendingAmount } = holdings;
  return [
    `${formatMoney(toCents(balance))} balance`,
    `${formatQuantity(items, "item")} (${formatQuantity(units, "unit")})`,
    formatQuantity(sales, "sale"),
    ...(paidPayouts === 0 ? [] : [`${formatQuantity(paidPayouts, "payout")} paid`]),
    ...(pendingPayouts === 0
      ? []
      : [
          `${formatQuantity(pendingPayouts, "payout")} pending (${formatMoney(toCents(pendingAmount))})`,
        ]),
    ...(holdings.roundings.length === 0
      ? []
      : [`${formatQuantity(holdings.roundings.length, "figure")} rounded`]),
  ].join(", ");
}
