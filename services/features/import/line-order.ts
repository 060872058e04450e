// The order in which a file's lines are imported: the file's own, or by time, so that no refund precedes its sale.
import type { CsvRow } from "./read-csv.ts";
import type { LinePlan, PlannedSale, SalesPlan } from "./plan-sales.ts";
import { isUnmatched } from "./refund-match.ts";

/**
 * `file`: in the file's order; `time`: by date, and lines of the same instant in the file's order. A line's key and
 * ids depend on its number in the file, so they are the same in both.
 */
export type ImportOrder = "file" | "time";

/** The plan of every line, in that order. By time, the whole file is kept in memory. */
export async function* plansInOrder(
  rows: AsyncIterable<CsvRow>,
  plan: SalesPlan,
  order: ImportOrder,
): AsyncGenerator<LinePlan<PlannedSale>> {
  if (order === "file") {
    for await (const row of rows) {
      yield plan.next(row);
    }
    return;
  }
  yield* byTime(rows, plan);
}

type Dated = { readonly at: string; readonly row: CsvRow };

/** A line with an unreadable date stays after the line above it; it is refused anyway. */
async function datedRows(rows: AsyncIterable<CsvRow>, plan: SalesPlan): Promise<Dated[]> {
  const dated: Dated[] = [];
  let at = "";
  for await (const row of rows) {
    at = plan.timeOf(row) ?? at;
    dated.push({ at, row });
  }
  return dated;
}

async function* byTime(
  rows: AsyncIterable<CsvRow>,
  plan: SalesPlan,
): AsyncGenerator<LinePlan<PlannedSale>> {
  const dated = await datedRows(rows, plan);
  // Sorting is stable: equal dates keep their order.
  dated.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  // Dates without a time of day are equal for a whole day, whose refunds may be above their sales.
  let waiting: CsvRow[] = [];
  for (const [index, { at, row }] of dated.entries()) {
    const planned = plan.next(row);
    if (planned.kind === "refused" && isUnmatched(planned.reason)) {
      waiting.push(row);
    } else {
      yield planned;
    }
    if (dated[index + 1]?.at !== at) {
      yield* waiting.map(plan.next);
      waiting = [];
    }
  }
}
