// /admin: the store's day. Tiles, search, every item there is; a row opens its drawer, the forms open above it.
import { Plus, ScanBarcode } from "lucide-react";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import type { InventoryItem } from "#features/inventory/contract.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import type { PagedRead } from "#web/lib/read.ts";
import { useParams } from "#web/lib/search-param.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Button } from "#web/ui/button.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Page } from "#web/ui/page.tsx";
import { ItemIcon, SaleIcon } from "#web/ui/thing-icons.ts";
import { filtersIn, useItemCount, useItemSearch, type InventoryFilters } from "./inventory-api.ts";
import { inventoryColumns, type ItemAct } from "./inventory-columns.tsx";
import type { OpenForm } from "./inventory-forms.tsx";
import { InventorySearch } from "./inventory-search.tsx";
import { InventoryTiles } from "./inventory-tiles.tsx";
import { deleteWithUndo } from "./item-deletion.ts";
import { noFilters } from "./search-draft.ts";

const loadForms = () => import("./inventory-forms.tsx");
const InventoryForms = lazy(async () => ({ default: (await loadForms()).InventoryForms }));
const ItemDrawer = lazy(async () => ({
  default: (await import("./item-drawer.tsx")).ItemDrawer,
}));

const idOf = (item: InventoryItem): string => item.id;

export function InventoryScreen() {
  const [params, setParams] = useParams();
  const filters = filtersIn(params);
  const search = useItemSearch(filters);
  const [form, setForm] = useState<OpenForm>();
  const openId = params.get("item") ?? undefined;
  const openIndex = search.rows?.findIndex((row) => row.id === openId) ?? -1;

  const onAct = useCallback((act: ItemAct, item: InventoryItem) => {
    if (act === "delete") {
      void deleteWithUndo(item);
    } else {
      setForm({ kind: act, item });
    }
  }, []);
  function openRow(id: string | undefined, push: boolean): void {
    setParams({ item: id }, { push });
  }
  function neighbour(step: number): (() => void) | undefined {
    const row = openIndex === -1 ? undefined : search.rows?.[openIndex + step];
    return row === undefined ? undefined : () => openRow(row.id, false);
  }

  return (
    <Page
      title="Inventory"
      subtitle={<FreshnessLine freshness={search.freshness} />}
      isWide
      actions={<ScreenActions onForm={setForm} />}
    >
      <InventoryTiles />
      <InventorySearch filters={filters} onSearch={setParams} />
      <InventoryList
        search={search}
        filters={filters}
        openId={openId}
        onOpen={(item) => openRow(item.id, true)}
        onAct={onAct}
        onClear={() => setParams(noFilters)}
        onAdd={() => setForm({ kind: "add", owner: "master" })}
      />
      <Suspense>
        {openId === undefined ? null : (
          <ItemDrawer
            id={openId}
            known={search.rows?.[openIndex]}
            onAct={onAct}
            onClose={() => openRow(undefined, false)}
            onPrevious={neighbour(-1)}
            onNext={neighbour(1)}
          />
        )}
        {form === undefined ? null : (
          <InventoryForms
            form={form}
            onClose={() => setForm(undefined)}
            onOpenItem={(id) => {
              setForm(undefined);
              openRow(id, true);
            }}
          />
        )}
      </Suspense>
    </Page>
  );
}

type InventoryListProps = {
  readonly search: PagedRead<InventoryItem>;
  readonly filters: InventoryFilters;
  readonly openId: string | undefined;
  readonly onOpen: (item: InventoryItem) => void;
  readonly onAct: (act: ItemAct, item: InventoryItem) => void;
  readonly onClear: () => void;
  readonly onAdd: () => void;
};

function InventoryList(props: InventoryListProps) {
  const { search, filters, openId, onOpen, onAct, onClear, onAdd } = props;
  const count = useItemCount(filters).data;
  const columns = useMemo(() => inventoryColumns(onAct), [onAct]);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <DataTable
      label="Inventory"
      columns={columns}
      rows={search.rows}
      rowId={idOf}
      opening={{ onOpen, openId }}
      error={search.error}
      errorTitle="Error searching items"
      onRetry={search.refresh}
      empty={
        <EmptyState
          icon={ItemIcon}
          title="No items found"
          action={
            isFiltered ? (
              <Button onClick={onClear}>Clear</Button>
            ) : (
              <Button icon={Plus} onClick={onAdd}>
                Add to Master Inventory
              </Button>
            )
          }
        >
          {isFiltered
            ? "Nothing matches this search. Check the spelling, or clear the filters."
            : "Add the store's first item, or take in a consignor's box by mass input."}
        </EmptyState>
      }
      more={{
        hasMore: search.hasMore,
        isLoading: search.isLoadingMore,
        onMore: search.loadMore,
      }}
      countText={
        count === undefined
          ? undefined
          : count.capped
            ? `${formatCount(count.count)}+ items`
            : formatQuantity(count.count, "item")
      }
    />
  );
}

function ScreenActions({ onForm }: { readonly onForm: (form: OpenForm) => void }) {
  const isPhone = useIsPhone();
  const addMaster = () => onForm({ kind: "add", owner: "master" });
  const addConsignor = () => onForm({ kind: "add", owner: "consignor" });
  const customSale = {
    label: "Record a custom sale",
    icon: SaleIcon,
    onSelect: () => onForm({ kind: "custom-sale" }),
  };
  return (
    <div
      className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:*:flex-1"
      onPointerEnter={() => void loadForms()}
      onFocus={() => void loadForms()}
    >
      <Button icon={ScanBarcode} onClick={() => onForm({ kind: "mass-input" })}>
        Mass Input
      </Button>
      {isPhone ? (
        <Menu
          label="Add"
          icon={Plus}
          showsLabel
          variant="primary"
          items={[
            { label: "Add to Master Inventory", onSelect: addMaster },
            { label: "Add to Consignor Inventory", onSelect: addConsignor },
            { ...customSale, startsGroup: true },
          ]}
        />
      ) : (
        <>
          <Button icon={Plus} onClick={addConsignor}>
            Add to Consignor Inventory
          </Button>
          <Button icon={Plus} variant="primary" onClick={addMaster}>
            Add to Master Inventory
          </Button>
          <Menu label="More" items={[customSale]} />
        </>
      )}
    </div>
  );
}
