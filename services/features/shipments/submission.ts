// Turns a request into what the log and the table of texts store about a shipment.
import type { CommandContext } from "#http/command.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { notFound } from "#http/errors.ts";
import { requireProfile } from "#http/known-person.ts";
import type { shipmentRequest, ShipmentChangedResponse } from "#features/shipments/contract.ts";
import { DROP_OFF, isDropOff } from "#features/shipments/contract.ts";
import type { OwnShipment } from "#features/shipments/decider.ts";
import { changeShipment, deleteShipment, submitShipment } from "#features/shipments/decider.ts";
import { assignShipment } from "#features/shipments/decider-store.ts";
import type { ShipmentSaid } from "#features/shipments/events.ts";
import { lookUpShipment, warningOfRepeated } from "#features/shipments/look-ups.ts";
import { shortShipmentId } from "#features/shipments/streams.ts";
import type { ShipmentText } from "#identity/shipment-texts.ts";
import { dropUnownedTexts, findShipmentText, writeShipmentText } from "#identity/shipment-texts.ts";
import type { output } from "zod/v4/core";

type Changed = output<typeof shipmentRequest>;
type Asked = Omit<Changed, "expectedVersion">;

function orNull(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}

/** The personal part of a request. A drop-off gets a number made from the shipment's id. */
function textOf(asked: Asked, shipmentId: string): ShipmentText {
  const { carrier, carrierName, trackingNumber, contents } = asked;
  const isBrought = isDropOff(asked);
  const number = orNull(trackingNumber);
  return {
    carrierName: carrier !== "OTHER" ? null : isBrought ? DROP_OFF : orNull(carrierName),
    trackingNumber: number ?? (isBrought ? `DROP-${shortShipmentId(shipmentId)}` : null),
    contents: orNull(contents),
  };
}

function saidOf({ carrier, declaredUnits, needsLabel }: Asked, textId: string): ShipmentSaid {
  return {
    textId,
    carrier: carrier ?? null,
    declaredUnits: declaredUnits ?? null,
    needsLabel: needsLabel ?? false,
  };
}

/** Whose shipments a warning may mention: null for admins, who may see all. */
function amongWhom(c: CommandContext): string | null {
  const { uid, role } = c.var.person;
  return role === "admin" ? null : uid;
}

export function changed(
  message: string,
  shipmentId: string,
  warning: string | null = null,
): ShipmentChangedResponse {
  return { message, id: shipmentId, shortId: shortShipmentId(shipmentId), warning };
}

export async function submit(
  c: CommandContext,
  deps: RouteDeps,
  asked: Asked,
  consignorId: string | null,
  boxOf: string | null,
): Promise<ShipmentChangedResponse> {
  if (consignorId !== null) {
    await requireProfile(deps, consignorId);
  }
  const shipmentId = deps.newId();
  const text = textOf(asked, shipmentId);
  const textId = deps.newId();
  const warning = await warningOfRepeated(deps.sql, text.trackingNumber, {
    amongUid: amongWhom(c),
    except: shipmentId,
  });
  const answer = await runCommand(
    c,
    deps.ledger,
    submitShipment,
    {
      shipmentId,
      consignorId,
      said: saidOf(asked, textId),
      boxOf,
      happenedAt: deps.clock().toISOString(),
    },
    {
      id: textId,
      write: (transaction) =>
        writeShipmentText(transaction, { id: textId, shipmentId, ownerUid: consignorId, ...text }),
    },
  );
  return changed("Shipment submitted", answer.shipmentId, warning);
}

/** Throws 404 `shipment_not_found` for an unknown shipment. The decider checks the owner. */
export async function change(
  c: CommandContext,
  deps: RouteDeps,
  { expectedVersion, ...asked }: Changed,
  which: Pick<OwnShipment, "shipmentId" | "of">,
): Promise<ShipmentChangedResponse> {
  const { shipmentId } = which;
  const found = await lookUpShipment(deps, shipmentId);
  if (found === undefined) {
    throw notFound("shipment_not_found", "There is no such shipment");
  }
  const before = await findShipmentText(deps.sql, found.textId);
  const text = textOf(asked, shipmentId);
  const isSameText =
    before?.carrierName === text.carrierName &&
    before.trackingNumber === text.trackingNumber &&
    before.contents === text.contents;
  const textId = isSameText ? found.textId : deps.newId();
  const warning = await warningOfRepeated(deps.sql, text.trackingNumber, {
    amongUid: amongWhom(c),
    except: shipmentId,
  });
  const answer = await runCommand(
    c,
    deps.ledger,
    changeShipment,
    {
      ...which,
      said: saidOf(asked, textId),
      expected: found,
      expectedVersion: expectedVersion ?? null,
      happenedAt: deps.clock().toISOString(),
    },
    isSameText
      ? null
      : {
          id: textId,
          write: (transaction) =>
            writeShipmentText(transaction, {
              id: textId,
              shipmentId,
              ownerUid: found.consignorId,
              ...text,
            }),
        },
  );
  return changed("Shipment updated", answer.shipmentId, warning);
}

/** Says who sent a shipment that was entered without a sender. Throws 404 `shipment_not_found`. */
export async function assign(
  c: CommandContext,
  deps: RouteDeps,
  shipmentId: string,
  consignorId: string,
): Promise<ShipmentChangedResponse> {
  const found = await lookUpShipment(deps, shipmentId);
  if (found === undefined) {
    throw notFound("shipment_not_found", "There is no such shipment");
  }
  await requireProfile(deps, consignorId);
  const text = await findShipmentText(deps.sql, found.textId);
  const textId = deps.newId();
  const answer = await runCommand(
    c,
    deps.ledger,
    assignShipment,
    {
      shipmentId,
      consignorId,
      textId,
      expectedTextId: found.textId,
      happenedAt: deps.clock().toISOString(),
    },
    {
      id: textId,
      async write(transaction) {
        const kept = text ?? { carrierName: null, trackingNumber: null, contents: null };
        await writeShipmentText(transaction, {
          id: textId,
          shipmentId,
          ownerUid: consignorId,
          ...kept,
        });
        await dropUnownedTexts(transaction, shipmentId);
      },
    },
  );
  return changed("Shipment assigned", answer.shipmentId);
}

/** Its label is deleted too. */
export async function remove(
  c: CommandContext,
  deps: RouteDeps,
  which: Pick<OwnShipment, "shipmentId" | "of">,
): Promise<ShipmentChangedResponse> {
  const labelId = (await lookUpShipment(deps, which.shipmentId))?.labelId ?? null;
  const answer = await runCommand(
    c,
    deps.ledger,
    deleteShipment,
    { ...which, expected: { labelId }, happenedAt: deps.clock().toISOString() },
    labelId === null
      ? null
      : {
          id: labelId,
          write: (transaction) => deps.labels.discard(transaction, labelId),
        },
  );
  return changed("Shipment deleted", answer.shipmentId);
}
