// The forms that open above the inventory, loaded together when somebody reaches for the first of them.
import type { InventoryItem } from "#features/inventory/contract.ts";
import { CustomSaleForm } from "../sale/custom-sale-form.tsx";
import { SaleForm } from "../sale/sale-form.tsx";
import { AddItemForm } from "./add-item-form.tsx";
import { EditItemForm } from "./edit-item-form.tsx";
import { FillForm } from "./fill-form.tsx";
import { MassInputForm } from "./mass-input-form.tsx";

export type OpenForm =
  | { readonly kind: "add"; readonly owner: "master" | "consignor" }
  | { readonly kind: "edit" | "allocate" | "copy" | "sell"; readonly item: InventoryItem }
  | { readonly kind: "mass-input" | "custom-sale" };

type InventoryFormsProps = {
  readonly form: OpenForm;
  readonly onClose: () => void;
  /** Closes the form and opens an item's drawer instead. */
  readonly onOpenItem: (id: string) => void;
};

export function InventoryForms({ form, onClose, onOpenItem }: InventoryFormsProps) {
  switch (form.kind) {
    case "add": {
      return <AddItemForm owner={form.owner} onClose={onClose} onOpenItem={onOpenItem} />;
    }
    case "edit": {
      return <EditItemForm item={form.item} onClose={onClose} onOpenItem={onOpenItem} />;
    }
    case "allocate":
    case "copy": {
      return <FillForm item={form.item} onClose={onClose} />;
    }
    case "sell": {
      return <SaleForm item={form.item} onClose={onClose} />;
    }
    case "mass-input": {
      return <MassInputForm onClose={onClose} />;
    }
    default: {
      return <CustomSaleForm onClose={onClose} />;
    }
  }
}
