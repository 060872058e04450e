// What commands about shipments look up before they are decided, on the primary.
import type { Sql } from "#db/connect.ts";
import { plainNumber, plainNumberOf } from "#db/plain-number.ts";
import { shipmentStream, shipmentStreamId, shortShipmentId } from "#features/shipments/streams.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";

/** A shipment as its stream has it now. */
export type FoundShipment = {
  readonly consignorId: string | null;
  readonly textId: string;
  readonly labelId: string | null;
};

/** Undefined for an unknown shipment; a deleted one is found. */
export async function lookUpShipment(
  parts: { readonly sql: Sql; readonly readEvent: ReadEvent },
  shipmentId: string,
): Promise<FoundShipment | undefined> {
  const state = await readState(parts, shipmentStream, shipmentStreamId(shipmentId));
  return state.status === "none"
    ? undefined
    : { consignorId: state.consignorId, textId: state.said.textId, labelId: state.labelId };
}

/**
 * A warning if another shipment has the same tracking number, ignoring case and spaces. Consignors are only warned about
 * their own.
 */
export async function warningOfRepeated(
  sql: Sql,
  trackingNumber: string | null,
  asked: {
    /** Only this person's shipments; null for all. */
    readonly amongUid: string | null;
    readonly except: string;
  },
): Promise<string | null> {
  if (trackingNumber === null) {
    return null;
  }
  const plain = plainNumberOf(trackingNumber);
  const [row] = await sql<{ id: string }[]>`
    select t.shipment_id as id
    from identity.shipment_texts t
    join log.streams s on s.id = log.shipment_stream(t.shipment_id::text)
    where ${sql.unsafe(plainNumber("t.tracking_number"))} = ${plain}
      and s.state -> 'said' ->> 'textId' = t.id::text and s.state ->> 'deleted' = 'false'
      and t.shipment_id <> ${asked.except} and (${asked.amongUid}::text is null or t.uid = ${asked.amongUid})
    order by t.shipment_id limit 1`;
  return row === undefined
    ? null
    : `Shipment ${shortShipmentId(row.id)} has this tracking number too. Is it right?`;
}
