// What each event of a shipment may say by the state of its stream before it, whoever wrote it: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Subject } from "#ledger/verify/stream-rules.ts";
import { extendsTogether, follows, saysOther } from "#ledger/verify/stream-rules.ts";
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
import { refuseLocked, streamsOf } from "#features/shipments/found-shipment.ts";
import type { KnownShipment, ShipmentState } from "#features/shipments/streams.ts";
import { shipmentIn, shipmentStream, shipmentStreamId } from "#features/shipments/streams.ts";

type OfShipment = { readonly shipmentId: string; readonly consignorId: string | null };

const ofShipment: Subject<OfShipment, ShipmentState> = {
  check: "streams",
  definition: shipmentStream,
  streamOf: ({ shipmentId }) => shipmentStreamId(shipmentId),
};

/** For what follows on a shipment that is not deleted. */
function after<Data>(wrong: (data: Data, shipment: KnownShipment) => string | null) {
  return (data: Data, before: ShipmentState): string | null => {
    const shipment = shipmentIn(before);
    return "kind" in shipment ? shipment.message : wrong(data, shipment);
  };
}

/** The same, as its consignor's. */
function ofSameConsignor<Data extends OfShipment>(
  wrong: (data: Data, shipment: KnownShipment) => string | null,
) {
  return after((data: Data, shipment: KnownShipment) => {
    const { consignorId } = shipment;
    return saysOther({ consignorId: data.consignorId }, { consignorId }) ?? wrong(data, shipment);
  });
}

/** These events also decide whether their consignor has a shipment on its way, and may leave. */
const both = [
  ShipmentSubmitted,
  ShipmentAssigned,
  ShipmentDeleted,
  ShipmentProcessed,
  ShipmentReopened,
].map((definition) => extendsTogether<string, OfShipment>(definition, streamsOf));

export const shipmentFollows: readonly BookCheck[] = [
  ...both,
  follows(ShipmentSubmitted, ofShipment, (_data, { status }) =>
    status === "none" ? null : "it was submitted before",
  ),
  follows(
    ShipmentAssigned,
    ofShipment,
    after(({ before, after: said, isProcessed }, shipment) =>
      shipment.consignorId === null
        ? saysOther(
            { before, after: said, isProcessed },
            {
              before: shipment.said,
              after: { ...shipment.said, textId: said.textId },
              isProcessed: shipment.processed !== null,
            },
          )
        : "it has a sender already",
    ),
  ),
  follows(
    ShipmentChanged,
    ofShipment,
    ofSameConsignor(
      ({ before }, shipment) =>
        refuseLocked(shipment)?.message ?? saysOther({ before }, { before: shipment.said }),
    ),
  ),
  follows(
    ShipmentDeleted,
    ofShipment,
    ofSameConsignor(() => null),
  ),
  follows(
    ShipmentDelivered,
    ofShipment,
    ofSameConsignor((_data, { delivered }) => (delivered ? "it is delivered already" : null)),
  ),
  follows(
    ShipmentDeliveryReverted,
    ofShipment,
    ofSameConsignor((_data, { delivered }) => (delivered ? null : "it is not delivered")),
  ),
  follows(
    ShipmentProcessed,
    ofShipment,
    ofSameConsignor(() => null),
  ),
  follows(
    ShipmentReopened,
    ofShipment,
    ofSameConsignor((_data, { processed }) => (processed === null ? "it is not processed" : null)),
  ),
  follows(
    ShipmentLabelUploaded,
    ofShipment,
    ofSameConsignor(({ replacesLabelId, before, after: said }, shipment) => {
      if (shipment.consignorId === null || !shipment.said.needsLabel) {
        return "nobody asked for a label";
      }
      const { carrier, textId } = said;
      return (
        refuseLocked(shipment)?.message ??
        saysOther(
          { replacesLabelId, before, after: said },
          {
            replacesLabelId: shipment.labelId,
            before: shipment.said,
            after: { ...shipment.said, carrier, textId },
          },
        )
      );
    }),
  ),
];
