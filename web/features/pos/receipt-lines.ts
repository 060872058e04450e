// The text and amounts of a receipt, independent of its layout.
import { formatDayTime, formatMoney } from "#web/lib/formats.ts";
import { taxLabel } from "./cart-sums.ts";
import { receiptNumber, type TakenSale } from "./taken-sale.ts";

/** What the versions of this app charged that kept no rate with a sale. */
const RATE_OF_OLDER_SALES = 825;

export type ReceiptLine = {
  readonly name: string;
  /** "3 × $4.00"; empty for a single unit. */
  readonly units: string;
  readonly amount: string;
};

export type Receipt = {
  readonly number: string;
  readonly soldAt: string;
  readonly lines: readonly ReceiptLine[];
  readonly subtotal: string;
  readonly taxLabel: string;
  readonly tax: string;
  readonly total: string;
  /** Undefined if no amount of cash was entered. */
  readonly cash: { readonly given: string; readonly change: string } | undefined;
};

export function receiptOf(sale: TakenSale): Receipt {
  return {
    number: receiptNumber(sale.saleId),
    soldAt: formatDayTime(new Date(sale.soldAt)),
    lines: sale.lines.map(({ item, units, unitPriceCents, grossCents }) => ({
      name: item.itemName,
      units: units === 1 ? "" : `${units} × ${formatMoney(unitPriceCents)}`,
      amount: formatMoney(grossCents),
    })),
    subtotal: formatMoney(sale.subtotalCents),
    taxLabel: taxLabel(sale.taxRateBasisPoints ?? RATE_OF_OLDER_SALES),
    tax: formatMoney(sale.taxCents),
    total: formatMoney(sale.totalCents),
    cash:
      sale.cashCents === null
        ? undefined
        : {
            given: formatMoney(sale.cashCents),
            change: formatMoney(sale.cashCents - sale.totalCents),
          },
  };
}
