// What refunds gave back and what they left, as lines that sum: from whom the buyer's money came, and who has the rest.
import type { SaleView } from "#features/sales/contract.ts";
import { toCents, type Cents } from "#ledger/money.ts";
import type { SumLine } from "#web/ui/sum-lines.tsx";

type Sum = { readonly lines: readonly SumLine[]; readonly total: SumLine };

/** From whom the buyer got the money back. */
export function givenBack(sale: SaleView, consignorName: string | undefined): Sum {
  const price = toCents(sale.refundedAmount);
  const tax = toCents(sale.refundedTax);
  const payout = toCents(sale.refundedPayout);
  return {
    lines: [
      ...(consignorName === undefined ? [] : [{ label: `From ${consignorName}`, cents: payout }]),
      ...(sale.kind === "custom" ? [] : [{ label: "From the store", cents: price - payout }]),
      ...(tax === 0 ? [] : [{ label: "Sales tax", cents: tax }]),
    ],
    total: { label: "Given back to the buyer", cents: price + tax },
  };
}

/** What the consignor has of the price, refunds taken off. */
export function shareLeft(sale: SaleView): Cents {
  return toCents(sale.payoutAmount) - toCents(sale.refundedPayout);
}

/** Who has what is left of the price. */
export function left(sale: SaleView, consignorName: string | undefined): Sum {
  const payout = shareLeft(sale);
  const shipping = toCents(sale.shippingCost);
  return {
    lines: [
      ...(consignorName === undefined ? [] : [{ label: `${consignorName} keeps`, cents: payout }]),
      ...(sale.kind === "custom"
        ? []
        : [{ label: "The store keeps", cents: toCents(sale.storeAmount) }]),
      ...(shipping === 0 ? [] : [{ label: "Shipping", cents: shipping }]),
    ],
    total: {
      label: "Left of the price",
      cents: toCents(sale.salePrice ?? 0) - toCents(sale.refundedAmount),
    },
  };
}
