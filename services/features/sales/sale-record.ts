// How a sale's payout was decided, in one line that is true even if no formula decided it.
import type { Cents } from "#ledger/money.ts";
import { formatCents, payoutOf, shareOf } from "#ledger/money.ts";
import type { SaleKind } from "#features/sales/streams.ts";

/** The terms of a sale that decide its payout. */
export type PayoutTerms = {
  readonly kind: SaleKind;
  readonly priceCents: Cents | null;
  readonly shippingCents: Cents;
  readonly consignorPercentage: number | null;
  readonly payoutCents: Cents;
};

/** "($40.00 − $5.00 shipping) × 50% = $17.50"; the payout is as it was before refunds. */
export function saleRecord(terms: PayoutTerms): string {
  const { kind, priceCents, shippingCents, consignorPercentage, payoutCents } = terms;
  if (priceCents === null) {
    return "Stock only, without a price";
  }
  if (kind === "custom") {
    return `${formatCents(priceCents)}, all of it to the consignor`;
  }
  if (consignorPercentage === null) {
    return `${formatCents(priceCents)}, all of it to the store`;
  }
  const formulaCents = payoutOf(priceCents, shippingCents, consignorPercentage);
  if (payoutCents !== formulaCents) {
    const asked = share(priceCents, shippingCents, consignorPercentage);
    return `Set to ${formatCents(payoutCents)}, where ${asked} would be ${formatCents(formulaCents)}`;
  }
  if (shippingCents > priceCents) {
    const [price, shipping] = [formatCents(priceCents), formatCents(shippingCents)];
    return `${price} − ${shipping} shipping leaves nothing to share: ${formatCents(payoutCents)}`;
  }
  return `${share(priceCents, shippingCents, consignorPercentage)} = ${formatCents(payoutCents)}`;
}

function share(priceCents: Cents, shippingCents: Cents, percentage: number): string {
  const base =
    shippingCents === 0
      ? formatCents(priceCents)
      : `(${formatCents(priceCents)} − ${formatCents(shippingCents)} shipping)`;
  const isRounded =
    100 * shareOf(priceCents - shippingCents, percentage, 100) !==
    (priceCents - shippingCents) * percentage;
  return `${base} × ${percentage}%${isRounded ? ", rounded," : ""}`;
}
