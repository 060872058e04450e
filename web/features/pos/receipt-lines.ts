// The receipt of a sale that this till has taken, also while the server has not got it yet.
import type { ReceiptView } from "#features/sales/contract-receipt.ts";
import { receiptNumberOf } from "#features/sales/contract-receipt.ts";
import { formatDayTime, formatMoney } from "#web/lib/formats.ts";
import {
  taxLine,
  tenderWords,
  unitsText,
  type ReceiptContent,
} from "#web/shared/receipt/receipt-content.ts";
import type { TakenSale } from "./taken-sale.ts";

/** What the versions of this app charged that kept no rate with a sale. */
const RATE_OF_OLDER_SALES = 825;

/** `store` is what the till knows of the store now. */
export function receiptOf(sale: TakenSale, store: ReceiptView["store"]): ReceiptContent {
  const { taxRateBasisPoints = RATE_OF_OLDER_SALES, certificate } = sale;
  return {
    number: receiptNumberOf(sale.saleId),
    soldAt: formatDayTime(new Date(sale.soldAt)),
    lines: sale.lines.map(({ item, units, unitPriceCents, grossCents }) => ({
      name: item.itemName,
      // Without the tax a unit costs less than its price.
      units: unitsText(units, certificate === undefined ? unitPriceCents : null),
      amount: formatMoney(grossCents),
    })),
    subtotal: formatMoney(sale.subtotalCents),
    tax: taxLine(formatMoney(sale.taxCents), taxRateBasisPoints, certificate),
    total: formatMoney(sale.totalCents),
    payments: paymentsOf(sale),
    isCorrected: false,
    store,
  };
}

function paymentsOf({ tender, cashCents, totalCents }: TakenSale): ReceiptContent["payments"] {
  if (cashCents !== null) {
    return [
      { label: "Cash", amount: formatMoney(cashCents) },
      { label: "Change", amount: formatMoney(cashCents - totalCents) },
    ];
  }
  return tender === undefined
    ? []
    : [{ label: tenderWords[tender], amount: formatMoney(totalCents) }];
}
