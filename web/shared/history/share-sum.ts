// How a sale's price became its consignor's share, as lines that add up to it.
import type { OwnSaleView } from "#features/sales/contract.ts";
import { toCents } from "#ledger/money.ts";
import type { SumLine } from "#web/ui/sum-lines.tsx";
import { currentSplit } from "#web/shared/sale/sale-terms.ts";

/**
 * From the price to the consignor's share after refunds; the lines add up to the total. The store's share or loss is the one
 * before refunds, like the price. `isOwn` if the consignor reads it.
 */
export function shareSum(
  sale: OwnSaleView,
  isOwn: boolean,
): { lines: readonly SumLine[]; total: SumLine } {
  const payout = toCents(sale.payoutAmount);
  const refunded = toCents(sale.refundedPayout);
  const { priceCents, shippingCents, storeCents, percentage, isPayoutTyped } = currentSplit(sale);
  const store: SumLine =
    storeCents < 0
      ? { label: "Borne by the store", cents: -storeCents }
      : {
          label: "Store's share",
          cents: -storeCents,
          ...(isPayoutTyped ? {} : { hint: `${100 - percentage}%` }),
        };
  const lines: readonly SumLine[] = [
    { label: "Sale price", cents: priceCents },
    { label: "Shipping", cents: -shippingCents },
    store,
    { label: "Refunds", cents: -refunded },
  ];
  return {
    lines: lines.filter(({ cents, label }) => cents !== 0 || label === "Sale price"),
    total: {
      label: `${isOwn ? "Your share" : "Consignor share"}${refunded === 0 ? "" : ", including refunds"}`,
      cents: payout - refunded,
    },
  };
}
