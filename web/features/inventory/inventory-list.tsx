// The inventory's rows, the selection, and the actions on the selected rows.
import { ArrowRightLeft, BadgePercent, FileUp, MapPin, Plus, Tags, Trash2 } from "lucide-react";
import { useMemo } from "react";
import { type InventoryItem, type ItemSort } from "#features/inventory/contract.ts";
import { MOST_SORTED_BY_QUANTITY } from "#features/inventory/contract-queries.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import type { ListSort } from "#web/lib/list-sort.ts";
import type { PagedRead } from "#web/lib/read.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { BulkBar } from "#web/ui/bulk-bar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { ItemIcon } from "#web/ui/thing-icons.ts";
import type { InventoryFilters } from "#web/shared/item/item-search.ts";
import { useItemCount } from "./inventory-api.ts";
import { inventoryColumns, type ItemAct } from "./inventory-columns.tsx";

const idOf = (item: InventoryItem): string => item.id;
const nameOf = (item: InventoryItem): string => item.itemName;

/** An action on the selected rows. */
export type SelectionAct = "location" | "allocate" | "labels" | "prices" | "delete";

type InventoryListProps = {
  readonly search: PagedRead<InventoryItem>;
  readonly filters: InventoryFilters;
  readonly sort: ListSort<ItemSort> | undefined;
  readonly openId: string | undefined;
  readonly onOpen: (item: InventoryItem) => void;
  readonly onAct: (act: ItemAct, item: InventoryItem) => void;
  readonly onClear: () => void;
  readonly onAdd: () => void;
  readonly onImport: () => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelected: (ids: ReadonlySet<string>) => void;
  readonly onSelectionAct: (act: SelectionAct, items: readonly InventoryItem[]) => void;
};

export function InventoryList(props: InventoryListProps) {
  const { search, filters, openId, onOpen, onAct, selected, onSelected } = props;
  const count = useItemCount(filters).data;
  const sortsByQuantity =
    count !== undefined && !count.capped && count.count <= MOST_SORTED_BY_QUANTITY;
  const hasBarcode2 = search.rows?.some(({ barcode2 }) => barcode2 !== "") === true;
  const columns = useMemo(
    () => inventoryColumns(onAct, sortsByQuantity, hasBarcode2),
    [onAct, sortsByQuantity, hasBarcode2],
  );
  const chosen = useMemo(
    () => (selected.size === 0 ? [] : (search.rows ?? []).filter(({ id }) => selected.has(id))),
    [search.rows, selected],
  );
  return (
    <>
      <RowFocus>
        <DataTable
          label="Inventory"
          columns={columns}
          rows={search.rows}
          rowId={idOf}
          sort={props.sort}
          {...(filters.unsoldDays === undefined ? {} : { usualOrder: "Oldest first" })}
          opening={{ onOpen, openId }}
          selection={{ selected, onSelected, nameOf, Box: Checkbox }}
          error={search.error}
          errorTitle="Error searching items"
          onRetry={search.refresh}
          empty={<NoItems {...props} />}
          more={search}
          countText={
            count === undefined
              ? undefined
              : count.capped
                ? `${formatCount(count.count)}+ items`
                : formatQuantity(count.count, "item")
          }
        />
      </RowFocus>
      {chosen.length === 0 ? null : (
        <SelectionBar
          items={chosen}
          onAct={props.onSelectionAct}
          onClear={() => onSelected(new Set())}
        />
      )}
    </>
  );
}

type NoItemsProps = Pick<InventoryListProps, "filters" | "onClear" | "onAdd" | "onImport">;

export function NoItems({ filters, onClear, onAdd, onImport }: NoItemsProps) {
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <EmptyState
      icon={ItemIcon}
      title={isFiltered ? "No items found" : "No items yet"}
      action={
        isFiltered ? (
          <Button onClick={onClear}>Clear</Button>
        ) : (
          <span className="flex flex-wrap justify-center gap-2">
            <Button icon={FileUp} onClick={onImport}>
              Import CSV
            </Button>
            <Button icon={Plus} onClick={onAdd}>
              Add to Master Inventory
            </Button>
          </span>
        )
      }
    >
      {isFiltered
        ? "Nothing matches this search. Check the spelling, or clear the filters."
        : "Add the store's first item, take in a consignor's box by mass input, or import a list."}
    </EmptyState>
  );
}

type SelectionBarProps = {
  readonly items: readonly InventoryItem[];
  readonly onAct: (act: SelectionAct, items: readonly InventoryItem[]) => void;
  readonly onClear: () => void;
};

function SelectionBar({ items, onAct, onClear }: SelectionBarProps) {
  const isPhone = useIsPhone();
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const canAllocate = items.some(
    ({ consignorID, quantity }) => consignorID === null && quantity > 0,
  );
  return (
    <BulkBar count={items.length} total={formatQuantity(units, "unit")} onClear={onClear}>
      <Button icon={MapPin} onClick={() => onAct("location", items)}>
        Set location
      </Button>
      {isPhone ? null : (
        <>
          <Button
            icon={ArrowRightLeft}
            disabled={!canAllocate}
            onClick={() => onAct("allocate", items)}
          >
            Add to Consignor
          </Button>
          <Button icon={Tags} onClick={() => onAct("labels", items)}>
            Print labels
          </Button>
          <Button icon={BadgePercent} onClick={() => onAct("prices", items)}>
            Change prices
          </Button>
        </>
      )}
      <Menu
        label="More for the selected items"
        items={[
          ...(isPhone
            ? [
                {
                  label: "Add to Consignor",
                  icon: ArrowRightLeft,
                  isDisabled: !canAllocate,
                  onSelect: () => onAct("allocate", items),
                },
                {
                  label: "Print labels",
                  icon: Tags,
                  onSelect: () => onAct("labels", items),
                },
                {
                  label: "Change prices",
                  icon: BadgePercent,
                  onSelect: () => onAct("prices", items),
                },
              ]
            : []),
          {
            label: "Delete",
            icon: Trash2,
            isDanger: true,
            startsGroup: isPhone,
            onSelect: () => onAct("delete", items),
          },
        ]}
      />
    </BulkBar>
  );
}
