// Warns, while a barcode is typed, that another item of the same owner already has it, and links to that item.
import { TriangleAlert } from "lucide-react";
import type { InventoryItem } from "#features/inventory/contract.ts";
import { useDebounced } from "#web/lib/debounced.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useBarcodeHolder } from "./inventory-api.ts";

const debounceMs = 300;

type DuplicateBarcodeProps = {
  readonly holder: InventoryItem;
  /** Opens the item that has the barcode. */
  readonly onOpenItem: (id: string) => void;
};

/**
 * Finds another item of this owner that has the barcode. `ownerUid` is null for the store and undefined while no
 * consignor is picked; `ownId` is the item that is being edited.
 */
export function useDuplicate(
  barcode1: string,
  ownerUid: string | null | undefined,
  ownId?: string,
): InventoryItem | undefined {
  const settled = useDebounced(barcode1.trim(), debounceMs);
  const holder = useBarcodeHolder(
    settled === "" || ownerUid === undefined ? undefined : settled,
    ownerUid ?? null,
  );
  return holder === undefined || holder.id === ownId || holder.barcode1 !== barcode1.trim()
    ? undefined
    : holder;
}

export function DuplicateBarcode({ holder, onOpenItem }: DuplicateBarcodeProps) {
  return (
    <output className="flex items-start gap-1 text-pending">
      <Icon of={TriangleAlert} size={14} className="mt-px" />
      <span>
        {withIsolatedNames(
          `“${holder.itemName}” (${formatQuantity(holder.quantity, "unit")}) already has this barcode. `,
        )}
        <button
          type="button"
          onClick={() => onOpenItem(holder.id)}
          className="font-medium underline"
        >
          Open it
        </button>
      </span>
    </output>
  );
}
