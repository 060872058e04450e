// The calls about shipments: consignors submit them, admins take them in, both see where they are.
import { Hono } from "hono";
import { admin, self } from "#http/access.ts";
import { answerCsvBatches } from "#http/csv.ts";
import { expensiveFile, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv, FreshEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { answerPdf } from "#http/file.ts";
import { readsFrom, refuseHeld, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import type { EventExplanations } from "#features/histories.ts";
import type { ShipmentDetailResponse, ShipmentView } from "#features/shipments/contract.ts";
import {
  adminShipmentParams,
  adminShipmentsExportQuery,
  adminShipmentsQuery,
  adminShipmentsResponse,
  shipmentDetailResponse,
  shipmentHistoryParams,
  shipmentHistoryResponse,
  shipmentParams,
  shipmentsExportQuery,
  shipmentsQuery,
  shipmentsResponse,
  shipmentUserParams,
} from "#features/shipments/contract.ts";
import { lookUpShipment } from "#features/shipments/look-ups.ts";
import {
  exportShipments,
  readChanges,
  readItems,
  readShipments,
  SHIPMENT_CSV_HEAD,
  statusOf,
  viewOf,
} from "#features/shipments/queries.ts";
import { addAdminCommands } from "#features/shipments/routes-admin.ts";
import { addOwnCommands } from "#features/shipments/routes-own.ts";
import { findShipmentRow } from "#features/shipments/search.ts";
import { shipToOf } from "#features/shipments/ship-to.ts";
import { shortShipmentId } from "#features/shipments/streams.ts";
import type { Context } from "hono";

const tag = "shipments";

type ShipmentDeps = RouteDeps & { readonly explanations: EventExplanations };

/** `explanations` say how the events of every feature read in a history. */
export function shipmentRoutes(deps: RouteDeps, explanations: EventExplanations): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  // Paths that begin with "admin" come first, because `:userId` matches "admin" too.
  addAdminReads(routes, { ...deps, explanations });
  addAdminCommands(routes, deps);
  addOwnReads(routes, { ...deps, explanations });
  addOwnCommands(routes, deps);
  addHistory(routes, deps);
  return routes;
}

function addAdminReads(routes: Hono<AppEnv>, deps: ShipmentDeps): void {
  routes.get(
    "/shipments/admin/all",
    admin,
    documented({ summary: "List everybody's shipments", tag, answer: adminShipmentsResponse }),
    queryString(adminShipmentsQuery),
    readsFrom("shipments"),
    expensiveSearch,
    async (c) => {
      const { sort, order, cursor, limit, ...asked } = c.req.valid("query");
      const page = { sort, order, cursor, limit };
      return respondFresh(c, await readShipments(deps.searches, adminFilters(asked), page));
    },
  );
  routes.get(
    "/shipments/admin/export",
    admin,
    documentedFile({ summary: "Export everybody's shipments", tag, types: ["text/csv"] }),
    queryString(adminShipmentsExportQuery),
    readsFrom("shipments"),
    expensiveFile,
    async (c) => {
      const lines = exportShipments(deps.searches, adminFilters(c.req.valid("query")));
      return answerCsvBatches(c, "shipments.csv", SHIPMENT_CSV_HEAD, lines);
    },
  );
  routes.get(
    "/shipments/admin/:id",
    admin,
    documented({ summary: "Show any shipment", tag, answer: shipmentDetailResponse }),
    pathParams(adminShipmentParams),
    readsFrom("shipments", "inventory"),
    async (c) => {
      const { id } = c.req.valid("param");
      return respondFresh(c, await readDetail(c, deps, id, undefined));
    },
  );
}

type AskedAsAdmin = {
  readonly tab?: Parameters<typeof readShipments>[1]["tab"];
  readonly q?: string | undefined;
  readonly consignor?: string | undefined;
  readonly showCompleted: "true" | "false";
};

function adminFilters({ tab, q, consignor, showCompleted }: AskedAsAdmin) {
  return {
    tab,
    q,
    uid: consignor,
    showCompleted: showCompleted === "true",
    searchesNames: true,
  };
}

/** A consignor's list includes completed shipments; names are not searched. */
function ownFilters(
  uid: string,
  { tab, q }: { readonly tab?: AskedAsAdmin["tab"]; readonly q?: string | undefined },
) {
  return { tab, q, uid, showCompleted: true, searchesNames: false };
}

function addOwnReads(routes: Hono<AppEnv>, deps: ShipmentDeps): void {
  routes.get(
    "/shipments/:userId",
    self("userId"),
    documented({ summary: "List a consignor's shipments", tag, answer: shipmentsResponse }),
    pathParams(shipmentUserParams),
    queryString(shipmentsQuery),
    readsFrom("shipments"),
    async (c) => {
      const { userId } = c.req.valid("param");
      const { sort, order, cursor, limit, ...asked } = c.req.valid("query");
      const page = { sort, order, cursor, limit };
      const [list, shipTo] = await Promise.all([
        readShipments(deps.searches, ownFilters(userId, asked), page),
        shipToOf(deps, userId),
      ]);
      return respondFresh(c, { ...list, shipTo });
    },
  );
  routes.get(
    "/shipments/:userId/:shipmentId",
    self("userId"),
    documented({ summary: "Show a consignor's shipment", tag, answer: shipmentDetailResponse }),
    pathParams(shipmentParams),
    readsFrom("shipments", "inventory"),
    async (c) => {
      const { userId, shipmentId } = c.req.valid("param");
      return respondFresh(c, await readDetail(c, deps, shipmentId, userId));
    },
  );
  routes.get(
    "/shipments/:userId/:shipmentId/label",
    self("userId"),
    documentedFile({ summary: "Download a prepaid label", tag, types: ["application/pdf"] }),
    pathParams(shipmentParams),
    async (c) => {
      const { userId, shipmentId } = c.req.valid("param");
      const found = await lookUpShipment(deps, shipmentId);
      if (found === undefined || found.consignorId !== userId || found.labelId === null) {
        throw notFound("label_not_found", "There is no label for this shipment");
      }
      const label = await deps.labels.open(found.labelId);
      if (label === null || label.ownerUid !== userId) {
        throw notFound("label_not_kept", "This label is no longer kept");
      }
      return answerPdf(c, `label-${shortShipmentId(shipmentId)}.pdf`, label.bytes);
    },
  );
}

async function readDetail(
  c: Pick<Context<FreshEnv>, "var">,
  deps: ShipmentDeps,
  shipmentId: string,
  uid: string | undefined,
): Promise<ShipmentDetailResponse> {
  await refuseHeld(c, "shipments", shipmentId, "This shipment");
  const row = await findShipmentRow(deps.reads, shipmentId, uid);
  if (row === undefined) {
    throw notFound("shipment_not_found", "There is no such shipment");
  }
  const shipment: ShipmentView = viewOf(row);
  const { consignorID: consignorId } = shipment;
  const forAdmin = c.var.person?.role === "admin";
  const [items, changes, shipTo] = await Promise.all([
    readItems(deps.reads, shipmentId),
    readChanges(deps, shipmentId, { consignorId, forAdmin }),
    consignorId === null ? null : shipToOf(deps, consignorId),
  ]);
  return { shipment, shipTo, items, changes };
}

function addHistory(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/sales/shipments/:id",
    self("id"),
    documented({
      summary: "List a consignor's shipments for the sales history",
      tag,
      answer: shipmentHistoryResponse,
    }),
    pathParams(shipmentHistoryParams),
    queryString(shipmentsQuery),
    readsFrom("shipments"),
    async (c) => {
      const { sort, order, cursor, limit, ...asked } = c.req.valid("query");
      const filters = ownFilters(c.req.valid("param").id, asked);
      const page = { sort, order, cursor, limit };
      const { shipments, ...rest } = await readShipments(deps.searches, filters, page);
      const shipped = shipments.map((shipment) => ({
        ...shipment,
        shippedDate: shipment.timestamp,
        status: statusOf(shipment),
      }));
      return respondFresh(c, { shipments: shipped, ...rest });
    },
  );
  routes.get(
    "/sales/shipments/:id/export",
    self("id"),
    documentedFile({ summary: "Export a consignor's shipments", tag, types: ["text/csv"] }),
    pathParams(shipmentHistoryParams),
    queryString(shipmentsExportQuery),
    readsFrom("shipments"),
    expensiveFile,
    async (c) => {
      const filters = ownFilters(c.req.valid("param").id, c.req.valid("query"));
      const lines = exportShipments(deps.searches, filters);
      return answerCsvBatches(c, "shipments.csv", SHIPMENT_CSV_HEAD, lines);
    },
  );
}
