// What the marketplace reads: the grid, page by page, and the addresses of the viewer's last trades.
import {
  marketplaceResponse,
  type MarketplaceItem,
  type MarketplaceResponse,
  type MarketplaceSort,
} from "#features/marketplace/contract.ts";
import type { ShippingAddress } from "#features/trades/contract.ts";
import { pathOf } from "#web/lib/http.ts";
import { sortParams, type ListSort } from "#web/lib/list-sort.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";
import { sameAddress } from "#web/shared/trade/address-draft.ts";
import { useMyTrades, useTradeShipping } from "#web/shared/trade/trade-api.ts";

const itemsOf = (page: MarketplaceResponse): readonly MarketplaceItem[] => page.items;
const hasMoreItems = (page: MarketplaceResponse): boolean => page.nextCursor !== null;

/** The path below /api of the grid's file. */
export function marketplaceExportPath(
  searchTerm: string | undefined,
  sort: ListSort<MarketplaceSort> | undefined,
): string {
  return pathOf("/marketplace/items/export", { searchTerm, ...sortParams(sort) });
}

export function useMarketplace(
  searchTerm: string | undefined,
  sort: ListSort<MarketplaceSort> | undefined,
): PagedRead<MarketplaceItem, MarketplaceResponse> {
  return usePagedRead({
    pathOf: (_page, previous: MarketplaceResponse | undefined) =>
      pathOf("/marketplace/items", {
        searchTerm,
        ...sortParams(sort),
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: marketplaceResponse,
    rowsOf: itemsOf,
    hasMoreAfter: hasMoreItems,
  });
}

/** What the marketplace has of one barcode, which then comes first; undefined reads nothing. */
export function useItemOf(barcode1: string | undefined): Read<MarketplaceResponse> {
  return useRead(
    barcode1 === undefined
      ? undefined
      : pathOf("/marketplace/items", { searchTerm: barcode1, limit: 1 }),
    marketplaceResponse,
  );
}

/** The address of the last trade first, then those of the two before, each once. */
export function useSavedAddresses(
  last: ShippingAddress | null | undefined,
): readonly ShippingAddress[] {
  const ids = useMyTrades({ limit: 3 }).rows?.map(({ tradeId }) => tradeId) ?? [];
  const [second, third] = [useTradeShipping(ids[1]), useTradeShipping(ids[2])];
  const addresses = [last, second.data?.shippingAddress, third.data?.shippingAddress].flatMap(
    (address) => address ?? [],
  );
  return addresses.filter(
    (address, index) => addresses.findIndex((other) => sameAddress(address, other)) === index,
  );
}
