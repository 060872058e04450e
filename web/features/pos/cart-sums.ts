// The point of sale's arithmetic: from prices with tax to tax, pre-tax amounts and each person's part of a line.
import { payoutOf, shareOf, splitByLargestRemainder, type Cents } from "#ledger/money.ts";

/** A line before the split: the price of all its units with tax, and the owner's share; null if the store owns them. */
export type LinePrice = {
  readonly grossCents: Cents;
  /** Whole percent, 0 to 100. */
  readonly consignorShare: number | null;
};

export type LineSums = {
  /** What the customer pays: pre-tax amount plus tax. */
  readonly grossCents: Cents;
  readonly preTaxCents: Cents;
  readonly taxCents: Cents;
  /** What the consignor gets; 0 for the store's own items. */
  readonly payoutCents: Cents;
};

export type SaleSums = {
  readonly lines: readonly LineSums[];
  readonly totalCents: Cents;
  readonly subtotalCents: Cents;
  readonly taxCents: Cents;
  readonly payoutCents: Cents;
};

/** `round_half_up(price / 1.0825)` for 825, which is 8.25 %. */
export function preTaxOf(grossCents: Cents, taxRateBasisPoints: number): Cents {
  return shareOf(grossCents, 10_000, 10_000 + taxRateBasisPoints);
}

/**
 * The tax within these lines, rounded once for all of them and spread by largest remainder. No line goes below one
 * cent before tax, because the ledger does not book a line for less. If every line is already at one cent, the tax
 * is limited by the room left.
 */
export function taxOfLines(
  grossCents: readonly Cents[],
  taxRateBasisPoints: number,
): readonly Cents[] {
  const total = sum(grossCents);
  const taxes = grossCents.map(() => 0);
  const room = (index: number): Cents =>
    Math.max(0, (grossCents[index] ?? 0) - 1) - (taxes[index] ?? 0);
  let left = total - preTaxOf(total, taxRateBasisPoints);
  while (left > 0) {
    const open = grossCents.flatMap((_, index) => (room(index) > 0 ? [index] : []));
    if (open.length === 0) {
      break;
    }
    const parts = splitByLargestRemainder(
      left,
      open.map((index) => grossCents[index] ?? 0),
    );
    for (const [place, index] of open.entries()) {
      const part = Math.min(parts[place] ?? 0, room(index));
      taxes[index] = (taxes[index] ?? 0) + part;
      left -= part;
    }
  }
  return taxes;
}

/** 825 is a tax rate of 8.25 %. */
export function sumsOf(lines: readonly LinePrice[], taxRateBasisPoints: number): SaleSums {
  const taxes = taxOfLines(
    lines.map((line) => line.grossCents),
    taxRateBasisPoints,
  );
  const sums = lines.map(({ grossCents, consignorShare }, index) => {
    const taxCents = taxes[index] ?? 0;
    const preTaxCents = grossCents - taxCents;
    return {
      grossCents,
      preTaxCents,
      taxCents,
      payoutCents: consignorShare === null ? 0 : payoutOf(preTaxCents, 0, consignorShare),
    };
  });
  return {
    lines: sums,
    totalCents: sum(sums.map((line) => line.grossCents)),
    subtotalCents: sum(sums.map((line) => line.preTaxCents)),
    taxCents: sum(taxes),
    payoutCents: sum(sums.map((line) => line.payoutCents)),
  };
}

/** The sums of a customer who pays no tax: what the prices are without it. The consignors' parts stay. */
export function withoutTax(sums: SaleSums): SaleSums {
  const lines = sums.lines.map((line) => ({ ...line, grossCents: line.preTaxCents, taxCents: 0 }));
  return { ...sums, lines, totalCents: sums.subtotalCents, taxCents: 0 };
}

export function sum(amounts: readonly Cents[]): Cents {
  return amounts.reduce((total, amount) => total + amount, 0);
}
