// The calls to submit a shipment and to change it until it arrives, by its consignor or an admin.
import type { Hono } from "hono";
import { rehearsable, self } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import {
  shipmentChangedResponse,
  shipmentParams,
  shipmentRequest,
  shipmentUserParams,
  submitShipmentRequest,
} from "#features/shipments/contract.ts";
import { change, remove, submit } from "#features/shipments/submission.ts";

const tag = "shipments";

export function addOwnCommands(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/shipments/:userId",
    rehearsable(self("userId")),
    documented({ summary: "Submit a shipment", tag, answer: shipmentChangedResponse }),
    pathParams(shipmentUserParams),
    jsonBody(submitShipmentRequest),
    async (c) => {
      const { boxOf, ...asked } = c.req.valid("json");
      return c.json(await submit(c, deps, asked, c.req.valid("param").userId, boxOf ?? null));
    },
  );
  routes.patch(
    "/shipments/:userId/:shipmentId",
    rehearsable(self("userId")),
    documented({ summary: "Change a shipment", tag, answer: shipmentChangedResponse }),
    pathParams(shipmentParams),
    jsonBody(shipmentRequest),
    async (c) => {
      const { userId, shipmentId } = c.req.valid("param");
      const which = { shipmentId, of: { consignorId: userId } };
      return c.json(await change(c, deps, c.req.valid("json"), which));
    },
  );
  routes.delete(
    "/shipments/:userId/:shipmentId",
    rehearsable(self("userId")),
    documented({ summary: "Delete a shipment", tag, answer: shipmentChangedResponse }),
    pathParams(shipmentParams),
    noBody,
    async (c) => {
      const { userId, shipmentId } = c.req.valid("param");
      return c.json(await remove(c, deps, { shipmentId, of: { consignorId: userId } }));
    },
  );
}
