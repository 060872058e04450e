// The words for a sale on screen: the consignor's name, its kind and its status.
import type { SaleView } from "#features/sales/contract.ts";
import type { ChipKind } from "#web/ui/chip.tsx";

/** The consignor's name; undefined for a sale of the store's own item. */
export function consignorOf({ consignorID, consignorDisplayName }: SaleView): string | undefined {
  return consignorID === null ? undefined : (consignorDisplayName ?? consignorID);
}

export const kindWords: Readonly<Record<SaleView["kind"], string>> = {
  consignor: "Consignor's item",
  master: "Store's item",
  custom: "Custom sale",
};

export const statusWords: Readonly<
  Record<SaleView["status"], { readonly label: string; readonly kind: ChipKind }>
> = {
  sold: { label: "Sold", kind: "neutral" },
  partly_refunded: { label: "Partly refunded", kind: "correction" },
  refunded: { label: "Refunded", kind: "correction" },
};
