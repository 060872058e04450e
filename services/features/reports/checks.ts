// What must be true of the report's sums, compared with its lines and with the balances: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { balancesTable } from "#features/accounts/projection.ts";
import { ALL_CONSIGNORS, summedColumns, summedOf } from "#features/reports/projection-sums.ts";

const sumsOf = (span: string, since: string, uid: string, where: string) => `
  select '${span}' as span, ${since} as since, ${uid} as uid,
    ${summedColumns.map((name) => `sum(${summedOf[name]}) as ${name}`).join(", ")}
  from read.report_lines l where ${where} group by 2, 3`;

const balances = `read.${balancesTable.name}`;
const positionOf =
  "(select position from read.projections where name = 'reports' and state = 'live')";

export const reportChecks: readonly BookCheck[] = [
  {
    check: "balances",
    sql: `
      with summed as (
        ${sumsOf("day", "date_trunc('day', l.booked_at, 'UTC')", `case l.uid when '' then '' else '${ALL_CONSIGNORS}' end`, "true")}
        union all
        ${sumsOf("month", "date_trunc('month', l.booked_at, 'UTC')", "l.uid", "l.uid <> ''")}
        union all
        ${sumsOf("all", "timestamptz '2000-01-01 00:00:00+00'", "l.uid", "l.uid <> ''")})
      select ${positionOf} as position,
        'read.report_sums, ' || coalesce(nullif(coalesce(k.uid, s.uid), ''), 'the store') || ', ' ||
          coalesce(k.span, s.span) || ' since ' || to_char(coalesce(k.since, s.since) at time zone 'UTC', 'YYYY-MM-DD') ||
          ': ' || coalesce(k.lines, 0) || ' lines, but the list has ' || coalesce(s.lines, 0) as message
      from summed s
      full join read.report_sums k using (span, since, uid)
      where ${summedColumns.map((name) => `coalesce(s.${name}, -1) <> coalesce(k.${name}, -1)`).join(" or ")}
      order by 2 limit 10`,
  },
  {
    check: "balances",
    // While one table is ahead of the other, they cannot be compared.
    sql: `
      with places as (
        select count(distinct position) = 1 as same from read.projections
        where state = 'live' and name in ('reports', 'balances')),
      owed as (
        select 'available' as what, log.id_of_consignor_available_account(account) as uid, balance_cents as cents
        from ${balances} where log.is_consignor_available_account(account)
        union all
        select 'pending payouts', log.id_of_consignor_payouts_account(account), balance_cents
        from ${balances} where log.is_consignor_payouts_account(account)
        union all
        select 'held for trades', '', sum(balance_cents) from ${balances}
        where log.is_trade_escrow_account(account) having sum(balance_cents) <> 0),
      reported as (
        select 'available' as what, uid, sum(available) as cents from read.report_sums where span = 'all' group by uid
        union all
        select 'pending payouts', uid, sum(pending) from read.report_sums where span = 'all' group by uid
        union all
        select 'held for trades', '', sum(held) from read.report_sums where span = 'all')
      select ${positionOf} as position,
        'read.report_sums, ' || coalesce(nullif(coalesce(o.uid, r.uid), ''), 'the store') || ': ' ||
          coalesce(r.cents, 0) || ' cents ' || coalesce(o.what, r.what) || ', but the balances say ' ||
          coalesce(o.cents, 0) as message
      from owed o
      full join reported r using (what, uid)
      where coalesce(o.cents, 0) <> coalesce(r.cents, 0) and (select same from places)
      order by 2 limit 10`,
  },
];
