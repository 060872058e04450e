// The calls of /admin-shipments: the list, marking and counting shipments, and uploading labels.
import {
  adminShipmentsResponse,
  shipmentChangedResponse,
  type AdminShipmentsResponse,
  type AssignShipmentRequest,
  type Carrier,
  type ShipmentChangedResponse,
  type ShipmentSort,
  type ShipmentStatusRequest,
  type ShipmentTab,
  type ShipmentView,
} from "#features/shipments/contract.ts";
import { pathOf, send, type Query } from "#web/lib/http.ts";
import { sortParams, type ListSort } from "#web/lib/list-sort.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const pageSize = 50;

export type AdminFilters = {
  readonly tab: ShipmentTab | undefined;
  readonly q: string | undefined;
  readonly consignor: string | undefined;
  readonly showCompleted: boolean;
};

function queryOf({ tab, q, consignor, showCompleted }: AdminFilters): Query {
  return { tab, q, consignor, showCompleted: showCompleted || undefined };
}

const shipmentsOf = (page: AdminShipmentsResponse): readonly ShipmentView[] => page.shipments;
const hasMoreShipments = (page: AdminShipmentsResponse): boolean => page.nextCursor !== null;

export function useAdminShipments(
  filters: AdminFilters,
  sort: ListSort<ShipmentSort> | undefined,
): PagedRead<ShipmentView, AdminShipmentsResponse> {
  return usePagedRead({
    pathOf: (_page, previous: AdminShipmentsResponse | undefined) =>
      pathOf("/shipments/admin/all", {
        ...queryOf(filters),
        ...sortParams(sort),
        limit: pageSize,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: adminShipmentsResponse,
    rowsOf: shipmentsOf,
    hasMoreAfter: hasMoreShipments,
  });
}

/** The counts in the tabs, independent of the filters. */
export function useShipmentTotals(): Read<AdminShipmentsResponse> {
  return useRead(pathOf("/shipments/admin/all", { limit: 1 }), adminShipmentsResponse);
}

export function adminExportPath(filters: AdminFilters): string {
  return pathOf("/shipments/admin/export", queryOf(filters));
}

export type Marked = { readonly id: string; readonly body: ShipmentStatusRequest };

export function markShipment({ id, body }: Marked, key: string): Promise<ShipmentChangedResponse> {
  const path = `/shipments/admin/${id}/status`;
  return send({ method: "PATCH", path, body, answer: shipmentChangedResponse, key });
}

export type Assigned = { readonly id: string; readonly consignorID: string };

export function assignShipment(
  { id, consignorID }: Assigned,
  key: string,
): Promise<ShipmentChangedResponse> {
  const path = `/shipments/admin/${id}/consignor`;
  return send({
    method: "POST",
    path,
    body: { consignorID } satisfies AssignShipmentRequest,
    answer: shipmentChangedResponse,
    key,
  });
}

export type LabelUpload = {
  readonly id: string;
  readonly file: File;
  /** Identifies the file: files have no fields that JSON would include. */
  readonly fileKey: string;
  readonly trackingNumber: string;
  readonly carrier: Exclude<Carrier, "OTHER">;
};

export function uploadLabel(
  { id, file, trackingNumber, carrier }: LabelUpload,
  key: string,
): Promise<ShipmentChangedResponse> {
  const form = new FormData();
  form.append("label", file);
  form.append("trackingNumber", trackingNumber);
  form.append("carrier", carrier);
  const path = `/shipments/admin/${id}/label`;
  return send({ method: "POST", path, form, answer: shipmentChangedResponse, key });
}
