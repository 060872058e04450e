// Money is integer cents everywhere inside; dollars exist only in the API and on screens.

/** An integer number of cents; may be negative where a balance may be. */
export type Cents = number;

/** The largest amount one request may name: $10,000,000.00. Sums stay far inside the safe integers. */
export const MAX_AMOUNT_CENTS = 1_000_000_000;

/** True when a JSON number of dollars has at most two decimals (0.30000000000000004 has more). */
export function hasAtMostTwoDecimals(dollars: number): boolean {
  return Number.isFinite(dollars) && Math.round(dollars * 100) / 100 === dollars;
}

/** Dollars with at most two decimals to cents. Throws RangeError on anything else. */
export function toCents(dollars: number): Cents {
  if (!hasAtMostTwoDecimals(dollars)) {
    throw new RangeError(`${dollars} is not an amount with at most two decimals`);
  }
  return Math.round(dollars * 100) + 0;
}

/** Cents to the JSON number of dollars that the API's sales, payout and balance calls use. */
export function toDollars(cents: Cents): number {
  return cents / 100;
}

/**
 * `round_half_up(numerator / denominator)` in exact integers; denominator > 0. Halves are rounded up, also below
 * zero.
 */
export function divideRoundHalfUp(numerator: bigint, denominator: bigint): bigint {
  const doubled = 2n * numerator + denominator;
  const divisor = 2n * denominator;
  const quotient = doubled / divisor;
  return doubled % divisor < 0n ? quotient - 1n : quotient;
}

/** `round_half_up(amount × numerator / denominator)`, exact whatever the size of the product. */
export function shareOf(amountCents: Cents, numerator: number, denominator: number): Cents {
  return Number(divideRoundHalfUp(BigInt(amountCents) * BigInt(numerator), BigInt(denominator)));
}

/** What the consignor gets: `round_half_up((price − shipping) × percentage / 100)`, never below zero. */
export function payoutOf(priceCents: Cents, shippingCents: Cents, percentage: number): Cents {
  return Math.max(0, shareOf(priceCents - shippingCents, percentage, 100));
}

/**
 * Splits a total over weights by largest remainder, so that the parts sum to the total to the cent.
 * Ties go to the earlier part. Weights are non-negative integers; all zero weights split evenly.
 */
export function splitByLargestRemainder(totalCents: Cents, weights: readonly number[]): Cents[] {
  if (weights.length === 0) {
    return [];
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const effective = sum === 0 ? weights.map(() => 1) : weights;
  const divisor = BigInt(sum === 0 ? weights.length : sum);
  const products = effective.map((weight) => BigInt(totalCents) * BigInt(weight));
  const parts = products.map((product) => product / divisor);
  let left = BigInt(totalCents) - parts.reduce((total, part) => total + part, 0n);
  const order = products
    .map((product, index) => ({ index, remainder: product % divisor }))
    .sort((a, b) =>
      a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1,
    );
  for (const { index } of order) {
    if (left <= 0n) {
      break;
    }
    parts[index] = (parts[index] ?? 0n) + 1n;
    left -= 1n;
  }
  return parts.map(Number);
}

const dollarFormat = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** "$1,234.50" for messages; a negative amount reads "−$3.00" with a true minus. */
export function formatCents(cents: Cents): string {
  return dollarFormat.format(cents / 100).replace("-", "−");
}

/** The same for an amount of the API, in dollars. */
export function formatDollars(dollars: number): string {
  return formatCents(toCents(dollars));
}
