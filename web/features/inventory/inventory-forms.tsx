// The forms that open above the inventory. They are loaded together when the first of them is about to open.
import type { InventoryItem } from "#features/inventory/contract.ts";
import { CustomSaleForm } from "#web/shared/sale/custom-sale-form.tsx";
import { SaleForm } from "#web/shared/sale/sale-form.tsx";
import { AddItemForm } from "./add-item-form.tsx";
import type { OnBulkEnd } from "./bulk-dialog.tsx";
import { BulkForms, type BulkAct } from "./bulk-forms.tsx";
import { EditItemForm } from "./edit-item-form.tsx";
import { FillForm } from "./fill-form.tsx";
import { PriceForm } from "./price-form.tsx";
import { RemovalForm } from "./removal-form.tsx";
import { MassInputForm } from "#web/shared/intake/mass-input-form.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";

const LabelDialog = onDemand(() => import("./label-dialog.tsx").then((file) => file.LabelDialog));
const ImportDialog = onDemand(() =>
  import("./import-dialog.tsx").then((file) => file.ImportDialog),
);

export type OpenForm =
  | {
      readonly kind: "add";
      readonly owner: "master" | "consignor";
      /** A scanned code that no item has. */
      readonly barcode1?: string | undefined;
    }
  | {
      readonly kind: "edit" | "allocate" | "copy" | "sell" | "remove" | "delete";
      readonly item: InventoryItem;
    }
  | { readonly kind: "labels" | "prices"; readonly items: readonly InventoryItem[] }
  | {
      readonly kind: "bulk";
      readonly act: BulkAct;
      readonly items: readonly InventoryItem[];
      readonly onEnd: OnBulkEnd;
    }
  | { readonly kind: "mass-input" | "custom-sale" | "import" };

type InventoryFormsProps = {
  readonly form: OpenForm;
  readonly onClose: () => void;
  /** Closes the form and opens an item's drawer instead. */
  readonly onOpenItem: (id: string) => void;
};

export function InventoryForms({ form, onClose, onOpenItem }: InventoryFormsProps) {
  switch (form.kind) {
    case "add": {
      return (
        <AddItemForm
          owner={form.owner}
          barcode1={form.barcode1}
          onClose={onClose}
          onOpenItem={onOpenItem}
        />
      );
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
    case "remove":
    case "delete": {
      return <RemovalForm act={form.kind} item={form.item} onClose={onClose} />;
    }
    case "prices": {
      return <PriceForm items={form.items} onClose={onClose} />;
    }
    case "labels": {
      return <LabelDialog items={form.items} onClose={onClose} />;
    }
    case "bulk": {
      return <BulkForms act={form.act} items={form.items} onEnd={form.onEnd} onClose={onClose} />;
    }
    case "import": {
      return <ImportDialog onClose={onClose} />;
    }
    case "mass-input": {
      return <MassInputForm onClose={onClose} />;
    }
    default: {
      return <CustomSaleForm onClose={onClose} />;
    }
  }
}
