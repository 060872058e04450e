// The words for a sale on screen: the consignor's name, its kind, and what is unusual about it.
import { tender, type SaleView } from "#features/sales/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney, formatQuantity, formatTimes } from "#web/lib/formats.ts";
import { tenderWords } from "#web/shared/receipt/receipt-content.ts";
import type { ChipKind } from "#web/ui/chip.tsx";

/** The consignor's name; undefined for a sale of the store's own item. */
export function consignorOf({ consignorID, consignorDisplayName }: SaleView): string | undefined {
  return consignorID === null ? undefined : (consignorDisplayName ?? consignorID);
}

/** How the money of a sale goes back, or came. */
export const tenderChoices = tender.options.map((value) => ({ value, label: tenderWords[value] }));

export const kindWords: Readonly<Record<SaleView["kind"], string>> = {
  consignor: "Consignor's item",
  master: "Store's item",
  custom: "Custom sale",
};

export type Exception = { readonly kind: ChipKind; readonly children: string };

/** What is unusual about a sale, all of it. */
export function exceptionsOf(sale: SaleView): readonly Exception[] {
  const { status, corrections, taxRate } = sale;
  return [
    ...(status === "refunded"
      ? [{ kind: "correction", children: "Fully refunded" } as const]
      : status === "partly_refunded"
        ? [{ kind: "correction", children: "Partly refunded" } as const]
        : []),
    ...(corrections === 0
      ? []
      : [{ kind: "correction", children: `Corrected ${formatTimes(corrections)}` } as const]),
    ...(taxRate?.outdated === true
      ? [{ kind: "pending", children: "Outdated tax rate" } as const]
      : []),
  ];
}

/** The most important one; undefined for a plain completed sale. */
export function exceptionOf(sale: SaleView): Exception | undefined {
  return exceptionsOf(sale)[0];
}

/** What a refund can still give back. The tax is named, because the button's amount includes it. */
export function refundableWords(sale: SaleView): string {
  const units = formatQuantity(sale.soldQuantity - sale.refundedQuantity, "unit");
  const price = formatMoney(toCents(sale.salePrice ?? 0) - toCents(sale.refundedAmount));
  const taxCents = toCents(sale.salesTax) - toCents(sale.refundedTax);
  return taxCents === 0
    ? `${units} and ${price} can be refunded.`
    : `${units}, ${price} and ${formatMoney(taxCents)} tax can be refunded.`;
}
