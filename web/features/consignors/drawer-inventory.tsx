// A short list of a person's items. The inventory screen has the full list with all actions.
import { formatQuantity } from "#web/lib/formats.ts";
import { consignorInventoryPath } from "#web/paths.ts";
import { CutCode } from "#web/ui/cut-code.tsx";
import { ItemIcon } from "#web/ui/thing-icons.ts";
import { useItemSearch } from "#web/shared/item/item-search.ts";
import { ItemImage } from "#web/shared/item/item-image.tsx";
import { HeldUnits } from "#web/shared/item/held-units.tsx";
import { DrawerLines } from "./drawer-lines.tsx";

export function DrawerInventory({ uid }: { readonly uid: string }) {
  const items = useItemSearch({ consignor: uid });
  return (
    <DrawerLines
      label="Items"
      read={items}
      rowId={(item) => item.id}
      empty={{ icon: ItemIcon, title: "No items" }}
      whole={{ to: consignorInventoryPath(uid), label: "Open in the inventory" }}
    >
      {(item) => (
        <span className="flex items-center gap-3">
          <ItemImage url={item.imageUrl} size="thumb" />
          <span className="flex min-w-0 grow flex-col">
            <span className="truncate">{item.itemName}</span>
            <span className="truncate text-12 text-muted">
              <CutCode>{item.barcode1}</CutCode>
              {item.location === "" ? "" : `, ${item.location}`}
            </span>
          </span>
          <span className="text-end whitespace-nowrap tabular-nums">
            {formatQuantity(item.quantity, "unit")}
            <HeldUnits item={item} />
          </span>
        </span>
      )}
    </DrawerLines>
  );
}
