// What must be true of the events of shipments, and of the texts that they refer to: part of `npm run verify`.
import { labelCheck } from "#identity/label-check.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { shipmentFollows } from "#features/shipments/follows.ts";

// Each event with a text, the row it refers to, and whether its consignor was erased.
const SAID = `
  from {events} e
  left join identity.shipment_texts t on t.id::text = e.data -> 'after' ->> 'textId'
  left join log.streams s on s.id = log.user_stream(e.data ->> 'consignorId')
  where e.type in ('ShipmentSubmitted', 'ShipmentAssigned', 'ShipmentChanged', 'ShipmentLabelUploaded')`;

// Texts from before the sender was known are dropped when somebody is: a copy of the last one is that person's.
const IS_ERASED = `t.id is null and (
  s.state ->> 'deactivatedAt' is not null
  or e.data ->> 'consignorId' is null and exists (
    select from {events} a
    where a.type = 'ShipmentAssigned' and a.data ->> 'shipmentId' = e.data ->> 'shipmentId'
      and a.position > e.position))`;

const WRONG = `case
  when t.id is null then 'its text is gone, but the consignor was not deleted'
  when t.uid is distinct from e.data ->> 'consignorId' then 'its text is another person''s' end`;

export const shipmentChecks: readonly BookCheck[] = [
  ...shipmentFollows,
  {
    check: "identity",
    sql: `
      select e.position,
        'shipment ' || (e.data ->> 'shipmentId') || ', text ' || (e.data -> 'after' ->> 'textId') || ': ' || ${WRONG}
          as message
      ${SAID} and not (${IS_ERASED}) and ${WRONG} is not null
      order by e.position limit 100`,
  },
  {
    check: "identity",
    sql: `
      select 0 as position, 'shipment text ' || t.id || ': no event names it' as message
      from identity.shipment_texts t
      where not exists (
        select from {events} e
        where e.type in ('ShipmentSubmitted', 'ShipmentAssigned', 'ShipmentChanged', 'ShipmentLabelUploaded')
          and e.data -> 'after' ->> 'textId' = t.id::text)
      order by t.id limit 100`,
  },
  labelCheck(`
    select e.position, e.recorded_at, 'shipment ' || l.shipment_id as subject, l.owner, l.id
    from {events} e,
      lateral (select e.data ->> 'shipmentId' as shipment_id, e.data ->> 'consignorId' as owner,
        e.data ->> 'labelId' as id) l
    join log.streams s on s.id = log.shipment_stream(l.shipment_id)
      and s.state ->> 'labelId' = l.id and s.state ->> 'deleted' = 'false'
    where e.type = 'ShipmentLabelUploaded'`),
];
