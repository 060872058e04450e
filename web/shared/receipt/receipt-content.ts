// The text and amounts of a receipt, independent of its layout and of where they come from.
import type { Tender } from "#features/sales/contract.ts";
import type { ReceiptView } from "#features/sales/contract-receipt.ts";
import { toCents } from "#ledger/money.ts";
import { formatDayTime, formatMoney } from "#web/lib/formats.ts";

export type ReceiptLine = {
  readonly name: string;
  /** "3 × $4.00"; empty for a single unit. */
  readonly units: string;
  readonly amount: string;
};

type LabeledAmount = { readonly label: string; readonly amount: string };

export type ReceiptContent = {
  /** "R-1F2E3D4C"; null for a sale from before receipts. */
  readonly number: string | null;
  readonly soldAt: string;
  readonly lines: readonly ReceiptLine[];
  readonly subtotal: string;
  readonly tax: LabeledAmount;
  readonly total: string;
  /** How it was paid, the change, and refunds, below the total. */
  readonly payments: readonly LabeledAmount[];
  /** Whether any line was corrected after the sale. */
  readonly isCorrected: boolean;
  readonly store: ReceiptView["store"];
};

export const tenderWords: Readonly<Record<Tender, string>> = {
  cash: "Cash",
  card: "Card",
  other: "Other",
};

/** "Sales tax 8.25%, included"; `certificate` is undefined where tax was charged, "" for one without a number. */
export function taxLine(
  tax: string,
  taxRateBasisPoints: number | null,
  certificate: string | undefined,
): LabeledAmount {
  if (certificate !== undefined) {
    return { label: ["Tax exempt", certificate].filter(Boolean).join(", "), amount: tax };
  }
  const rate = taxRateBasisPoints === null ? "" : ` ${taxRateBasisPoints / 100}%, included`;
  return { label: `Sales tax${rate}`, amount: tax };
}

/** "3 × $4.00" */
export function unitsText(units: number, unitCents: number | null): string {
  if (units === 1) {
    return "";
  }
  return unitCents === null ? `${units} units` : `${units} × ${formatMoney(unitCents)}`;
}

const money = (dollars: number): string => formatMoney(toCents(dollars));

/** A receipt as the server has it. */
export function contentOf(receipt: ReceiptView): ReceiptContent {
  const { number, soldAt, lines, tax, taxRate, tender, taxExempt, refunds } = receipt;
  return {
    number,
    soldAt: formatDayTime(new Date(soldAt)),
    lines: lines.map(({ itemName, quantity, unitPrice, amount }) => ({
      name: itemName,
      units: unitsText(quantity, unitPrice === null ? null : toCents(unitPrice)),
      amount: money(amount),
    })),
    subtotal: money(receipt.subtotal),
    tax: taxLine(
      money(tax),
      taxRate,
      taxExempt === null ? undefined : (taxExempt.certificate ?? ""),
    ),
    total: money(receipt.total),
    payments: [
      ...(tender === null ? [] : [{ label: tenderWords[tender], amount: money(receipt.total) }]),
      ...refunds.map(({ refundedAt, amount, tender: back }) => ({
        label: [
          `Refunded ${formatDayTime(new Date(refundedAt))}`,
          ...(back === null ? [] : [tenderWords[back].toLowerCase()]),
        ].join(", "),
        amount: money(-amount),
      })),
    ],
    isCorrected: lines.some(({ isCorrected }) => isCorrected === true),
    store: receipt.store,
  };
}
