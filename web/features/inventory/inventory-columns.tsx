// The inventory table's columns, with the actions for each row.
import {
  ArrowRightLeft,
  Copy,
  ExternalLink,
  PackageMinus,
  Pencil,
  Tags,
  Trash2,
  type LucideIcon,
} from "lucide-react";
import type { InventoryItem, ItemSort } from "#features/inventory/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Button, type ButtonVariant } from "#web/ui/button.tsx";
import { CutCode } from "#web/ui/cut-code.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { Icon } from "#web/ui/icon.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu, type MenuItem } from "#web/ui/menu.tsx";
import { SaleIcon } from "#web/ui/thing-icons.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import { PicturedName } from "#web/shared/item/pictured-name.tsx";
import { HeldUnits, heldUnits } from "#web/shared/item/held-units.tsx";
import { OwnerLink, ownerName } from "#web/shared/item/owner-chip.tsx";

/** The actions that an admin can take on one item. */
export type ItemAct = "allocate" | "copy" | "sell" | "edit" | "labels" | "remove" | "delete";

type OnAct = (act: ItemAct, item: InventoryItem) => void;

const acts: Readonly<Record<ItemAct, { readonly label: string; readonly icon: LucideIcon }>> = {
  allocate: { label: "Add to Consignor", icon: ArrowRightLeft },
  copy: { label: "Copy to Consignor", icon: Copy },
  sell: { label: "Sold", icon: SaleIcon },
  edit: { label: "Edit", icon: Pencil },
  labels: { label: "Print labels", icon: Tags },
  remove: { label: "Remove units", icon: PackageMinus },
  delete: { label: "Delete", icon: Trash2 },
};

/** The actions that an item's source allows. The first one is the row's own button. */
export function actsOf(item: InventoryItem): readonly [ItemAct, ...ItemAct[]] {
  return item.consignorID === null
    ? ["allocate", "sell", "edit", "labels", "remove", "delete"]
    : ["sell", "copy", "edit", "labels", "remove", "delete"];
}

/** The actions as menu items. Those that need units are disabled if there are none. */
export function menuOf(
  item: InventoryItem,
  wanted: readonly ItemAct[],
  onAct: OnAct,
): readonly MenuItem[] {
  return wanted.map((act) => ({
    ...acts[act],
    onSelect: () => onAct(act, item),
    isDanger: act === "delete",
    startsGroup: act === "delete",
    isDisabled: needsUnits(act) && item.quantity === 0,
  }));
}

/** The row's menu also has the link: a narrow list has no column for it. */
export function rowMenuOf(
  item: InventoryItem,
  wanted: readonly ItemAct[],
  onAct: OnAct,
): readonly MenuItem[] {
  const menu = menuOf(item, wanted, onAct);
  const link = { label: "Link", icon: ExternalLink, href: item.link };
  return item.link === ""
    ? menu
    : [
        ...menu.filter(({ isDanger }) => isDanger !== true),
        link,
        ...menu.filter(({ isDanger }) => isDanger === true),
      ];
}

function needsUnits(act: ItemAct): boolean {
  return act === "sell" || act === "allocate" || act === "remove";
}

export function ActButton({
  act,
  item,
  onAct,
  variant = "secondary",
  ...rest
}: {
  readonly act: ItemAct;
  readonly item: InventoryItem;
  readonly onAct: OnAct;
  readonly variant?: ButtonVariant;
  /** What has the focus when a scan opened the item. */
  readonly "data-first-act"?: "" | undefined;
}) {
  return (
    <Button
      {...rest}
      icon={acts[act].icon}
      variant={variant}
      aria-label={`${acts[act].label}: ${item.itemName}`}
      disabled={needsUnits(act) && item.quantity === 0}
      onClick={() => onAct(act, item)}
    >
      {acts[act].label}
    </Button>
  );
}

function RowActs({ item, onAct }: { readonly item: InventoryItem; readonly onAct: OnAct }) {
  const [first, ...rest] = actsOf(item);
  const isPhone = useIsPhone();
  return (
    <span className="-my-1 flex items-center justify-end gap-1 max-sm:gap-0">
      {isPhone ? (
        <IconButton
          icon={acts[first].icon}
          label={`${acts[first].label}: ${item.itemName}`}
          disabled={needsUnits(first) && item.quantity === 0}
          onClick={() => onAct(first, item)}
        />
      ) : (
        <ActButton act={first} item={item} onAct={onAct} variant="quiet" />
      )}
      <Menu label={`More for ${item.itemName}`} items={rowMenuOf(item, rest, onAct)} />
    </span>
  );
}

function OutsideLink({ item }: { readonly item: InventoryItem }) {
  return item.link === "" ? (
    <Unknown reason="no link" />
  ) : (
    <a
      href={item.link}
      target="_blank"
      rel="noreferrer"
      aria-label={withIsolatedNames(`Link of ${item.itemName}`)}
      className="inline-flex min-h-6 items-center gap-1 text-accent hover:underline"
    >
      <Icon of={ExternalLink} size={14} />
      Link
    </a>
  );
}

function Code({ children }: { readonly children: string }) {
  return children === "" ? <Unknown reason="none" /> : <CutCode>{children}</CutCode>;
}

const facts: readonly Column<InventoryItem, ItemSort>[] = [
  {
    id: "itemName",
    header: "Item Name",
    card: "title",
    isTruncated: true,
    width: "min-w-48 w-[32%]",
    sortAs: "itemName",
    cell: (item) => <PicturedName url={item.imageUrl}>{item.itemName}</PicturedName>,
  },
  {
    id: "barcode1",
    header: "Barcode 1",
    card: "none",
    isTruncated: true,
    width: "min-w-28 w-[12%]",
    sortAs: "barcode1",
    cell: (item) => <Code>{item.barcode1}</Code>,
  },
  {
    id: "barcode2",
    header: "Barcode 2",
    card: "none",
    isTruncated: true,
    width: "min-w-28 w-[12%]",
    shownFrom: "73rem",
    sortAs: "barcode2",
    cell: (item) => <Code>{item.barcode2}</Code>,
  },
  {
    id: "location",
    header: "Location",
    card: "line",
    isTruncated: true,
    width: "min-w-24 w-[9%]",
    sortAs: "location",
    cell: (item) => (item.location === "" ? <Unknown reason="no location" /> : item.location),
  },
  {
    id: "quantity",
    header: "Quantity",
    card: "line",
    align: "end",
    sortAs: "quantity",
    cell: (item) => (
      <>
        {formatCount(item.quantity)}
        <span className="hidden in-data-cards:inline">
          {` in stock${heldUnits(item) === 0 ? "" : `, ${formatCount(heldUnits(item))} held`}`}
        </span>
        <span className="in-data-cards:hidden">
          <HeldUnits item={item} />
        </span>
      </>
    ),
  },
  {
    id: "source",
    header: "Source",
    card: "line",
    isTruncated: true,
    width: "min-w-32 w-[14%]",
    sortAs: "source",
    cell: (item) => (
      <>
        <span className="in-data-cards:hidden">
          <OwnerLink item={item} />
        </span>
        <span className="hidden in-data-cards:inline">{ownerName(item)}</span>
      </>
    ),
  },
  {
    id: "link",
    header: "Link",
    card: "none",
    shownFrom: "73rem",
    cell: (item) => <OutsideLink item={item} />,
  },
];

/** If no loaded item has a second barcode, its column is as narrow as its heading, and the names get its room. */
const widthsWithoutBarcode2: Readonly<Record<string, string>> = {
  itemName: "min-w-48 w-[44%]",
  barcode2: "",
};

/**
 * Keep `onAct` stable: the rows rerender when the columns change. `sortsByQuantity` is false if there are more matches
 * than the server can sort by quantity, `hasBarcode2` if no loaded item has a second barcode.
 */
export function inventoryColumns(
  onAct: OnAct,
  sortsByQuantity: boolean,
  hasBarcode2: boolean,
): readonly Column<InventoryItem, ItemSort>[] {
  const columns = facts.map((column) => {
    const width = hasBarcode2 ? undefined : widthsWithoutBarcode2[column.id];
    return width === undefined ? column : { ...column, width };
  });
  return [
    ...columns.map(({ sortAs, ...column }) =>
      sortAs === undefined || (sortAs === "quantity" && !sortsByQuantity)
        ? column
        : { ...column, sortAs },
    ),
    {
      id: "actions",
      header: "Actions",
      card: "actions",
      align: "end",
      cell: (item) => <RowActs item={item} onAct={onAct} />,
    },
  ];
}
