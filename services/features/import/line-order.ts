// The order in which a file's lines are taken: the file's own, or that of time, in which no refund comes before its sale.
import type { CsvRow } from "./read-csv.ts";
import type { LinePlan, PlannedSale, SalesPlan } from "./plan-sales.ts";
import { isUnmatched } from "./refund-match.ts";

/**
 * `file`: as the lines stand; `time`: by their dates, lines of the same instant as they stand. A line's key and
 * ids are made of its number in the file, so they are the same in both.
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

/** A line whose date cannot be read stays behind the line above it; it is refused anyway. */
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
  // Sorting is stable: what is equal keeps its order.
  dated.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  // Dates without a time of day are the same for a whole day: its refunds may stand above their sales.
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
