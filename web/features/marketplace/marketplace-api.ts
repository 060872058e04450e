// What the marketplace reads: the grid, page by page, and the addresses that the viewer's last trades went to.
import {
  marketplaceResponse,
  type MarketplaceItem,
  type MarketplaceResponse,
  type MarketplaceSort,
} from "#features/marketplace/contract.ts";
import type { ShippingAddress } from "#features/trades/contract.ts";
import { pathOf } from "#web/lib/http.ts";
import { sortParams, type ListSort } from "#web/lib/list-sort.ts";
import { usePagedRead, type PagedRead } from "#web/lib/read.ts";
import { sameAddress } from "#web/shared/trade/address-draft.ts";
import { useMyTrades, useTradeShipping } from "#web/shared/trade/trade-api.ts";

const itemsOf = (page: MarketplaceResponse): readonly MarketplaceItem[] => page.items;
const hasMoreItems = (page: MarketplaceResponse): boolean => page.nextCursor !== null;

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

/** The addresses of the last three trades, each once, the newest first; undefined while they are on their way. */
export function useSavedAddresses(): readonly ShippingAddress[] | undefined {
  const trades = useMyTrades(3);
  const ids = trades.rows?.map(({ tradeId }) => tradeId) ?? [];
  const reads = [
    useTradeShipping(ids[0]),
    useTradeShipping(ids[1]),
    useTradeShipping(ids[2]),
  ].slice(0, ids.length);
  if (
    (trades.rows === undefined && trades.error === undefined) ||
    reads.some(({ data, error }) => data === undefined && error === undefined)
  ) {
    return undefined;
  }
  const addresses = reads.flatMap(({ data }) => data?.shippingAddress ?? []);
  return addresses.filter(
    (address, index) => addresses.findIndex((other) => sameAddress(address, other)) === index,
  );
}
