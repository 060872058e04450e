// How a sale's money falls: price − shipping, then the consignor's share and the store's. The forms show it while it is typed.
import { payoutOf, type Cents } from "#ledger/money.ts";
import { parseWhole } from "#web/lib/amount.ts";

export type SaleSplit = {
  readonly priceCents: Cents;
  readonly shippingCents: Cents;
  /** Price less shipping; below zero where shipping cost more than the sale brought. */
  readonly restCents: Cents;
  readonly percentage: number;
  readonly consignorCents: Cents;
  /** Below zero where the store bears a loss. */
  readonly storeCents: Cents;
  /** True where the payout was typed and is not what the formula gives. */
  readonly isPayoutTyped: boolean;
};

/** A whole percentage of 0 to 100; text that is no number counts as the usual share, as the forms promise. */
export function percentageOf(text: string, usual: number): number | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || Number.isNaN(Number(trimmed))) {
    return usual;
  }
  const value = parseWhole(trimmed);
  return value !== undefined && value <= 100 ? value : undefined;
}

/** `typedPayoutCents` wins over the formula, as it does in the ledger. */
export function splitOf(
  priceCents: Cents,
  shippingCents: Cents,
  percentage: number,
  typedPayoutCents?: Cents,
): SaleSplit {
  const formula = payoutOf(priceCents, shippingCents, percentage);
  const consignorCents = typedPayoutCents ?? formula;
  return {
    priceCents,
    shippingCents,
    restCents: priceCents - shippingCents,
    percentage,
    consignorCents,
    storeCents: priceCents - shippingCents - consignorCents,
    isPayoutTyped: consignorCents !== formula,
  };
}
