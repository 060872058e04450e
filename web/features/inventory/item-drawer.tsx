// One item next to the list: its facts, the actions on it, and its whole history.
import { ExternalLink } from "lucide-react";
import { useEffect, useRef, type ReactNode, type RefObject } from "react";
import { useLocation } from "react-router-dom";
import type { InventoryItem } from "#features/inventory/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import type { Freshness } from "#web/lib/read.ts";
import { Chip } from "#web/ui/chip.tsx";
import { AuditLink } from "#web/shared/audit/audit-link.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { WhyLink } from "#web/shared/explain/line-links.tsx";
import { AsOfField } from "#web/shared/past/as-of-field.tsx";
import { momentIn } from "#web/shared/past/moment.ts";
import { useParams } from "#web/lib/search-param.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { useItem } from "./inventory-api.ts";
import { ActButton, actsOf, menuOf, type ItemAct } from "./inventory-columns.tsx";
import { ItemImage } from "#web/shared/item/item-image.tsx";
import { daysUnsoldText } from "./days-unsold.ts";
import { ItemTimeline } from "./item-timeline.tsx";
import { HeldUnits } from "#web/shared/item/held-units.tsx";
import { OwnerLink } from "#web/shared/item/owner-chip.tsx";

const PastItem = onDemand(
  () => import("#web/shared/past/past-item.tsx").then((file) => file.PastItem),
  {
    fallback: <Skeleton className="h-40" />,
    ifMissing: "throw",
  },
);

type ItemDrawerProps = {
  readonly id: string;
  /** The item as the list shows it, until the item's own read has loaded. */
  readonly known: InventoryItem | undefined;
  readonly onAct: (act: ItemAct, item: InventoryItem) => void;
  /** The list's freshness, for a held item that has no read of its own. */
  readonly listFreshness: Freshness | undefined;
  readonly onClose: () => void;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
};

export function ItemDrawer(props: ItemDrawerProps) {
  const { id, known, listFreshness, onAct, onClose, onPrevious, onNext } = props;
  const read = useItem(id);
  const freshness = read.freshness ?? listFreshness;
  const item = read.data?.item ?? known;
  const [params] = useParams();
  const at = momentIn(params);
  return (
    <Drawer
      title={item?.itemName ?? "Item"}
      subtitle={
        item === undefined ? undefined : (
          <span className="flex flex-wrap items-center gap-2">
            <OwnerLink item={item} />
            {item.archived ? <Chip kind="neutral">Deleted</Chip> : null}
            {item.listingTitle === "" ? null : (
              <span className="min-w-0 wrap-anywhere">{item.listingTitle}</span>
            )}
          </span>
        )
      }
      freshness={freshness}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
    >
      <ExplainHost />
      {at !== undefined ? (
        <PastItem itemId={id} at={at} />
      ) : item === undefined ? (
        read.error === undefined ? (
          <Skeleton className="h-24" />
        ) : (
          <ErrorState
            title="The item could not be loaded"
            thing="item"
            error={read.error}
            onRetry={read.refresh}
          />
        )
      ) : (
        <div className="flex flex-col gap-6">
          <div className="flex gap-4">
            <ItemImage url={item.imageUrl} size="large" />
            <Facts item={item} />
          </div>
          {item.archived ? null : <DrawerActs item={item} onAct={onAct} />}
          <span className="flex flex-wrap gap-x-4">
            <AuditLink to={{ item: id }} />
            <WhyLink why={{ kind: "item", id }}>Where it came from</WhyLink>
          </span>
          <AsOfField />
          <ItemTimeline key={id} itemId={id} isHeldSaid={(freshness?.heldRows ?? 0) > 0} />
        </div>
      )}
    </Drawer>
  );
}

/** Somebody who scanned an item, or looked for it by name, most likely sells it. */
function sellingFirst(acts: readonly ItemAct[]): readonly [ItemAct, ...ItemAct[]] {
  return ["sell", ...acts.filter((act) => act !== "sell")];
}

function FocusFirst({ frame }: { readonly frame: RefObject<HTMLElement | null> }) {
  useEffect(() => frame.current?.querySelector<HTMLElement>("[data-first-act]")?.focus(), [frame]);
  return null;
}

function DrawerActs({
  item,
  onAct,
}: Pick<ItemDrawerProps, "onAct"> & { readonly item: InventoryItem }) {
  const { state, key } = useLocation();
  const isFound = typeof state === "object" && state !== null && "isFound" in state;
  const [first, second, ...rest] = isFound ? sellingFirst(actsOf(item)) : actsOf(item);
  const frame = useRef<HTMLDivElement>(null);
  return (
    <div ref={frame} className="flex gap-2 max-sm:*:first:grow">
      {/* A new key of the address: another scan while the drawer is open. */}
      {isFound ? <FocusFirst key={key} frame={frame} /> : null}
      <ActButton
        act={first}
        item={item}
        onAct={onAct}
        variant="primary"
        data-first-act={isFound ? "" : undefined}
      />
      {second === undefined ? null : <ActButton act={second} item={item} onAct={onAct} />}
      <Menu label={`More for ${item.itemName}`} items={menuOf(item, rest, onAct)} />
    </div>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-12 text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

function Facts({ item }: { readonly item: InventoryItem }) {
  const code = (value: string) =>
    value === "" ? <Unknown reason="none" /> : <span className="font-mono text-12">{value}</span>;
  return (
    <dl className="grid min-w-0 grow grid-cols-2 content-start gap-x-4 gap-y-2">
      <Fact label="Quantity">
        <span className="font-semibold tabular-nums">{formatCount(item.quantity)}</span>
        <HeldUnits item={item} />
      </Fact>
      <Fact label="Location">
        {item.location === "" ? <Unknown reason="no location" /> : item.location}
      </Fact>
      <Fact label="Tag price">
        {item.tagPriceCents === null ? (
          <Unknown reason="no tag price" />
        ) : (
          <Money cents={item.tagPriceCents} />
        )}
      </Fact>
      <Fact label="Unsold for">
        {item.quantity === 0 ? <Unknown reason="none in stock" /> : daysUnsoldText(item)}
      </Fact>
      <Fact label="Barcode 1">{code(item.barcode1)}</Fact>
      <Fact label="Barcode 2">{code(item.barcode2)}</Fact>
      {item.asin === "" ? null : <Fact label="ASIN">{code(item.asin)}</Fact>}
      {item.link === "" ? null : (
        <Fact label="Link">
          <a
            href={item.link}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-6 items-center gap-1 text-accent hover:underline"
          >
            {new URL(item.link).hostname}
            <Icon of={ExternalLink} size={14} />
          </a>
        </Fact>
      )}
    </dl>
  );
}
