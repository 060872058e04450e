// What must be true of counted days, and of what they say about payments up to the same position: part of `npm run verify`.
import { keptNotesCheck } from "#identity/note-check.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { tillFollows } from "#features/till/follows.ts";

const cents = (data: string) =>
  `coalesce((${data} ->> 'priceCents')::bigint, 0) + (${data} ->> 'salesTaxCents')::bigint`;

/** What each counted day had of the till's sales, their corrections and their refunds, under the tender it knew then. */
const PAID = `
  days as materialized (
    select e.position, e.data ->> 'day' as day, (e.data ->> 'from')::timestamptz as starts,
      (e.data ->> 'to')::timestamptz as ends, (e.data ->> 'throughPosition')::bigint as through,
      e.data as data
    from {events} e where e.type = 'TillDayClosed'),
  sold as materialized (
    select e.data ->> 'saleId' as sale_id, e.position, e.happened_at, e.data ->> 'tender' as tender,
      e.data ->> 'channel' = 'pos' as at_till, ${cents("e.data")} as cents
    from {events} e
    where e.type in ('SaleRecorded', 'MasterSaleRecorded') and exists (select from days)),
  prices as (
    select position, happened_at, sale_id, at_till, tender, cents from sold
    union all
    select e.position, s.happened_at, s.sale_id, s.at_till, s.tender,
      (${cents("(e.data -> 'after')")}) - (${cents("(e.data -> 'before')")})
    from {events} e join sold s on s.sale_id = e.data ->> 'saleId'
    where e.type = 'SaleCorrected'),
  tenders as (
    select distinct on (d.position, e.data ->> 'saleId') d.position, e.data ->> 'saleId' as sale_id,
      e.data ->> 'after' as tender
    from {events} e join days d on e.position <= d.through
    where e.type = 'SaleTenderCorrected'
    order by d.position, e.data ->> 'saleId', e.position desc),
  refunds as materialized (
    select e.data ->> 'saleId' as sale_id, e.position, e.happened_at, e.data ->> 'tender' as tender,
      ${cents("e.data")} as cents,
      row_number() over (partition by e.data ->> 'saleId' order by e.position) as number
    from {events} e where e.type = 'SaleRefunded' and exists (select from days)),
  back as (
    select distinct on (d.position, e.data ->> 'saleId', e.data ->> 'refund') d.position,
      e.data ->> 'saleId' as sale_id, (e.data ->> 'refund')::bigint as number, e.data ->> 'after' as tender
    from {events} e join days d on e.position <= d.through
    where e.type = 'RefundTenderCorrected'
    order by d.position, e.data ->> 'saleId', e.data ->> 'refund', e.position desc),
  paid as (
    select d.position, coalesce(t.tender, p.tender) as tender, p.cents as sold, 0::bigint as refunded
    from days d
    join prices p on p.position <= d.through and p.happened_at >= d.starts and p.happened_at < d.ends
    left join tenders t on t.position = d.position and t.sale_id = p.sale_id
    where p.at_till or coalesce(t.tender, p.tender) is not null
    union all
    select d.position, coalesce(b.tender, r.tender), 0, r.cents
    from refunds r
    join days d on r.position <= d.through and r.happened_at >= d.starts and r.happened_at < d.ends
    left join sold s on s.sale_id = r.sale_id
    left join back b on b.position = d.position and b.sale_id = r.sale_id and b.number = r.number
    where s.at_till or coalesce(b.tender, r.tender) is not null)`;

export const tillChecks: readonly BookCheck[] = [
  ...tillFollows,
  keptNotesCheck(`
    select e.position, e.data ->> 'noteId' as note_id, e.actor as owner
    from {events} e where e.type = 'TillDayClosed' and e.data ->> 'noteId' is not null`),
  {
    check: "till",
    sql: `
      with ${PAID},
      found as (
        select position, tender, sum(sold) as sold, sum(refunded) as refunded from paid group by 1, 2),
      said as (
        select d.position, t ->> 'tender' as tender, (t ->> 'soldCents')::bigint as sold,
          (t ->> 'refundedCents')::bigint as refunded
        from days d, jsonb_array_elements(d.data -> 'payments') t)
      select k.position, 'the day says payments by ' || coalesce(k.tender, 'nobody said what') || ' of '
        || coalesce(said.sold, 0) || ' and refunds of ' || coalesce(said.refunded, 0) || ' cents, where the log has '
        || coalesce(found.sold, 0) || ' and ' || coalesce(found.refunded, 0) as message
      from said full join (select position, tender, sold, refunded from found) found
        on found.position = said.position and found.tender is not distinct from said.tender
      cross join lateral (select coalesce(said.position, found.position), coalesce(said.tender, found.tender)) k (position, tender)
      where coalesce(said.sold, 0) <> coalesce(found.sold, 0)
        or coalesce(said.refunded, 0) <> coalesce(found.refunded, 0)
      order by 1 limit 100`,
  },
  {
    check: "till",
    sql: `
      select e.position, 'the day says that ' || (e.data ->> 'expectedCents') || ' cents were expected, where its parts make '
        || parts.cents as message
      from {events} e
      cross join lateral (
        select (e.data ->> 'openingCents')::bigint + (e.data ->> 'paidInCents')::bigint - (e.data ->> 'paidOutCents')::bigint
          + coalesce((select sum((t ->> 'soldCents')::bigint - (t ->> 'refundedCents')::bigint)
              from jsonb_array_elements(e.data -> 'payments') t where t ->> 'tender' = 'cash'), 0)) parts (cents)
      where e.type = 'TillDayClosed' and parts.cents <> (e.data ->> 'expectedCents')::bigint
      order by 1 limit 100`,
  },
  {
    check: "till",
    sql: `
      with counted as (
        select distinct on (e.data ->> 'day') e.position, e.data ->> 'day' as day,
          (e.data ->> 'from')::timestamptz as starts, (e.data ->> 'to')::timestamptz as ends
        from {events} e where e.type = 'TillDayClosed'
        order by e.data ->> 'day', e.position desc)
      select position, day || ' begins before ' || before || ' ended: count it again' as message
      from (
        select position, day, starts, lag(day) over w as before, lag(ends) over w as ended
        from counted
        window w as (order by day)) c
      where starts < ended
      order by 1 limit 100`,
  },
];
