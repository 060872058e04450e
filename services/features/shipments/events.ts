// What can happen to a shipment on its way to the store. Tracking numbers and contents stay outside the log: events refer to them by id.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { uid, uuid } from "#ledger/fields.ts";

const count = z.int().check(z.nonnegative());
const ofShipment = {
  shipmentId: uuid,
  /** Null for an unknown sender. */
  consignorId: z.nullable(uid),
};

/** The description of a shipment. */
const said = z.object({
  /** identity.shipment_texts: tracking number, name of another carrier, contents. They may be erased. */
  textId: uuid,
  /** Null until the requested label is uploaded. */
  carrier: z.nullable(z.enum(["USPS", "UPS", "FEDEX", "OTHER"])),
  /** Null if the consignor did not count. */
  declaredUnits: z.nullable(count),
  needsLabel: z.boolean(),
});

export type ShipmentSaid = z.infer<typeof said>;

/** A consignor announced goods, or an admin did it for them. */
export const ShipmentSubmitted = defineEvent(
  "ShipmentSubmitted",
  2,
  z.object({
    ...ofShipment,
    after: said,
    /** The first of several boxes that were announced together; null for the first one and for a single box. */
    boxOf: z.nullable(uuid),
  }),
  { 1: (data) => ({ ...Object(data), boxOf: null }) },
);

/**
 * An admin found out who sent a shipment that was entered without a sender. Its text is copied, so that it is erased
 * with that person; the units that were taken in stay the store's until they are allocated.
 */
export const ShipmentAssigned = defineEvent(
  "ShipmentAssigned",
  1,
  z.object({
    shipmentId: uuid,
    consignorId: uid,
    before: said,
    after: said,
    /** Whether it was processed by then: such a shipment does not bind its consignor any more. */
    isProcessed: z.boolean(),
  }),
);

export const ShipmentChanged = defineEvent(
  "ShipmentChanged",
  1,
  z.object({ ...ofShipment, before: said, after: said }),
);

/** Final. */
export const ShipmentDeleted = defineEvent("ShipmentDeleted", 1, z.object(ofShipment));

export const ShipmentDelivered = defineEvent("ShipmentDelivered", 1, z.object(ofShipment));

/** It was marked as delivered by mistake. */
export const ShipmentDeliveryReverted = defineEvent(
  "ShipmentDeliveryReverted",
  1,
  z.object(ofShipment),
);

/** Taken in, or counted again. It moves no units: mass inputs that name the shipment do. */
export const ShipmentProcessed = defineEvent(
  "ShipmentProcessed",
  1,
  z.object({
    ...ofShipment,
    /** Null if nobody counted. */
    receivedUnits: z.nullable(count),
    refusedUnits: count,
    /** identity.notes: why units were refused. Null without a reason. */
    noteId: z.nullable(uuid),
  }),
);

/** It was marked as processed by mistake; counts and reason no longer apply. */
export const ShipmentReopened = defineEvent("ShipmentReopened", 1, z.object(ofShipment));

/** The store uploaded a prepaid label. The shipment takes over its carrier and tracking number. */
export const ShipmentLabelUploaded = defineEvent(
  "ShipmentLabelUploaded",
  1,
  z.object({
    ...ofShipment,
    /** identity.label_keys and files.labels. */
    labelId: uuid,
    /** The label that it replaces; null for the first one. */
    replacesLabelId: z.nullable(uuid),
    before: said,
    after: said,
  }),
);

/** Every event of this feature. */
export const shipmentEvents = [
  ShipmentSubmitted,
  ShipmentAssigned,
  ShipmentChanged,
  ShipmentDeleted,
  ShipmentDelivered,
  ShipmentDeliveryReverted,
  ShipmentProcessed,
  ShipmentReopened,
  ShipmentLabelUploaded,
] as const;
