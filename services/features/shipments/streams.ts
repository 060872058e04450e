// The stream of one shipment: its description, its two flags, and its label.
import type { Rejection, States, StreamDefinition } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import { defineName } from "#ledger/names.ts";
import type { ShipmentSaid } from "#features/shipments/events.ts";
import {
  ShipmentAssigned,
  ShipmentChanged,
  ShipmentDeleted,
  ShipmentDelivered,
  ShipmentDeliveryReverted,
  ShipmentLabelUploaded,
  ShipmentProcessed,
  ShipmentReopened,
  ShipmentSubmitted,
} from "#features/shipments/events.ts";

export type ProcessedCounts = {
  readonly receivedUnits: number | null;
  readonly refusedUnits: number;
  readonly noteId: string | null;
};

export type KnownShipment = {
  readonly status: "known";
  /** Null for an unknown sender. */
  readonly consignorId: string | null;
  readonly said: ShipmentSaid;
  /** The first of several boxes that were announced together: this one, if there is no other. */
  readonly firstBoxId: string;
  readonly delivered: boolean;
  /** Null until it is processed. */
  readonly processed: ProcessedCounts | null;
  readonly labelId: string | null;
  readonly deleted: boolean;
};

/** Changes with all that a form replaces. `shown` is what a list has of it. */
export function versionOfSaid(shown: {
  readonly textId: string;
  readonly carrier: string | null;
  readonly declaredUnits: number | null;
  readonly needsLabel: boolean;
}): string {
  const { textId, carrier, declaredUnits, needsLabel } = shown;
  return [textId, carrier ?? "", declaredUnits ?? "", needsLabel].join(".");
}

export type ShipmentState = { readonly status: "none" } | KnownShipment;

const shipmentStreamName = defineName("shipment_stream", "shipment-");

/** The stream of a shipment, by its UUID. */
export function shipmentStreamId(shipmentId: string): string {
  return shipmentStreamName.of(shipmentId);
}

export const shipmentNames = [shipmentStreamName] as const;

/** `shipment-<uuid>`. Mass inputs that name the shipment extend it too, but do not change its state. */
export const shipmentStream: StreamDefinition<ShipmentState> = {
  category: "shipment",
  stateVersion: 2,
  initial: { status: "none" },
  evolve: (state, event) => {
    if (is(ShipmentSubmitted, event)) {
      const { shipmentId, consignorId, after, boxOf } = event.data;
      return {
        status: "known",
        consignorId,
        said: after,
        firstBoxId: boxOf ?? shipmentId,
        delivered: false,
        processed: null,
        labelId: null,
        deleted: false,
      };
    }
    return state.status === "none" ? state : evolveKnown(state, event);
  },
};

function evolveKnown(state: KnownShipment, event: AnyEvent): KnownShipment {
  if (is(ShipmentChanged, event)) {
    return { ...state, said: event.data.after };
  }
  if (is(ShipmentAssigned, event)) {
    return { ...state, consignorId: event.data.consignorId, said: event.data.after };
  }
  if (is(ShipmentLabelUploaded, event)) {
    return { ...state, said: event.data.after, labelId: event.data.labelId };
  }
  if (is(ShipmentDelivered, event)) {
    return { ...state, delivered: true };
  }
  if (is(ShipmentDeliveryReverted, event)) {
    return { ...state, delivered: false };
  }
  if (is(ShipmentProcessed, event)) {
    const { receivedUnits, refusedUnits, noteId } = event.data;
    return { ...state, processed: { receivedUnits, refusedUnits, noteId } };
  }
  if (is(ShipmentReopened, event)) {
    return { ...state, processed: null };
  }
  return is(ShipmentDeleted, event) ? { ...state, deleted: true } : state;
}

export const shipmentNotFound: Rejection = reject(
  404,
  "shipment_not_found",
  "There is no such shipment",
);
export const shipmentDeleted: Rejection = reject(
  409,
  "shipment_deleted",
  "This shipment was deleted",
);

/** Rejects if the shipment does not exist or was deleted. The command must have declared its stream. */
export function findShipment(states: States, shipmentId: string): KnownShipment | Rejection {
  return shipmentIn(states.get(shipmentStream, shipmentStreamId(shipmentId)).state);
}

/** The same of its state. */
export function shipmentIn(state: ShipmentState): KnownShipment | Rejection {
  if (state.status === "none") {
    return shipmentNotFound;
  }
  return state.deleted ? shipmentDeleted : state;
}

/** Rejects goods of another consignor than the shipment's; null is the store, and an unknown sender. */
export function refuseOtherOwner(state: ShipmentState, ownerUid: string | null): Rejection | null {
  const shipment = shipmentIn(state);
  if ("kind" in shipment) {
    return shipment;
  }
  return shipment.consignorId === ownerUid
    ? null
    : reject(409, "other_consignor", "This shipment is not from that consignor");
}

/** The name people use for a shipment: the first eight characters of its id. */
export function shortShipmentId(shipmentId: string): string {
  return shipmentId.slice(0, 8).toUpperCase();
}
