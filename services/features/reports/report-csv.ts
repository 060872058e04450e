// A report as a spreadsheet: a row for each month or consignor, with the columns of the screen.
import type { Cell } from "#http/csv.ts";
import { money } from "#http/csv.ts";
import type { ReportFigures } from "#features/reports/contract.ts";

const columns: readonly (readonly [heading: string, cell: (row: ReportFigures) => Cell])[] = [
  ["Sales", (row) => row.sales],
  ["Sales without a price yet", (row) => row.unpricedSales],
  ["Own goods sold", (row) => money(row.ownSold)],
  ["Consigned goods sold", (row) => money(row.consignedSold)],
  ["Refunds", (row) => money(row.refunds)],
  ["Corrections", (row) => money(row.corrections)],
  ["Shipping of sales", (row) => money(row.shipping)],
  ["Kept from own goods", (row) => money(row.ownShare)],
  ["Store's share of consigned goods", (row) => money(row.storeShare)],
  ["Consignors' share", (row) => money(row.consignorShare)],
  ["Trade commission", (row) => money(row.commission)],
  ["Trade shipping fees", (row) => money(row.tradeFees)],
  ["Owed before", (row) => money(row.owedBefore)],
  ["Trades between consignors", (row) => money(row.traded)],
  ["Adjustments", (row) => money(row.adjustments)],
  ["Taken over from the old app", (row) => money(row.takenOver)],
  ["Payouts paid", (row) => money(row.payoutsPaid)],
  ["Payouts returned", (row) => money(row.payoutsReturned)],
  ["Available", (row) => money(row.owedAvailable)],
  ["Pending payouts", (row) => money(row.owedPending)],
  ["Held for trades", (row) => money(row.owedHeld)],
  ["Owed at the end", (row) => money(row.owed)],
  ["Units that left without a sale", (row) => row.unitsLost],
  ["Value of these units at tag prices", (row) => money(row.lostValue)],
  ["Units without a tag price", (row) => row.lostWithoutPrice],
];

export function reportHead(first: readonly string[]): readonly string[] {
  return [...first, ...columns.map(([heading]) => heading)];
}

export function reportRow(first: readonly Cell[], figures: ReportFigures): readonly Cell[] {
  return [...first, ...columns.map(([, cell]) => cell(figures))];
}
