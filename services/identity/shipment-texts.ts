// Tracking numbers and contents of shipments are personal: events carry only the id of a row kept here.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";

export type ShipmentText = {
  readonly carrierName: string | null;
  readonly trackingNumber: string | null;
  readonly contents: string | null;
};

/** Writes a text in the transaction that appends the event referring to it. */
export async function writeShipmentText(
  transaction: TransactionSql,
  row: ShipmentText & {
    readonly id: string;
    readonly shipmentId: string;
    /** Null for an unknown sender. */
    readonly ownerUid: string | null;
  },
): Promise<void> {
  await transaction`
    insert into identity.shipment_texts (id, shipment_id, uid, carrier_name, tracking_number, contents)
    values (${row.id}, ${row.shipmentId}, ${row.ownerUid}, ${row.carrierName}, ${row.trackingNumber}, ${row.contents})`;
}

/** Drops the texts that a shipment had while its sender was not known. */
export async function dropUnownedTexts(
  transaction: TransactionSql,
  shipmentId: string,
): Promise<void> {
  await transaction`
    delete from identity.shipment_texts where shipment_id = ${shipmentId} and uid is null`;
}

/** Undefined if it was erased. */
export async function findShipmentText(sql: Sql, id: string): Promise<ShipmentText | undefined> {
  const [row] = await sql<
    {
      carrier_name: string | null;
      tracking_number: string | null;
      contents: string | null;
    }[]
  >`
    select carrier_name, tracking_number, contents from identity.shipment_texts where id = ${id}`;
  return row === undefined
    ? undefined
    : {
        carrierName: row.carrier_name,
        trackingNumber: row.tracking_number,
        contents: row.contents,
      };
}
