// Decides shipments: announced by a consignor or an admin, changed until they arrive, then marked by admins.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
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
import type { KnownShipment, ProcessedCounts } from "#features/shipments/streams.ts";
import {
  findShipment,
  shipmentNotFound,
  shipmentStream,
  shipmentStreamId,
} from "#features/shipments/streams.ts";
import {
  recipientStreams,
  refuseRecipient,
  userStream,
  userStreamId,
} from "#features/users/streams.ts";

/** The answer to each command. */
export type ShipmentAnswer = { readonly shipmentId: string };

export type SubmitShipment = {
  readonly shipmentId: string;
  /** Null for an unknown sender. */
  readonly consignorId: string | null;
  readonly said: ShipmentSaid;
  /** The first of several boxes that are announced together; null for a first or single one. */
  readonly boxOf: string | null;
  readonly happenedAt: string;
};

/** More than anybody sends at once. It keeps the state of the user's stream small. */
export const MAX_OPEN_SHIPMENTS = 200;

const tooMany: Rejection = reject(
  409,
  "too_many_shipments",
  `${MAX_OPEN_SHIPMENTS} shipments are on their way already`,
);

/** Rejects 404 `consignor_not_found`, 409 `shipment_exists`, `too_many_shipments` and `other_shipment` for a wrong first box. */
export const submitShipment: Decider<SubmitShipment, ShipmentAnswer> = {
  type: "SubmitShipment",
  streams: ({ shipmentId, consignorId, boxOf }) => [
    shipmentStreamId(shipmentId),
    ...(boxOf === null ? [] : [shipmentStreamId(boxOf)]),
    ...recipientStreams(consignorId),
  ],
  decide: ({ shipmentId, consignorId, said, boxOf, happenedAt }, states) => {
    const refusal = refuseRecipient(states, consignorId);
    if (refusal !== null) {
      return refusal;
    }
    if (states.get(shipmentStream, shipmentStreamId(shipmentId)).version > 0) {
      return reject(409, "shipment_exists", "This shipment was submitted already");
    }
    if (consignorId !== null && openShipmentsOf(states, consignorId) >= MAX_OPEN_SHIPMENTS) {
      return tooMany;
    }
    if (boxOf !== null && !isFirstBox(states, boxOf, consignorId)) {
      return reject(409, "other_shipment", "The first box is not a shipment of this consignor");
    }
    const event = emit(
      ShipmentSubmitted,
      { shipmentId, consignorId, after: said, boxOf },
      { streams: streamsOf({ shipmentId, consignorId }), happenedAt },
    );
    return accept([event], { shipmentId });
  },
};

/** A first box may be deleted or processed by now: the others still go with it. */
function isFirstBox(states: States, boxOf: string, consignorId: string | null): boolean {
  const { state } = states.get(shipmentStream, shipmentStreamId(boxOf));
  return (
    state.status === "known" && state.consignorId === consignorId && state.firstBoxId === boxOf
  );
}

function openShipmentsOf(states: States, uid: string): number {
  return states.get(userStream, userStreamId(uid)).state.openShipments.length;
}

/** Every event of a shipment is part of its consignor's history too. */
function streamsOf(shipment: {
  readonly shipmentId: string;
  readonly consignorId: string | null;
}): readonly string[] {
  const { shipmentId, consignorId } = shipment;
  return [
    shipmentStreamId(shipmentId),
    ...(consignorId === null ? [] : [userStreamId(consignorId)]),
  ];
}

type OneShipment = { readonly shipmentId: string };

/** Reads the shipment's stream first, then its consignor's. */
const readsShipment = {
  streams: ({ shipmentId }: OneShipment) => [shipmentStreamId(shipmentId)],
  more: ({ shipmentId }: OneShipment, states: States) => {
    const { state } = states.get(shipmentStream, shipmentStreamId(shipmentId));
    return state.status === "none" ? [] : recipientStreams(state.consignorId);
  },
};

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
    if (!isProcessed && openShipmentsOf(states, consignorId) >= MAX_OPEN_SHIPMENTS) {
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

export type OwnShipment = {
  readonly shipmentId: string;
  /** The required owner; "anybody" for admins. */
  readonly of: { readonly consignorId: string } | "anybody";
  readonly happenedAt: string;
};

export type ChangeShipment = OwnShipment & { readonly said: ShipmentSaid };

/**
 * Rejects 404 `shipment_not_found`, 409 `shipment_deleted` and `shipment_locked`, and `shipment_changed` for a form that
 * still waits for the label that is there. Saving without changes adds no event.
 */
export const changeShipment: Decider<ChangeShipment, ShipmentAnswer> = {
  type: "ChangeShipment",
  ...readsShipment,
  decide: ({ shipmentId, of, said, happenedAt }, states) => {
    const shipment = findOwn(states, shipmentId, of);
    if ("kind" in shipment) {
      return shipment;
    }
    const locked = refuseLocked(shipment);
    if (locked !== null) {
      return locked;
    }
    if (shipment.labelId !== null && said.carrier === null) {
      // The label's carrier and tracking number would be lost.
      return reject(
        409,
        "shipment_changed",
        "The store has uploaded the label in the meantime. Look at the shipment again, then change it",
      );
    }
    const { consignorId, said: before } = shipment;
    const events = isSame(before, said)
      ? []
      : [
          emit(
            ShipmentChanged,
            { shipmentId, consignorId, before, after: said },
            { streams: streamsOf({ shipmentId, consignorId }), happenedAt },
          ),
        ];
    return accept(events, { shipmentId });
  },
};

function isSame(before: ShipmentSaid, after: ShipmentSaid): boolean {
  return (
    before.textId === after.textId &&
    before.carrier === after.carrier &&
    before.declaredUnits === after.declaredUnits &&
    before.needsLabel === after.needsLabel
  );
}

/**
 * Rejects 404 `shipment_not_found`, 409 `shipment_deleted`, and 409 `shipment_locked` for a consignor once it
 * has arrived. Admins can delete any shipment.
 */
export const deleteShipment: Decider<OwnShipment, ShipmentAnswer> = {
  type: "DeleteShipment",
  ...readsShipment,
  decide: ({ shipmentId, of, happenedAt }, states) => {
    const shipment = findOwn(states, shipmentId, of);
    if ("kind" in shipment) {
      return shipment;
    }
    const locked = of === "anybody" ? null : refuseLocked(shipment);
    if (locked !== null) {
      return locked;
    }
    const { consignorId } = shipment;
    const event = emit(
      ShipmentDeleted,
      { shipmentId, consignorId },
      { streams: streamsOf({ shipmentId, consignorId }), happenedAt },
    );
    return accept([event], { shipmentId });
  },
};

function findOwn(
  states: States,
  shipmentId: string,
  of: OwnShipment["of"],
): KnownShipment | Rejection {
  const { state } = states.get(shipmentStream, shipmentStreamId(shipmentId));
  if (state.status === "none" || (of !== "anybody" && state.consignorId !== of.consignorId)) {
    return shipmentNotFound;
  }
  return findShipment(states, shipmentId);
}

function refuseLocked({ delivered, processed }: KnownShipment): Rejection | null {
  if (!delivered && processed === null) {
    return null;
  }
  const what = processed === null ? "delivered" : "processed";
  return reject(
    409,
    "shipment_locked",
    `This shipment was marked as ${what} and can no longer be changed`,
    { delivered, processed: processed !== null },
  );
}

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
  /** What the shipment had when the text was written; if it changed since, the new text would be wrong. */
  readonly expected: { readonly textId: string; readonly labelId: string | null };
  readonly happenedAt: string;
};

/**
 * Rejects 404 `shipment_not_found`, 409 `shipment_deleted`, `shipment_locked`, `label_not_requested` and
 * `shipment_changed`. An existing label is replaced.
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
    const locked = refuseLocked(shipment);
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
