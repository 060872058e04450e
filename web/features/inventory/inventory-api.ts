// The inventory's calls as hooks and commands: what the /admin screens read and send, checked against the contract.
import {
  itemResponse,
  searchCountResponse,
  searchResponse,
  timelineResponse,
  type InventoryItem,
  type SearchCountResponse,
  type TimelineLine,
  type TimelineResponse,
} from "#features/inventory/contract.ts";
import {
  ownerFilter,
  searchCountQuery,
  searchPreset,
} from "#features/inventory/contract-queries.ts";
import {
  itemChangedResponse,
  itemFilledResponse,
  type AddConsignorItemRequest,
  type AddMasterItemRequest,
  type AllocateRequest,
  type CopyToConsignorRequest,
  type EditItemRequest,
  type ItemChangedResponse,
  type ItemFilledResponse,
  type RemovalReason,
  type RemoveUnitsRequest,
} from "#features/inventory/contract-commands.ts";
import {
  changePricesResponse,
  type ChangePricesRequest,
  type ChangePricesResponse,
} from "#features/inventory/contract-prices.ts";
import { pathOf, send } from "#web/lib/http.ts";
import type { InventoryFilters } from "#web/shared/item/item-search.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const timelineLimit = 50;

/** The filters in an address. Unknown values are ignored. */
export function filtersIn(params: URLSearchParams): InventoryFilters {
  const filter = ownerFilter.safeParse(params.get("filter"));
  const preset = searchPreset.safeParse(params.get("preset"));
  const unsold = searchCountQuery.safeParse({ unsoldDays: params.get("unsoldDays") ?? undefined });
  const text = (name: string) => params.get(name)?.trim() || undefined;
  const searchTerm = text("q");
  const location = text("location");
  const consignor = text("consignor");
  return {
    ...(searchTerm === undefined ? {} : { searchTerm }),
    ...(location === undefined ? {} : { location }),
    ...(consignor === undefined ? {} : { consignor }),
    ...(filter.success && filter.data !== "all" ? { filter: filter.data } : {}),
    ...(preset.success ? { preset: preset.data } : {}),
    ...(unsold.success && unsold.data.unsoldDays !== undefined
      ? { unsoldDays: unsold.data.unsoldDays }
      : {}),
  };
}

export function useItemCount(filters: InventoryFilters): Read<SearchCountResponse> {
  return useRead(pathOf("/inventory/search/count", filters), searchCountResponse, {
    keepPrevious: true,
  });
}

/** One item, even if it is deleted; undefined reads nothing. */
export function useItem(id: string | undefined): Read<{ readonly item: InventoryItem }> {
  return useRead(id === undefined ? undefined : `/inventory/items/${id}`, itemResponse);
}

const linesOf = (page: TimelineResponse): readonly TimelineLine[] => page.lines;
const hasMoreLines = (page: TimelineResponse): boolean => page.hasMore;

export function useItemTimeline(id: string): PagedRead<TimelineLine> {
  return usePagedRead({
    pathOf: (page) => pathOf(`/inventory/items/${id}/timeline`, { limit: timelineLimit, page }),
    schema: timelineResponse,
    rowsOf: linesOf,
    hasMoreAfter: hasMoreLines,
  });
}

/**
 * The item of this owner (null for the store) that has exactly this barcode, if any; an undefined barcode
 * reads nothing. Exact barcodes come first in a search, so the first few results are enough.
 */
export function useBarcodeHolder(
  barcode1: string | undefined,
  ownerUid: string | null,
): InventoryItem | undefined {
  const owner =
    ownerUid === null ? { filter: "master" } : { filter: "consignor", consignor: ownerUid };
  const { data } = useRead(
    barcode1 === undefined
      ? undefined
      : pathOf("/inventory/search", { searchTerm: barcode1, ...owner, limit: 10, page: 1 }),
    searchResponse,
  );
  return data?.items.find((item) => item.barcode1 === barcode1);
}

function itemPath({ id, consignorID }: Pick<InventoryItem, "id" | "consignorID">): string {
  return consignorID === null
    ? `/inventory/master/${id}`
    : `/inventory/consignor/${encodeURIComponent(consignorID)}/${id}`;
}

export function addMasterItem(
  body: AddMasterItemRequest,
  key: string,
): Promise<ItemChangedResponse> {
  return send({
    method: "POST",
    path: "/inventory/master",
    body,
    answer: itemChangedResponse,
    key,
  });
}

export function addConsignorItem(
  body: AddConsignorItemRequest,
  key: string,
): Promise<ItemChangedResponse> {
  const path = "/inventory/consignor";
  return send({ method: "POST", path, body, answer: itemChangedResponse, key });
}

export function editItem(
  item: Pick<InventoryItem, "id" | "consignorID">,
  body: EditItemRequest,
  key: string,
): Promise<ItemChangedResponse> {
  return send({ method: "PUT", path: itemPath(item), body, answer: itemChangedResponse, key });
}

/** `reason` says why its units leave. */
export function deleteItem(
  item: Pick<InventoryItem, "id" | "consignorID">,
  reason: RemovalReason | undefined,
  key: string,
): Promise<ItemChangedResponse> {
  const path = pathOf(itemPath(item), { reason });
  return send({ method: "DELETE", path, answer: itemChangedResponse, key });
}

export function removeUnits(body: RemoveUnitsRequest, key: string): Promise<ItemChangedResponse> {
  const path = "/inventory/remove";
  return send({ method: "POST", path, body, answer: itemChangedResponse, key });
}

export function changePrices(
  body: ChangePricesRequest,
  key: string,
): Promise<ChangePricesResponse> {
  return send({
    method: "POST",
    path: "/inventory/prices",
    body,
    answer: changePricesResponse,
    key,
  });
}

/** Undoes a deletion: the item returns with the units it had. */
export function restoreItem(
  item: Pick<InventoryItem, "id" | "consignorID">,
  key: string,
): Promise<ItemChangedResponse> {
  const path = `${itemPath(item)}/restore`;
  return send({ method: "POST", path, answer: itemChangedResponse, key });
}

export function allocate(body: AllocateRequest, key: string): Promise<ItemFilledResponse> {
  const path = "/inventory/allocate";
  return send({ method: "POST", path, body, answer: itemFilledResponse, key });
}

export function copyToConsignor(
  body: CopyToConsignorRequest,
  key: string,
): Promise<ItemFilledResponse> {
  const path = "/inventory/copy-to-consignor";
  return send({ method: "POST", path, body, answer: itemFilledResponse, key });
}
