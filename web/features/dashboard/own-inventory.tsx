// My Inventory: the person's own items, filtered by name, barcode or location.
import {
  itemSort,
  type InventoryItem,
  type ItemSort,
  type SearchCountResponse,
} from "#features/inventory/contract.ts";
import { PicturedName } from "#web/shared/item/pictured-name.tsx";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { sortIn } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { CutCode } from "#web/ui/cut-code.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FreshnessLine, HeldNotice } from "#web/ui/freshness-line.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { ItemIcon } from "#web/ui/thing-icons.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import { HeldUnits, heldUnits } from "#web/shared/item/held-units.tsx";
import { ownItemFiltersIn, useOwnItemCount, useOwnItems } from "./dashboard-api.ts";

const columns: readonly Column<InventoryItem, ItemSort>[] = [
  {
    id: "name",
    header: "Item",
    cell: (item) => (
      <PicturedName url={item.imageUrl}>
        <span className="font-medium">{item.itemName}</span>
      </PicturedName>
    ),
    sortAs: "itemName",
    isTruncated: true,
    width: "min-w-48",
    card: "title",
  },
  {
    id: "barcode",
    header: "Barcode",
    cell: (item) => <CutCode>{item.barcode1}</CutCode>,
    sortAs: "barcode1",
    isTruncated: true,
    width: "w-44 min-w-28",
    card: "line",
  },
  {
    id: "location",
    header: "Location",
    cell: (item) => (item.location === "" ? <Unknown reason="no location" /> : item.location),
    sortAs: "location",
    width: "w-40",
    card: "line",
  },
  {
    id: "added",
    header: "Added",
    cell: (item) => <DateTime at={item.addedAt} show="day" />,
    sortAs: "added",
    width: "w-32",
    card: "end-line",
    cardLabel: "Added",
  },
  {
    id: "quantity",
    header: "Quantity",
    cell: (item) => (
      <>
        {item.quantity + heldUnits(item) === 0 ? (
          <Chip kind="neutral">Sold out</Chip>
        ) : (
          <>
            {formatCount(item.quantity)}
            <span className="hidden text-12 font-normal text-muted in-data-cards:inline">
              {" in stock"}
            </span>
          </>
        )}
        <HeldUnits item={item} />
      </>
    ),
    sortAs: "quantity",
    align: "end",
    width: "w-28",
    card: "amount",
  },
];

function itemId(item: InventoryItem): string {
  return item.id;
}

function countText(count: SearchCountResponse | undefined): string | undefined {
  if (count === undefined) {
    return undefined;
  }
  return count.capped ? `${formatCount(count.count)}+ items` : formatQuantity(count.count, "item");
}

export function OwnInventory({ uid }: { readonly uid: string }) {
  const [params, setParams] = useParams();
  const filters = ownItemFiltersIn(params);
  const sort = sortIn(params, itemSort);
  const items = useOwnItems(uid, filters, sort);
  const count = useOwnItemCount(uid, filters);
  const isFiltered = filters.searchTerm !== undefined || filters.location !== undefined;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2 no-print">
        <SearchParamInput
          param="q"
          label="Filter items by name or barcode"
          placeholder="Name or barcode"
          className="w-72 max-sm:w-full"
        />
        <SearchParamInput
          param="location"
          label="Filter items by location"
          placeholder="Location"
          className="w-48 max-sm:w-full"
        />
      </div>
      <HeldNotice freshness={items.freshness} />
      <DataTable
        label="My inventory"
        columns={columns}
        rows={items.rows}
        rowId={itemId}
        sort={sort}
        error={items.error}
        errorTitle="Your items could not be loaded"
        onRetry={items.refresh}
        more={items}
        countText={countText(count.data)}
        empty={
          <EmptyState
            icon={ItemIcon}
            title={isFiltered ? "No items found" : "No items yet"}
            action={
              isFiltered ? (
                <Button onClick={() => setParams({ q: undefined, location: undefined })}>
                  Clear
                </Button>
              ) : undefined
            }
          >
            {isFiltered ? undefined : "The items that the store receives from you appear here."}
          </EmptyState>
        }
      />
      <FreshnessLine freshness={items.freshness} isBelow />
    </div>
  );
}
