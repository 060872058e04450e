// The changes of what is owed that happened in a period although their lines sum to zero: a sale and its refund.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ReportChange, ReportZerosResponse } from "#features/reports/contract.ts";
import { reportChange } from "#features/reports/contract.ts";
import { reportLinesTable } from "#features/reports/projection-lines.ts";
import { numbers } from "#features/reports/queries-lines.ts";
import type { Bounds, Scope } from "#features/reports/queries-sums.ts";
import { isIn } from "#features/reports/queries-sums.ts";

type Row = Readonly<Record<string, number>>;

const countOf = (change: ReportChange) => `lines_${change}`;
const sumOf = (change: ReportChange) => `sum_${change}`;

/** All of them in one pass over the period's lines: their sums by day do not say how many lines there were. */
export async function readZeros(
  searches: Reads,
  bounds: Bounds,
  scope: Scope,
  position: number,
): Promise<ReportZerosResponse["changes"]> {
  const columns = reportChange.options.flatMap((change) => {
    const { counts, amount } = numbers[change];
    return [
      sql`count(*) filter (where ${counts}) as ${sql.ref(countOf(change))}`,
      sql`coalesce(read.total(${amount}) filter (where ${counts}), 0) as ${sql.ref(sumOf(change))}`,
    ];
  });
  const [from, to] = [bounds[0]?.toISOString() ?? "", bounds.at(-1)?.toISOString() ?? ""];
  const { rows } = await sql<Row>`
    select ${sql.join(columns)} from ${nameOfTable(reportLinesTable)} l
    where l.booked_at >= ${from}::text::timestamptz and l.booked_at < ${to}::text::timestamptz
      and l.position <= ${position}::bigint and ${isIn(scope, sql`l.uid`)}`.execute(searches);
  return reportChange.options.flatMap((number) => {
    const lines = rows[0]?.[countOf(number)] ?? 0;
    return lines > 0 && rows[0]?.[sumOf(number)] === 0 ? [{ number, lines }] : [];
  });
}
