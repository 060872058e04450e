// The admins' calls: enter shipments, mark them, count units, and upload labels.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import type { CommandContext } from "#http/command.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { noteOf } from "#http/note.ts";
import { pdfForm } from "#http/pdf-form.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import type { YesNo } from "#features/shipments/contract.ts";
import {
  adminShipmentParams,
  adminShipmentRequest,
  assignShipmentRequest,
  shipmentChangedResponse,
  shipmentLabelForm,
  shipmentRequest,
  shipmentStatusRequest,
} from "#features/shipments/contract.ts";
import { markShipment, uploadShipmentLabel } from "#features/shipments/decider-store.ts";
import type { FoundShipment } from "#features/shipments/look-ups.ts";
import { lookUpShipment, warningOfRepeated } from "#features/shipments/look-ups.ts";
import { assign, change, changed, remove, submit } from "#features/shipments/submission.ts";
import { findShipmentText, writeShipmentText } from "#identity/shipment-texts.ts";

const tag = "shipments";

export function addAdminCommands(routes: Hono<AppEnv>, deps: RouteDeps): void {
  addEntries(routes, deps);
  addStatus(routes, deps);
  addLabel(routes, deps);
}

function addEntries(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/shipments/admin",
    rehearsable(admin),
    documented({ summary: "Enter anybody's shipment", tag, answer: shipmentChangedResponse }),
    jsonBody(adminShipmentRequest),
    async (c) => {
      const { consignorID, boxOf, ...asked } = c.req.valid("json");
      return c.json(await submit(c, deps, asked, consignorID ?? null, boxOf ?? null));
    },
  );
  routes.post(
    "/shipments/admin/:id/consignor",
    rehearsable(admin),
    documented({
      summary: "Say who sent a shipment of an unknown sender",
      tag,
      answer: shipmentChangedResponse,
    }),
    pathParams(adminShipmentParams),
    jsonBody(assignShipmentRequest),
    async (c) => {
      const { consignorID } = c.req.valid("json");
      return c.json(await assign(c, deps, c.req.valid("param").id, consignorID));
    },
  );
  routes.patch(
    "/shipments/admin/:id",
    rehearsable(admin),
    documented({ summary: "Change anybody's shipment", tag, answer: shipmentChangedResponse }),
    pathParams(adminShipmentParams),
    jsonBody(shipmentRequest),
    async (c) => {
      const which = { shipmentId: c.req.valid("param").id, of: "anybody" } as const;
      return c.json(await change(c, deps, c.req.valid("json"), which));
    },
  );
  routes.delete(
    "/shipments/admin/:id",
    rehearsable(admin),
    documented({ summary: "Delete anybody's shipment", tag, answer: shipmentChangedResponse }),
    pathParams(adminShipmentParams),
    noBody,
    async (c) =>
      c.json(await remove(c, deps, { shipmentId: c.req.valid("param").id, of: "anybody" })),
  );
}

function flag(said: YesNo | undefined): boolean | null {
  return said === undefined ? null : said === "yes";
}

function addStatus(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.patch(
    "/shipments/admin/:id/status",
    rehearsable(admin),
    documented({
      summary: "Mark a shipment as delivered or processed",
      tag,
      answer: shipmentChangedResponse,
    }),
    pathParams(adminShipmentParams),
    jsonBody(shipmentStatusRequest),
    async (c) => {
      const { id } = c.req.valid("param");
      const { delivered, processed, receivedUnits, refusedUnits, reason } = c.req.valid("json");
      const { consignorId } = await requireShipment(deps, id);
      const note = await noteOf(c, deps, reason, consignorId);
      const isCounted =
        receivedUnits !== undefined || refusedUnits !== undefined || reason !== undefined;
      const answer = await runCommand(
        c,
        deps.ledger,
        markShipment,
        {
          shipmentId: id,
          delivered: flag(delivered),
          processed: flag(processed),
          counts: isCounted
            ? {
                receivedUnits: receivedUnits ?? null,
                refusedUnits: refusedUnits ?? 0,
                noteId: note?.id ?? null,
              }
            : null,
          happenedAt: deps.clock().toISOString(),
        },
        note,
      );
      return c.json(changed("Shipment updated", answer.shipmentId));
    },
  );
}

/** Throws 404 `shipment_not_found`. */
async function requireShipment(deps: RouteDeps, shipmentId: string): Promise<FoundShipment> {
  const found = await lookUpShipment(deps, shipmentId);
  if (found === undefined) {
    throw notFound("shipment_not_found", "There is no such shipment");
  }
  return found;
}

function addLabel(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/shipments/admin/:id/label",
    rehearsable(admin),
    documented({ summary: "Upload a prepaid label", tag, answer: shipmentChangedResponse }),
    pathParams(adminShipmentParams),
    pdfForm(deps, shipmentLabelForm),
    async (c) => {
      const { id } = c.req.valid("param");
      const { label, trackingNumber, carrier } = c.req.valid("form");
      const found = await requireShipment(deps, id);
      const bytes = new Uint8Array(await label.arrayBuffer());
      const { answer, warning } = await keepLabel(c, deps, {
        id,
        found,
        bytes,
        trackingNumber,
        carrier,
      });
      return c.json(changed("Shipping label uploaded successfully!", answer.shipmentId, warning));
    },
  );
}

async function keepLabel(
  c: CommandContext,
  deps: RouteDeps,
  sent: {
    readonly id: string;
    readonly found: FoundShipment;
    readonly bytes: Uint8Array;
    readonly trackingNumber: string;
    readonly carrier: "USPS" | "UPS" | "FEDEX";
  },
) {
  const { id, found, bytes, trackingNumber, carrier } = sent;
  const { consignorId, labelId: replaced } = found;
  // An unknown sender requested none: the ledger rejects the command, and no file is stored.
  const label =
    consignorId === null
      ? null
      : deps.labels.prepare({ id: deps.newId(), ownerUid: consignorId, bytes });
  const contents = (await findShipmentText(deps.sql, found.textId))?.contents ?? null;
  const text = { carrierName: null, trackingNumber, contents };
  const textId = deps.newId();
  const warning = await warningOfRepeated(deps.sql, trackingNumber, {
    amongUid: null,
    except: id,
  });
  const answer = await runCommand(
    c,
    deps.ledger,
    uploadShipmentLabel,
    {
      shipmentId: id,
      labelId: label?.id ?? textId,
      carrier,
      textId,
      expected: { textId: found.textId, labelId: replaced },
      happenedAt: deps.clock().toISOString(),
    },
    {
      id: textId,
      ...(label === null ? {} : { stage: label.stage }),
      async write(transaction) {
        await writeShipmentText(transaction, {
          id: textId,
          shipmentId: id,
          ownerUid: consignorId,
          ...text,
        });
        await label?.write(transaction);
        if (replaced !== null) {
          await deps.labels.discard(transaction, replaced);
        }
      },
    },
  );
  return { answer, warning };
}
