// From items to labels: how many of each, and their codes. Done in small steps so that the screen stays responsive.
import type { InventoryItem } from "#features/inventory/contract.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { fittedCode } from "./label-codes.ts";
import type { LabelFormat } from "./label-formats.ts";
import type { Label } from "./label-sheet.tsx";

/** One label for each unit in stock, or the same number for each item. */
export type LabelCount =
  | { readonly kind: "units" }
  | { readonly kind: "each"; readonly count: number };

export const maxLabels = 3000;
const sliceMs = 30;
/** The margin and text lines inside a label. */
const paddingMm = 2;

export function labelsFor(item: InventoryItem, count: LabelCount): number {
  return count.kind === "units" ? item.quantity : count.count;
}

export function totalLabels(items: readonly InventoryItem[], count: LabelCount): number {
  return items.reduce((sum, item) => sum + labelsFor(item, count), 0);
}

/** The owner's short id, as on the address that consignors send to; empty for the store. */
function shortOwner({ consignorID }: InventoryItem): string {
  return consignorID === null ? "" : consignorID.slice(-8).toUpperCase();
}

/** The items' labels, at most `most`, in the items' order. When aborted, stops early and returns what it has. */
export async function makeLabels(
  items: readonly InventoryItem[],
  format: LabelFormat,
  count: LabelCount,
  options: { readonly most: number; readonly signal: AbortSignal },
): Promise<readonly Label[]> {
  const labels: Label[] = [];
  let sliceEndsAt = performance.now() + sliceMs;
  for (const item of items) {
    const wanted = Math.min(labelsFor(item, count), options.most - labels.length);
    if (wanted > 0) {
      const face = faceOf(item, format);
      for (let copy = 0; copy < wanted; copy += 1) {
        labels.push({ ...face, key: `${item.id}-${copy}` });
      }
    }
    if (labels.length >= options.most || options.signal.aborted) {
      break;
    }
    if (performance.now() > sliceEndsAt) {
      await new Promise((resolve) => setTimeout(resolve));
      sliceEndsAt = performance.now() + sliceMs;
    }
  }
  return labels;
}

function faceOf(item: InventoryItem, format: LabelFormat): Omit<Label, "key"> {
  const { itemName, barcode1, location, tagPriceCents } = item;
  return {
    itemName,
    barcode: barcode1,
    location,
    price: tagPriceCents === null ? "" : formatMoney(tagPriceCents),
    owner: shortOwner(item),
    code: fittedCode(barcode1, {
      widthMm: format.labelWidthMm,
      heightMm: format.labelHeightMm - 2 * paddingMm,
    }),
  };
}
