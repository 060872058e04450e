// A person's items as they were recorded at a moment: names, places and units then. Without search, and nothing can be changed.
import type { ItemAsOf } from "#features/inventory/contract-as-of.ts";
import { formatCount } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { CutCode } from "#web/ui/cut-code.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FreshnessLine, HeldNotice } from "#web/ui/freshness-line.tsx";
import { ItemIcon } from "#web/ui/thing-icons.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import { AsOfField } from "./as-of-field.tsx";
import { momentIn } from "./moment.ts";
import { usePastItems } from "./past-api.ts";
import { PastRibbon } from "./past-ribbon.tsx";
import { PicturedName } from "#web/shared/item/pictured-name.tsx";

const columns: readonly Column<ItemAsOf>[] = [
  {
    id: "name",
    header: "Item",
    cell: (item) => (
      <PicturedName url={item.imageUrl}>
        <span className="font-medium">{item.itemName}</span>
      </PicturedName>
    ),
    isTruncated: true,
    width: "min-w-48",
    card: "title",
  },
  {
    id: "barcode",
    header: "Barcode",
    cell: (item) => <CutCode>{item.barcode1}</CutCode>,
    isTruncated: true,
    width: "w-44 min-w-28",
    card: "line",
  },
  {
    id: "location",
    header: "Location",
    cell: (item) => (item.location === "" ? <Unknown reason="no location" /> : item.location),
    width: "w-40",
    card: "line",
  },
  {
    id: "added",
    header: "Added",
    cell: (item) => <DateTime at={item.addedAt} show="day" />,
    width: "w-32",
    card: "end-line",
    cardLabel: "Added",
  },
  {
    id: "quantity",
    header: "Quantity",
    cell: (item) => formatCount(item.quantity),
    align: "end",
    width: "w-28",
    card: "amount",
    cardLabel: "Quantity",
  },
];

const itemId = (item: ItemAsOf): string => item.id;

/** Asks for a moment first: the items as they are now have lists of their own. */
export function PastItems({ uid }: { readonly uid: string }) {
  const [params] = useParams();
  const at = momentIn(params);
  return (
    <div className="flex flex-col gap-3">
      <AsOfField />
      {at === undefined ? (
        <div className="card">
          <EmptyState icon={ItemIcon} title="Choose a day or a position">
            It shows the items as they were recorded then.
          </EmptyState>
        </div>
      ) : (
        <ItemsThen uid={uid} at={at} />
      )}
    </div>
  );
}

function ItemsThen({ uid, at }: { readonly uid: string; readonly at: string }) {
  const items = usePastItems(uid, at);
  const first = items.pages?.[0];
  return (
    <>
      <PastRibbon at={first?.at} position={first?.position} />
      <HeldNotice freshness={items.freshness} />
      <DataTable
        label="Items at that time"
        columns={columns}
        rows={items.rows}
        rowId={itemId}
        error={items.error}
        errorTitle="The items could not be loaded"
        onRetry={items.refresh}
        more={items}
        empty={<EmptyState icon={ItemIcon} title="No items at that time" />}
      />
      <FreshnessLine freshness={items.freshness} isBelow />
    </>
  );
}
