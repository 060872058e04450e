// What commands about shipments look up before they are decided, on the primary.
import type { Sql } from "#db/connect.ts";
import { shipmentsTable } from "#features/shipments/projection.ts";
import { shipmentStreamId, shortShipmentId } from "#features/shipments/streams.ts";

/** A shipment as its stream has it now. */
export type FoundShipment = {
  readonly consignorId: string | null;
  readonly textId: string;
  readonly labelId: string | null;
};

/** Undefined for an unknown shipment; a deleted one is found. */
export async function lookUpShipment(
  sql: Sql,
  shipmentId: string,
): Promise<FoundShipment | undefined> {
  const [row] = await sql<{ uid: string | null; text_id: string; label_id: string | null }[]>`
    select state ->> 'consignorId' as uid, state -> 'said' ->> 'textId' as text_id, state ->> 'labelId' as label_id
    from log.streams where id = ${shipmentStreamId(shipmentId)}`;
  return row === undefined
    ? undefined
    : { consignorId: row.uid, textId: row.text_id, labelId: row.label_id };
}

/**
 * A warning where another shipment has the same tracking number, whatever its spaces and letters. Consignors hear
 * of their own only. A shipment that came a moment ago may be missed: it is a warning, no rule.
 */
export async function warningOfRepeated(
  sql: Sql,
  trackingNumber: string | null,
  asked: { readonly among: string | "everybody"; readonly except: string },
): Promise<string | null> {
  if (trackingNumber === null) {
    return null;
  }
  const plain = trackingNumber.replaceAll(/[^A-Za-z0-9]/gu, "").toUpperCase();
  const uid = asked.among === "everybody" ? null : asked.among;
  const [row] = await sql<{ id: string }[]>`
    select s.shipment_id as id
    from identity.shipment_texts t join ${sql(`read.${shipmentsTable.name}`)} s on s.text_id = t.id
    where upper(regexp_replace(t.tracking_number, '[^A-Za-z0-9]', '', 'g')) = ${plain}
      and not s.deleted and s.shipment_id <> ${asked.except}
      and (${uid}::text is null or s.consignor_uid = ${uid})
    order by s.position limit 1`;
  return row === undefined
    ? null
    : `Shipment ${shortShipmentId(row.id)} has this tracking number too. Is it right?`;
}
