// How shipment events read in the user's history and in the shipment's own.
import type { FeatureExplanations, ChangeWords } from "#features/histories.ts";
import type { shipmentEvents, ShipmentSaid } from "#features/shipments/events.ts";
import { shortShipmentId } from "#features/shipments/streams.ts";
import { unitsText } from "#ledger/explain.ts";

const carrierNames = {
  USPS: "USPS",
  UPS: "UPS",
  FEDEX: "FedEx",
  OTHER: "another carrier",
} as const;

function nameOf(carrier: ShipmentSaid["carrier"]): string {
  return carrier === null ? "no carrier" : carrierNames[carrier];
}

function declared(units: number | null): string {
  return units === null ? "nothing declared" : `${unitsText(units)} declared`;
}

/** The non-empty parts in one line. */
function joined(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join(", ");
}

function whatChanged(before: ShipmentSaid, after: ShipmentSaid): string {
  const label = after.needsLabel ? "asks for a prepaid label" : "asks for no label any more";
  return joined(
    before.carrier === after.carrier
      ? null
      : `${nameOf(before.carrier)} to ${nameOf(after.carrier)}`,
    before.declaredUnits === after.declaredUnits ? null : declared(after.declaredUnits),
    before.needsLabel === after.needsLabel ? null : label,
    before.textId === after.textId ? null : "other tracking number or contents",
  );
}

function line<Data extends { readonly shipmentId: string }>(
  what: (data: Data) => string,
  noteId: (data: Data) => string | null = () => null,
) {
  return {
    consignor: null,
    item: null,
    user: {
      kind: "shipment",
      read: (data: Data): ChangeWords => ({
        description: `Shipment ${shortShipmentId(data.shipmentId)} ${what(data)}`,
        before: null,
        after: null,
        isErased: false,
        noteId: noteId(data),
      }),
    },
  } as const;
}

export const shipmentExplanations: FeatureExplanations<typeof shipmentEvents> = {
  ShipmentSubmitted: line(({ after }) =>
    joined(
      "submitted",
      // The name of another carrier is not in the log, and a drop-off at the store has none.
      after.carrier === null || after.carrier === "OTHER" ? null : nameOf(after.carrier),
      after.declaredUnits === null ? null : declared(after.declaredUnits),
      after.needsLabel ? "asks for a prepaid label" : null,
    ),
  ),
  ShipmentAssigned: line(() => "assigned to its sender, who was not known before"),
  ShipmentChanged: line(({ before, after }) => `changed: ${whatChanged(before, after)}`),
  ShipmentDeleted: line(() => "deleted"),
  ShipmentDelivered: line(() => "delivered"),
  ShipmentDeliveryReverted: line(() => "not delivered after all"),
  ShipmentProcessed: line(
    ({ receivedUnits, refusedUnits }) =>
      joined(
        "processed",
        receivedUnits === null ? null : `${unitsText(receivedUnits)} received`,
        refusedUnits === 0 ? null : `${unitsText(refusedUnits)} refused`,
      ),
    ({ noteId }) => noteId,
  ),
  ShipmentReopened: line(() => "not processed after all"),
  ShipmentLabelUploaded: line(({ after, replacesLabelId }) =>
    replacesLabelId === null
      ? `got a prepaid label of ${nameOf(after.carrier)}`
      : `got another prepaid label, of ${nameOf(after.carrier)}`,
  ),
};
