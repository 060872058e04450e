// Read tables of shipments: where each one is, and which items came out of it.
import {
  bigint,
  boolean,
  defineTable,
  insertColumns,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";

export const shipmentsTable = defineTable({
  name: "shipments",
  columns: {
    shipment_id: uuid(),
    /** Null for an unknown sender. */
    consignor_uid: nullable(text()),
    /** identity.shipment_texts: tracking number and contents are joined when they are read. */
    text_id: uuid(),
    carrier: nullable(text<"USPS" | "UPS" | "FEDEX" | "OTHER">()),
    declared_units: nullable(bigint()),
    needs_label: boolean(),
    label_id: nullable(uuid()),
    /** Null while it is not delivered. */
    delivered_at: nullable(timestamptz()),
    /** Null while it is not processed, as are the counts. */
    processed_at: nullable(timestamptz()),
    received_units: nullable(bigint()),
    refused_units: nullable(bigint()),
    note_id: nullable(uuid()),
    deleted: boolean(),
    submitted_at: timestamptz(),
    /** The first of the boxes that were announced together; its own id for a first or single one. */
    first_box_id: uuid(),
    /** Of its submission. */
    position: bigint(),
  },
  keys: ["primary key (shipment_id)"],
  indexes: [
    "(position) where not deleted",
    "(position) where not deleted and (delivered_at is null or processed_at is null)",
    "(consignor_uid, position desc) where not deleted",
    "(text_id) where not deleted",
    "(first_box_id, position) where not deleted",
  ],
});

export const shipmentItemsTable = defineTable({
  name: "shipment_items",
  columns: {
    shipment_id: uuid(),
    item_id: uuid(),
    /** Units taken in; later sales do not change it. */
    units: bigint(),
    /** Of the last intake. */
    position: bigint(),
  },
  keys: ["primary key (shipment_id, item_id)"],
  indexes: ["(item_id)"],
});

const ofRange = "e.position > $1::bigint and e.position <= $2::bigint";

/** For each shipment in the range: the last event that sets each of its properties. */
const touched = `
  select (e.data ->> 'shipmentId')::uuid as shipment_id,
    max(e.position) filter (where e.type in ('ShipmentSubmitted', 'ShipmentAssigned', 'ShipmentChanged', 'ShipmentLabelUploaded')) as said,
    max(e.position) filter (where e.type in ('ShipmentDelivered', 'ShipmentDeliveryReverted')) as delivery,
    max(e.position) filter (where e.type in ('ShipmentProcessed', 'ShipmentReopened')) as processing,
    max(e.position) filter (where e.type = 'ShipmentLabelUploaded') as label,
    max(e.position) filter (where e.type = 'ShipmentDeleted') as deletion,
    max(e.position) filter (where e.type = 'ShipmentSubmitted') as submission
  from {events} e
  where ${ofRange} and e.type in ('ShipmentSubmitted', 'ShipmentAssigned', 'ShipmentChanged', 'ShipmentDeleted', 'ShipmentDelivered',
      'ShipmentDeliveryReverted', 'ShipmentProcessed', 'ShipmentReopened', 'ShipmentLabelUploaded')
    and {key:e.data ->> 'shipmentId'}
  group by 1`;

/** The data of those events. A column is null if its event is not in the range. */
const newer = `
  select t.shipment_id, t.submission, t.said, t.delivery, t.processing, t.label, t.deletion,
    a.data ->> 'consignorId' as consignor_uid, (a.data -> 'after' ->> 'textId')::uuid as text_id,
    a.data -> 'after' ->> 'carrier' as carrier, (a.data -> 'after' ->> 'declaredUnits')::bigint as declared_units,
    (a.data -> 'after' ->> 'needsLabel')::boolean as needs_label, (l.data ->> 'labelId')::uuid as label_id,
    case d.type when 'ShipmentDelivered' then d.happened_at end as delivered_at,
    case p.type when 'ShipmentProcessed' then p.happened_at end as processed_at,
    (p.data ->> 'receivedUnits')::bigint as received_units, (p.data ->> 'refusedUnits')::bigint as refused_units,
    (p.data ->> 'noteId')::uuid as note_id, s.happened_at as submitted_at,
    coalesce((s.data ->> 'boxOf')::uuid, t.shipment_id) as first_box_id
  from touched t
  left join {events} a on a.position = t.said and ${ofRange.replaceAll("e.", "a.")}
  left join {events} d on d.position = t.delivery and ${ofRange.replaceAll("e.", "d.")}
  left join {events} p on p.position = t.processing and ${ofRange.replaceAll("e.", "p.")}
  left join {events} l on l.position = t.label and ${ofRange.replaceAll("e.", "l.")}
  left join {events} s on s.position = t.submission and ${ofRange.replaceAll("e.", "s.")}`;

/** Units that mass inputs in the range took in from shipments. */
const takenIn = `
  select (e.data ->> 'shipmentId')::uuid as shipment_id, (e.data ->> 'itemId')::uuid as item_id,
    sum(m.units)::bigint as units, max(e.position) as position
  from {events} e
  join {movements} m
    on m.position = e.position and m.position > $1::bigint and m.position <= $2::bigint
    and m.to_holding = log.item_holding(e.data ->> 'itemId')
  where ${ofRange} and e.type in ('ItemAdded', 'UnitsReceived') and e.data ->> 'shipmentId' is not null
    and {key:e.data ->> 'shipmentId'}
  group by 1, 2`;

/** Shipments with their items; deleted ones too, because items refer to them. Row key: the shipment's id. */
export const shipmentsProjection: Projection = {
  name: "shipments",
  version: 2,
  tables: [shipmentsTable, shipmentItemsTable],
  step: [
    `with touched as materialized (${touched}), newer as materialized (${newer}),
      added as (
        insert into {table:shipments} (${insertColumns(shipmentsTable)})
        select n.shipment_id, n.consignor_uid, n.text_id, n.carrier, n.declared_units, n.needs_label, n.label_id,
          n.delivered_at, n.processed_at, n.received_units, n.refused_units, n.note_id, n.deletion is not null,
          n.submitted_at, n.first_box_id, n.submission
        from newer n where n.submission is not null)
    update {table:shipments} s
    set consignor_uid = case when n.said is null then s.consignor_uid else n.consignor_uid end,
      text_id = case when n.said is null then s.text_id else n.text_id end,
      carrier = case when n.said is null then s.carrier else n.carrier end,
      declared_units = case when n.said is null then s.declared_units else n.declared_units end,
      needs_label = case when n.said is null then s.needs_label else n.needs_label end,
      label_id = coalesce(n.label_id, s.label_id),
      delivered_at = case when n.delivery is null then s.delivered_at else n.delivered_at end,
      processed_at = case when n.processing is null then s.processed_at else n.processed_at end,
      received_units = case when n.processing is null then s.received_units else n.received_units end,
      refused_units = case when n.processing is null then s.refused_units else n.refused_units end,
      note_id = case when n.processing is null then s.note_id else n.note_id end,
      deleted = s.deleted or n.deletion is not null
    from newer n
    where s.shipment_id = n.shipment_id and n.submission is null`,
    `insert into {table:shipment_items} as i (${insertColumns(shipmentItemsTable)})
    select t.shipment_id, t.item_id, t.units, t.position from (${takenIn}) t
    on conflict (shipment_id, item_id) do update
    set units = i.units + excluded.units, position = excluded.position`,
  ],
  keysTouched: `
    select distinct log.id_of_shipment_stream(s.stream_id) as key
    from {streams} s
    where s.position > $1::bigint and s.position <= $2::bigint and log.is_shipment_stream(s.stream_id)`,
  forgetKeys: [
    "delete from {table:shipments} where shipment_id::text = any ($1::text[])",
    "delete from {table:shipment_items} where shipment_id::text = any ($1::text[])",
  ],
  streamsOfKey: "array[log.shipment_stream(key)]",
};
