// Items to choose from below the field: search results, or the owners of one barcode.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- a list of a combobox: the field keeps the focus and handles the keys */
import { useEffect, useRef } from "react";
import type { CatalogueItem } from "#features/inventory/contract-catalogue.ts";
import { formatCount } from "#web/lib/formats.ts";
import { OwnerChip } from "#web/shared/item/owner-chip.tsx";
import { CutCode } from "#web/ui/cut-code.tsx";
import { ItemImage } from "#web/shared/item/item-image.tsx";
import { availableUnits } from "./till-cart.ts";

type ItemListProps = {
  readonly id: string;
  readonly label: string;
  readonly items: readonly CatalogueItem[];
  readonly highlighted: number;
  readonly onHighlight: (index: number) => void;
  readonly onPick: (item: CatalogueItem) => void;
};

export function ItemList({ id, label, items, highlighted, onHighlight, onPick }: ItemListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[highlighted]?.scrollIntoView({ block: "nearest" });
  }, [highlighted]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      className="card max-h-[60dvh] divide-y divide-border overflow-y-auto p-0"
    >
      {items.map((item, index) => (
        <Row
          key={item.id}
          id={`${id}-${index}`}
          item={item}
          isHighlighted={index === highlighted}
          onPoint={() => onHighlight(index)}
          onPick={() => onPick(item)}
        />
      ))}
    </div>
  );
}

type RowProps = {
  readonly id: string;
  readonly item: CatalogueItem;
  readonly isHighlighted: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
};

function Row({ id, item, isHighlighted, onPoint, onPick }: RowProps) {
  const left = availableUnits(item.id);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isHighlighted}
      aria-disabled={left <= 0}
      tabIndex={-1}
      onPointerMove={onPoint}
      onClick={onPick}
      className={`flex min-h-14 cursor-pointer items-center gap-3 px-3 py-2 ${isHighlighted ? "bg-accent-tint shadow-[inset_2px_0_var(--color-accent)]" : ""}`}
    >
      <ItemImage url={item.imageUrl} size="thumb" />
      <span className="flex min-w-0 grow gap-x-3 gap-y-1 max-sm:flex-col sm:items-center">
        <span className="flex min-w-0 grow flex-col">
          <span className="truncate font-medium">{item.itemName}</span>
          <span className="flex min-w-0 items-center gap-2 text-12 text-muted">
            <CutCode>{item.barcode1}</CutCode>
            {item.location === "" ? null : <span className="truncate">{item.location}</span>}
          </span>
        </span>
        <span className="flex shrink-0 items-center gap-3 max-sm:justify-between">
          <OwnerChip item={item} />
          <span
            className={`text-end text-12 tabular-nums ${left > 0 ? "text-muted" : "text-danger"}`}
          >
            {left > 0 ? `${formatCount(left)} in stock` : "None in stock"}
          </span>
        </span>
      </span>
    </div>
  );
}
