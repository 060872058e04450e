// /marketplace: what other consignors have in stock. A card opens the request form.
import { useState } from "react";
import { marketplaceSort, type MarketplaceItem } from "#features/marketplace/contract.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { sortIn } from "#web/lib/list-sort.ts";
import type { PagedRead } from "#web/lib/read.ts";
import { useParams } from "#web/lib/search-param.ts";
import { MarketPage } from "#web/shared/trade/market-page.tsx";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { askBeforeLeaving } from "#web/ui/leave-guard.ts";
import { LoadMore } from "#web/ui/load-more.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select } from "#web/ui/select.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { StoreIcon } from "#web/ui/thing-icons.ts";
import { marketplaceExportPath, useItemOf, useMarketplace } from "./marketplace-api.ts";
import { MarketplaceCard } from "./marketplace-card.tsx";

const RequestDrawer = onDemand(() =>
  import("./request-drawer.tsx").then((file) => file.RequestDrawer),
);

const MissingItem = onDemand(() => import("./missing-item.tsx").then((file) => file.MissingItem));

const sortChoices = [
  { value: "newest", label: "Newest first" },
  { value: "itemName", label: "Name" },
  { value: "totalQuantity-desc", label: "Most units" },
  { value: "lastTradedPrice", label: "Lowest last price" },
  { value: "lastTradedPrice-desc", label: "Highest last price" },
] as const;

const grid =
  "grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-4 max-sm:grid-cols-2 max-sm:gap-2";
const skeletons = ["a", "b", "c", "d", "e", "f", "g", "h"];

function SortSelect() {
  const [params, setParams] = useParams();
  const sort = sortIn(params, marketplaceSort);
  const value = sort === undefined ? "newest" : `${sort.by}${sort.isDescending ? "-desc" : ""}`;
  return (
    <Select
      aria-label="Sort by"
      value={sortChoices.find((choice) => choice.value === value)?.value ?? "newest"}
      choices={sortChoices}
      onValue={(chosen) => {
        const [by, order] = chosen.split("-");
        setParams({ sort: chosen === "newest" ? undefined : by, order });
      }}
    />
  );
}

export function MarketplaceScreen() {
  const [params, setParams] = useParams();
  const searchTerm = params.get("q") ?? undefined;
  const sort = sortIn(params, marketplaceSort);
  const market = useMarketplace(searchTerm, sort);
  const { rows } = market;
  const count = market.pages?.[0]?.count;
  const openId = params.get("item") ?? undefined;
  // The drawer stays open if a search or a newer answer removes the item from the grid.
  const [opened, setOpened] = useState<MarketplaceItem>();
  const isOpen = ({ barcode1 }: MarketplaceItem) => barcode1 === openId;
  const known = rows?.find(isOpen) ?? (opened?.barcode1 === openId ? opened : undefined);
  // A link may name an item that is not on the first page, or no longer on the marketplace.
  const linked = useItemOf(rows === undefined || known !== undefined ? undefined : openId);
  const item = known ?? linked.data?.items.find(isOpen);
  if (item !== opened) {
    setOpened(item);
  }

  function open(next: MarketplaceItem | undefined): void {
    setParams({ item: next?.barcode1 }, { push: next !== undefined });
  }

  /** On a desktop the cards stay usable beside the form of another one. */
  function openCard(next: MarketplaceItem): void {
    if (next.barcode1 !== openId) {
      askBeforeLeaving(() => open(next));
    }
  }

  return (
    <MarketPage title="Marketplace" freshness={market.freshness}>
      <div className="flex flex-wrap items-center gap-2 no-print">
        <SearchParamInput
          param="q"
          label="Search the marketplace"
          placeholder="Name or barcode"
          className="w-80 max-sm:w-full"
        />
        <span className="w-48 max-sm:min-w-0 max-sm:flex-1">
          <SortSelect />
        </span>
        <span className="ms-auto text-12 text-muted tabular-nums" aria-live="polite">
          {count === undefined
            ? ""
            : count.capped
              ? `${formatCount(count.value)}+ items`
              : formatQuantity(count.value, "item")}
        </span>
        <ExportButton path={marketplaceExportPath(searchTerm, sort)} name="marketplace" />
      </div>
      <Grid market={market} onOpen={openCard} />
      <LoadMore list={market} className="self-center" />
      {item !== undefined ? (
        <RequestDrawer key={item.barcode1} item={item} onClose={() => open(undefined)} />
      ) : openId !== undefined && (linked.data ?? linked.error) !== undefined ? (
        <MissingItem barcode1={openId} read={linked} onClose={() => open(undefined)} />
      ) : null}
    </MarketPage>
  );
}

type GridProps = {
  readonly market: PagedRead<MarketplaceItem>;
  readonly onOpen: (item: MarketplaceItem) => void;
};

function Grid({ market: { rows, error, refresh }, onOpen }: GridProps) {
  const [params, setParams] = useParams();
  if (rows === undefined) {
    return error === undefined ? (
      <div aria-busy="true" className={grid}>
        <output className="sr-only">Loading items</output>
        {skeletons.map((key) => (
          <Skeleton key={key} className="h-80 rounded-card max-sm:h-64" />
        ))}
      </div>
    ) : (
      <div className="card">
        <ErrorState
          title="Failed to load marketplace items"
          safe=""
          error={error}
          onRetry={refresh}
        />
      </div>
    );
  }
  return rows.length === 0 ? (
    <div className="card">
      <Nothing
        searchTerm={params.get("q") ?? undefined}
        onClear={() => setParams({ q: undefined })}
      />
    </div>
  ) : (
    <ul aria-label="Items for trade" className={grid}>
      {rows.map((row) => (
        <MarketplaceCard key={row.barcode1} item={row} onOpen={() => onOpen(row)} />
      ))}
    </ul>
  );
}

function Nothing({
  searchTerm,
  onClear,
}: {
  readonly searchTerm: string | undefined;
  readonly onClear: () => void;
}) {
  return searchTerm === undefined ? (
    <EmptyState icon={StoreIcon} title="Nothing to trade yet">
      Other consignors' items appear here as soon as the store has them in stock.
    </EmptyState>
  ) : (
    <EmptyState
      icon={StoreIcon}
      title="No items found"
      action={<Button onClick={onClear}>Clear</Button>}
    />
  );
}
