// Decides shipments as their sender sees them: announced by a consignor or an admin, changed until they arrive, deleted.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { ShipmentSaid } from "#features/shipments/events.ts";
import { ShipmentChanged, ShipmentDeleted, ShipmentSubmitted } from "#features/shipments/events.ts";
import type { Seen, ShipmentAnswer } from "#features/shipments/found-shipment.ts";
import {
  readsShipment,
  refuseAnotherOpen,
  refuseLocked,
  streamsOf,
} from "#features/shipments/found-shipment.ts";
import type { KnownShipment } from "#features/shipments/streams.ts";
import {
  findShipment,
  shipmentNotFound,
  shipmentStream,
  shipmentStreamId,
  versionOfSaid,
} from "#features/shipments/streams.ts";
import { recipientStreams, refuseRecipient } from "#features/users/streams.ts";

export type SubmitShipment = {
  readonly shipmentId: string;
  /** Null for an unknown sender. */
  readonly consignorId: string | null;
  readonly said: ShipmentSaid;
  /** The first of several boxes that are announced together; null for a first or single one. */
  readonly boxOf: string | null;
  readonly happenedAt: string;
};

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
    const tooMany = consignorId === null ? null : refuseAnotherOpen(states, consignorId);
    if (tooMany !== null) {
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

export type OwnShipment = {
  readonly shipmentId: string;
  /** The required owner; "anybody" for admins. */
  readonly of: { readonly consignorId: string } | "anybody";
  readonly happenedAt: string;
};

export type ChangeShipment = OwnShipment & {
  readonly said: ShipmentSaid;
  readonly expected: Pick<Seen, "textId">;
  /** What the form was filled from; null if it does not say. */
  readonly expectedVersion: string | null;
};

/**
 * Rejects 404 `shipment_not_found`, and `consignor_not_found` for a new text about a deleted person; 409
 * `shipment_deleted` and `shipment_locked`, and `shipment_changed` if its text or version is not the expected one, or for
 * a form that still waits for the label that is there. Saving without changes adds no event.
 */
export const changeShipment: Decider<ChangeShipment, ShipmentAnswer> = {
  type: "ChangeShipment",
  ...readsShipment,
  decide: ({ shipmentId, of, said, expected, expectedVersion, happenedAt }, states) => {
    const shipment = findOwn(states, shipmentId, of);
    if ("kind" in shipment) {
      return shipment;
    }
    const locked = refuseLocked(shipment) ?? refuseNewText(states, shipment, said);
    if (locked !== null) {
      return locked;
    }
    if (
      shipment.said.textId !== expected.textId ||
      (expectedVersion !== null && versionOfSaid(shipment.said) !== expectedVersion)
    ) {
      return changedMeanwhile;
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

const changedMeanwhile = reject(
  409,
  "shipment_changed",
  "This shipment was changed in the meantime. Look at it again, then change it",
);

/** What was said of somebody who has left is erased, and nothing new is written. */
function refuseNewText(
  states: States,
  { consignorId, said: before }: KnownShipment,
  after: ShipmentSaid,
): Rejection | null {
  return after.textId === before.textId ? null : refuseRecipient(states, consignorId);
}

function isSame(before: ShipmentSaid, after: ShipmentSaid): boolean {
  return (
    before.textId === after.textId &&
    before.carrier === after.carrier &&
    before.declaredUnits === after.declaredUnits &&
    before.needsLabel === after.needsLabel
  );
}

export type DeleteShipment = OwnShipment & { readonly expected: Pick<Seen, "labelId"> };

/**
 * Rejects 404 `shipment_not_found`; 409 `shipment_deleted`, `shipment_locked` for a consignor once it has arrived, and
 * `shipment_changed` if its label is not the expected one. Admins can delete any shipment.
 */
export const deleteShipment: Decider<DeleteShipment, ShipmentAnswer> = {
  type: "DeleteShipment",
  ...readsShipment,
  decide: ({ shipmentId, of, expected, happenedAt }, states) => {
    const shipment = findOwn(states, shipmentId, of);
    if ("kind" in shipment) {
      return shipment;
    }
    const locked = of === "anybody" ? null : refuseLocked(shipment);
    if (locked !== null) {
      return locked;
    }
    if (shipment.labelId !== expected.labelId) {
      return changedMeanwhile;
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
