// Decides what the store does with a shipment: name its sender, mark it as delivered and processed, upload its label.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import type { ShipmentSaid } from "#features/shipments/events.ts";
import {
  ShipmentAssigned,
  ShipmentDelivered,
  ShipmentDeliveryReverted,
  ShipmentLabelUploaded,
  ShipmentProcessed,
  ShipmentReopened,
} from "#features/shipments/events.ts";
import type { Seen, ShipmentAnswer } from "#features/shipments/found-shipment.ts";
import {
  readsShipment,
  refuseAnotherOpen,
  refuseLocked,
  streamsOf,
} from "#features/shipments/found-shipment.ts";
import type { KnownShipment, ProcessedCounts } from "#features/shipments/streams.ts";
import { findShipment, shipmentStreamId } from "#features/shipments/streams.ts";
import { recipientStreams, refuseRecipient } from "#features/users/streams.ts";

export type AssignShipment = {
  readonly shipmentId: string;
  readonly consignorId: string;
  /** The copy of its text that belongs to the consignor. */
  readonly textId: string;
  /** The text that was copied; if it changed since, the copy would be wrong. */
  readonly expectedTextId: string;
  readonly happenedAt: string;
};

/**
 * Rejects 404 `shipment_not_found`, `consignor_not_found`; 409 `shipment_deleted`, `sender_known`, `shipment_changed`
 * and `too_many_shipments`.
 */
export const assignShipment: Decider<AssignShipment, ShipmentAnswer> = {
  type: "AssignShipment",
  streams: ({ shipmentId, consignorId }) => [
    shipmentStreamId(shipmentId),
    ...recipientStreams(consignorId),
  ],
  decide: (command, states) => {
    const { shipmentId, consignorId, textId, expectedTextId, happenedAt } = command;
    const shipment = findShipment(states, shipmentId);
    if ("kind" in shipment) {
      return shipment;
    }
    const refusal = refuseRecipient(states, consignorId);
    if (refusal !== null) {
      return refusal;
    }
    if (shipment.consignorId !== null) {
      return reject(409, "sender_known", "This shipment has a sender already");
    }
    const { said: before } = shipment;
    if (before.textId !== expectedTextId) {
      return reject(409, "shipment_changed", "This shipment was changed in the meantime");
    }
    const isProcessed = shipment.processed !== null;
    const tooMany = isProcessed ? null : refuseAnotherOpen(states, consignorId);
    if (tooMany !== null) {
      return tooMany;
    }
    const event = emit(
      ShipmentAssigned,
      { shipmentId, consignorId, before, after: { ...before, textId }, isProcessed },
      { streams: streamsOf({ shipmentId, consignorId }), happenedAt },
    );
    return accept([event], { shipmentId });
  },
};

export type MarkShipment = {
  readonly shipmentId: string;
  /** Null does not change it; the same for `processed`. */
  readonly delivered: boolean | null;
  readonly processed: boolean | null;
  /** Null if not given. */
  readonly counts: ProcessedCounts | null;
  readonly happenedAt: string;
};

/** Rejects 404 `shipment_not_found` and 409 `shipment_deleted`. Setting a flag that is already set adds no event. */
export const markShipment: Decider<MarkShipment, ShipmentAnswer> = {
  type: "MarkShipment",
  ...readsShipment,
  decide: (command, states) => {
    const { shipmentId } = command;
    const shipment = findShipment(states, shipmentId);
    return "kind" in shipment
      ? shipment
      : accept([...deliveryOf(command, shipment), ...processingOf(command, shipment)], {
          shipmentId,
        });
  },
};

function deliveryOf(
  { shipmentId, delivered, happenedAt }: MarkShipment,
  shipment: KnownShipment,
): readonly NewEvent[] {
  if (delivered === null || delivered === shipment.delivered) {
    return [];
  }
  const { consignorId } = shipment;
  const facts = { streams: streamsOf({ shipmentId, consignorId }), happenedAt };
  return delivered
    ? [emit(ShipmentDelivered, { shipmentId, consignorId }, facts)]
    : [emit(ShipmentDeliveryReverted, { shipmentId, consignorId }, facts)];
}

function processingOf(command: MarkShipment, shipment: KnownShipment): readonly NewEvent[] {
  const { shipmentId, processed, counts, happenedAt } = command;
  const { consignorId, processed: before } = shipment;
  const facts = { streams: streamsOf({ shipmentId, consignorId }), happenedAt };
  if (processed === false) {
    return before === null ? [] : [emit(ShipmentReopened, { shipmentId, consignorId }, facts)];
  }
  const after = counts ?? before ?? { receivedUnits: null, refusedUnits: 0, noteId: null };
  const isCountedAgain =
    before !== null &&
    (before.receivedUnits !== after.receivedUnits ||
      before.refusedUnits !== after.refusedUnits ||
      before.noteId !== after.noteId);
  return processed === true && (before === null || isCountedAgain)
    ? [emit(ShipmentProcessed, { shipmentId, consignorId, ...after }, facts)]
    : [];
}

export type UploadShipmentLabel = {
  readonly shipmentId: string;
  readonly labelId: string;
  readonly carrier: NonNullable<ShipmentSaid["carrier"]>;
  /** The text with the label's tracking number. */
  readonly textId: string;
  readonly expected: Seen;
  readonly happenedAt: string;
};

/**
 * Rejects 404 `shipment_not_found`, `consignor_not_found`; 409 `shipment_deleted`, `shipment_locked`,
 * `label_not_requested` and `shipment_changed`. An existing label is replaced.
 */
export const uploadShipmentLabel: Decider<UploadShipmentLabel, ShipmentAnswer> = {
  type: "UploadShipmentLabel",
  ...readsShipment,
  decide: (command, states) => {
    const { shipmentId, labelId, carrier, textId, expected, happenedAt } = command;
    const shipment = findShipment(states, shipmentId);
    if ("kind" in shipment) {
      return shipment;
    }
    const { consignorId, said: before } = shipment;
    if (consignorId === null || !before.needsLabel) {
      return reject(409, "label_not_requested", "Nobody asked for a label for this shipment");
    }
    const locked = refuseLocked(shipment) ?? refuseRecipient(states, consignorId);
    if (locked !== null) {
      return locked;
    }
    if (before.textId !== expected.textId || shipment.labelId !== expected.labelId) {
      return reject(
        409,
        "shipment_changed",
        "This shipment was changed in the meantime. Look at it again, then upload the label",
      );
    }
    const after = { ...before, carrier, textId };
    const event = emit(
      ShipmentLabelUploaded,
      { shipmentId, consignorId, labelId, replacesLabelId: shipment.labelId, before, after },
      { streams: streamsOf({ shipmentId, consignorId }), happenedAt },
    );
    return accept([event], { shipmentId });
  },
};
