// What refunds gave back and what remains, as lines that add up: who paid the buyer back, and who has the rest.
import type { OwnSaleView, SaleView } from "#features/sales/contract.ts";
import { toCents, type Cents } from "#ledger/money.ts";
import type { SumLine } from "#web/ui/sum-lines.tsx";

type Sum = { readonly lines: readonly SumLine[]; readonly total: SumLine };

/** Who paid the buyer back. */
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
    total: { label: "Refunded to the buyer", cents: price + tax },
  };
}

/** The consignor's share after refunds. */
export function shareLeft(sale: OwnSaleView): Cents {
  return toCents(sale.payoutAmount) - toCents(sale.refundedPayout);
}

/** The sales tax after refunds. */
export function taxLeft(sale: SaleView): Cents {
  return toCents(sale.salesTax) - toCents(sale.refundedTax);
}

/** Who has the rest of the price. */
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
      label: "Remaining",
      cents: toCents(sale.salePrice ?? 0) - toCents(sale.refundedAmount),
    },
  };
}
