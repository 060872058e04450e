// How a sale's money is split: price − shipping, then the consignor's share and the store's. The forms show it while typing.
import { payoutOf, type Cents } from "#ledger/money.ts";
import { parseWhole } from "#web/lib/amount.ts";

export type SaleSplit = {
  readonly priceCents: Cents;
  readonly shippingCents: Cents;
  /** Price minus shipping; negative if shipping cost more than the sale price. */
  readonly restCents: Cents;
  readonly percentage: number;
  readonly consignorCents: Cents;
  /** Negative if the store covers a loss. */
  readonly storeCents: Cents;
  /** True if the payout was typed and differs from the formula. */
  readonly isPayoutTyped: boolean;
};

/** A whole percentage from 0 to 100. Text that is not a number counts as the usual share. */
export function percentageOf(text: string, usual: number): number | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || Number.isNaN(Number(trimmed))) {
    return usual;
  }
  const value = parseWhole(trimmed);
  return value !== undefined && value <= 100 ? value : undefined;
}

/** `typedPayoutCents` replaces the formula, as it does in the ledger. */
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
