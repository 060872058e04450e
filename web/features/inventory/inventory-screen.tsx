// /admin: tiles, search, and every item there is. A row opens its drawer; forms open above it.
import { useCallback, useState } from "react";
import { itemSort, type InventoryItem } from "#features/inventory/contract.ts";
import { useArrivalAct } from "#web/lib/arrival-act.ts";
import { sortIn } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { askBeforeLeaving } from "#web/ui/leave-guard.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { InventoryActions } from "./inventory-actions.tsx";
import { BooksLine } from "#web/shared/proof/books-line.tsx";
import { useItemSearch } from "#web/shared/item/item-search.ts";
import type { OnBulkEnd } from "./bulk-dialog.tsx";
import { filtersIn } from "./inventory-api.ts";
import type { ItemAct } from "./inventory-columns.tsx";
import type { OpenForm } from "./inventory-forms.tsx";
import { InventoryList, type SelectionAct } from "./inventory-list.tsx";
import { InventorySearch } from "./inventory-search.tsx";
import { InventoryNumbers } from "./inventory-tiles.tsx";
import { deleteWithUndo } from "./item-deletion.ts";
import { noFilters } from "./search-draft.ts";

const InventoryForms = onDemand(() =>
  import("./inventory-forms.tsx").then((file) => file.InventoryForms),
);
const ItemDrawer = onDemand(() => import("./item-drawer.tsx").then((file) => file.ItemDrawer));

const nothing: ReadonlySet<string> = new Set();

/** The selection belongs to one search, so that nothing is changed that is not on screen. */
function useSelection(search: string) {
  const [kept, setKept] = useState({ search, ids: nothing });
  const setIds = (ids: ReadonlySet<string>) => setKept({ search, ids });
  return [kept.search === search ? kept.ids : nothing, setIds] as const;
}

function selectionForm(
  act: SelectionAct,
  items: readonly InventoryItem[],
  onEnd: OnBulkEnd,
): OpenForm {
  return act === "labels" || act === "prices"
    ? { kind: act, items }
    : { kind: "bulk", act, items, onEnd };
}

/** The command palette, and a scanned code that nothing has, lead to a form. */
function useForm() {
  const [form, setForm] = useState<OpenForm>();
  useArrivalAct({
    "add-master": () => setForm({ kind: "add", owner: "master" }),
    "add-consignor": (barcode1) => setForm({ kind: "add", owner: "consignor", barcode1 }),
    "mass-input": () => setForm({ kind: "mass-input" }),
    "custom-sale": () => setForm({ kind: "custom-sale" }),
    import: () => setForm({ kind: "import" }),
  });
  const onAct = useCallback((act: ItemAct, item: InventoryItem) => {
    if (act === "delete" && item.quantity === 0) {
      void deleteWithUndo(item);
    } else {
      setForm(act === "labels" ? { kind: act, items: [item] } : { kind: act, item });
    }
  }, []);
  return { form, setForm, onAct };
}

export function InventoryScreen() {
  const [params, setParams] = useParams();
  const filters = filtersIn(params);
  const sort = sortIn(params, itemSort);
  const search = useItemSearch(filters, sort);
  const { form, setForm, onAct } = useForm();
  const [selected, setSelected] = useSelection(JSON.stringify(filters));
  const openId = params.get("item") ?? undefined;
  const openIndex = search.rows?.findIndex((row) => row.id === openId) ?? -1;
  function onSelectionAct(act: SelectionAct, items: readonly InventoryItem[]): void {
    const onEnd = (rest: readonly InventoryItem[]) =>
      setSelected(new Set(rest.map(({ id }) => id)));
    setForm(selectionForm(act, items, onEnd));
  }
  function openRow(id: string | undefined, push: boolean): void {
    setParams({ item: id }, { push });
  }
  function neighbor(step: number): (() => void) | undefined {
    const row = openIndex === -1 ? undefined : search.rows?.[openIndex + step];
    return row === undefined ? undefined : () => openRow(row.id, false);
  }

  return (
    <Page
      title="Inventory"
      subtitle={
        <div className="flex flex-col">
          <FreshnessLine freshness={search.freshness} />
          <BooksLine />
        </div>
      }
      isWide
      actions={<InventoryActions onForm={setForm} onReach={InventoryForms.preload} />}
    >
      <InventoryNumbers />
      <InventorySearch filters={filters} onSearch={setParams} />
      <InventoryList
        search={search}
        filters={filters}
        sort={sort}
        openId={openId}
        onOpen={(item) => openRow(item.id, true)}
        onAct={onAct}
        onClear={() => setParams(noFilters)}
        onAdd={() => setForm({ kind: "add", owner: "master" })}
        onImport={() => setForm({ kind: "import" })}
        selected={selected}
        onSelected={setSelected}
        onSelectionAct={onSelectionAct}
      />
      {openId === undefined ? null : (
        <ItemDrawer
          id={openId}
          known={search.rows?.[openIndex]}
          listFreshness={search.freshness}
          onAct={onAct}
          onClose={() => openRow(undefined, false)}
          onPrevious={neighbor(-1)}
          onNext={neighbor(1)}
        />
      )}
      {form === undefined ? null : (
        <InventoryForms
          form={form}
          onClose={() => setForm(undefined)}
          onOpenItem={(id) =>
            askBeforeLeaving(() => {
              setForm(undefined);
              openRow(id, true);
            })
          }
        />
      )}
    </Page>
  );
}
