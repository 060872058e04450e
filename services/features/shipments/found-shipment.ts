// What the commands on shipments share: the answer, the streams they read and extend, and what refuses several of them.
import type { Rejection, States } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import type { KnownShipment } from "#features/shipments/streams.ts";
import { shipmentStream, shipmentStreamId } from "#features/shipments/streams.ts";
import { recipientStreams, userStream, userStreamId } from "#features/users/streams.ts";

/** The answer to each command. */
export type ShipmentAnswer = { readonly shipmentId: string };

/** What a shipment had when the texts and files of a command were made from it; if that changed since, they are wrong. */
export type Seen = { readonly textId: string; readonly labelId: string | null };

/** More than anybody sends at once. It keeps the state of the user's stream small. */
export const MAX_OPEN_SHIPMENTS = 200;

/** 409 `too_many_shipments` for a consignor who may not have another one on its way. */
export function refuseAnotherOpen(states: States, uid: string): Rejection | null {
  const { openShipments } = states.get(userStream, userStreamId(uid)).state;
  return openShipments.length < MAX_OPEN_SHIPMENTS
    ? null
    : reject(409, "too_many_shipments", `${MAX_OPEN_SHIPMENTS} shipments are on their way already`);
}

/** Every event of a shipment is part of its consignor's history too. */
export function streamsOf(shipment: {
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
export const readsShipment = {
  streams: ({ shipmentId }: OneShipment) => [shipmentStreamId(shipmentId)],
  more: ({ shipmentId }: OneShipment, states: States) => {
    const { state } = states.get(shipmentStream, shipmentStreamId(shipmentId));
    return state.status === "none" ? [] : recipientStreams(state.consignorId);
  },
};

/** 409 `shipment_locked` once it has arrived. */
export function refuseLocked({ delivered, processed }: KnownShipment): Rejection | null {
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
