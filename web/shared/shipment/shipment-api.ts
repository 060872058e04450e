// The shipment calls of several screens: lists, one shipment with its items and history, and changes.
import {
  shipmentChangedResponse,
  shipmentDetailResponse,
  shipmentHistoryResponse,
  shipmentsResponse,
  type AdminShipmentRequest,
  type ShipmentChangedResponse,
  type ShipmentDetailResponse,
  type ShipmentHistoryResponse,
  type ShipmentRequest,
  type ShipmentSort,
  type ShipmentsResponse,
  type ShipmentView,
  type ShippedShipment,
  type SubmitShipmentRequest,
} from "#features/shipments/contract.ts";
import { download } from "#web/lib/download.ts";
import { pathOf, send } from "#web/lib/http.ts";
import { sortParams, type ListSort } from "#web/lib/list-sort.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const pageSize = 50;

type Asked = {
  readonly q?: string | undefined;
  readonly sort?: ListSort<ShipmentSort> | undefined;
};

const shipmentsOf = (page: ShipmentsResponse): readonly ShipmentView[] => page.shipments;
const hasMoreShipments = (page: { readonly nextCursor: string | null }): boolean =>
  page.nextCursor !== null;

/** One person's shipments, with the address to send to. */
export function useShipments(
  uid: string,
  { q, sort }: Asked = {},
): PagedRead<ShipmentView, ShipmentsResponse> {
  return usePagedRead({
    pathOf: (_page, previous: ShipmentsResponse | undefined) =>
      pathOf(`/shipments/${uid}`, {
        q,
        ...sortParams(sort),
        limit: pageSize,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: shipmentsResponse,
    rowsOf: shipmentsOf,
    hasMoreAfter: hasMoreShipments,
  });
}

const shippedOf = (page: ShipmentHistoryResponse): readonly ShippedShipment[] => page.shipments;

/** The same for the sales history. */
export function useShippedShipments(
  uid: string,
  { q, sort }: Asked,
): PagedRead<ShippedShipment, ShipmentHistoryResponse> {
  return usePagedRead({
    pathOf: (_page, previous: ShipmentHistoryResponse | undefined) =>
      pathOf(`/sales/shipments/${uid}`, {
        q,
        ...sortParams(sort),
        limit: pageSize,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: shipmentHistoryResponse,
    rowsOf: shippedOf,
    hasMoreAfter: hasMoreShipments,
  });
}

export function shipmentExportPath(uid: string, q: string | undefined): string {
  return pathOf(`/sales/shipments/${uid}/export`, { q });
}

/** `uid` is the owner; admins can leave it out. */
export function useShipment(id: string, uid: string | undefined): Read<ShipmentDetailResponse> {
  return useRead(`/shipments/${uid ?? "admin"}/${id}`, shipmentDetailResponse);
}

/** The owner in the path, or "admin" for the admins' calls. */
export type Whose = { readonly uid: string } | "admin";

function pathFor(whose: Whose): string {
  return `/shipments/${whose === "admin" ? "admin" : whose.uid}`;
}

export type Submitted = {
  readonly whose: Whose;
  readonly body: SubmitShipmentRequest | AdminShipmentRequest;
};

export function submitShipment(
  { whose, body }: Submitted,
  key: string,
): Promise<ShipmentChangedResponse> {
  return send({
    method: "POST",
    path: pathFor(whose),
    body,
    answer: shipmentChangedResponse,
    key,
  });
}

export type Changed = {
  readonly whose: Whose;
  readonly id: string;
  readonly body: ShipmentRequest;
};

export function changeShipment(
  { whose, id, body }: Changed,
  key: string,
): Promise<ShipmentChangedResponse> {
  const path = `${pathFor(whose)}/${id}`;
  return send({ method: "PATCH", path, body, answer: shipmentChangedResponse, key });
}

export function deleteShipment(
  { whose, id }: Pick<Changed, "whose" | "id">,
  key: string,
): Promise<ShipmentChangedResponse> {
  const path = `${pathFor(whose)}/${id}`;
  return send({ method: "DELETE", path, answer: shipmentChangedResponse, key });
}

/** Saves the prepaid label. Throws ApiError. */
export function downloadLabel({
  id,
  shortId,
  consignorID,
}: Pick<ShipmentView, "id" | "shortId" | "consignorID">): Promise<void> {
  return download(`/shipments/${consignorID ?? ""}/${id}/label`, `label-${shortId}.pdf`);
}
