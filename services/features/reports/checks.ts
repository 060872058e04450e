// What must be true of the report's sums, compared with its lines: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { ALL_CONSIGNORS, summedColumns, summedOf } from "#features/reports/projection-sums.ts";

const sumsOf = (span: string, since: string, uid: string, where: string) => `
  select '${span}' as span, ${since} as since, ${uid} as uid,
    ${summedColumns.map((name) => `sum(${summedOf[name]}) as ${name}`).join(", ")}
  from read.report_lines l where ${where} group by 2, 3`;

const positionOf =
  "(select position from read.projections where name = 'reports' and state = 'live')";

export const reportChecks: readonly BookCheck[] = [
  {
    check: "balances",
    readsFrom: ["reports"],
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
];
