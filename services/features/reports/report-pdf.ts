// A report on paper: what happened in the period, what is owed, and the list that the screen shows. For screen readers too.
import type { ReportFigures } from "#features/reports/contract.ts";
import type { DayZones } from "#features/months/streams.ts";
import { zonesText } from "#features/months/streams.ts";
import { groupLabel } from "#features/reports/line-words.ts";
import { pdfOf } from "#http/pdf-document.ts";
import type { Page } from "#http/pdf-page.ts";
import { addHeading, addTitle, BODY, HEADING, paragraph, SMALL, STRONG } from "#http/pdf-page.ts";
import { addRow, addSumRow, cellsOf, openTable } from "#http/pdf-table.ts";
import type { TextStyle } from "#http/pdf-text.ts";
import { dayIn, dayText } from "#ledger/day-text.ts";
import { formatDollars } from "#ledger/money.ts";

export type ReportPage = DayZones & {
  readonly storeName: string;
  /** Whose report it is; null for the store. */
  readonly person: string | null;
  readonly from: string;
  readonly to: string;
  readonly position: number;
  readonly madeAt: string;
  /** The store's time zone of now; the days of an older period may be of another. */
  readonly storeZone: string;
  /** "Month" or "Consignor". */
  readonly heading: string;
  readonly rows: readonly { readonly name: string; readonly figures: ReportFigures }[];
  readonly total: ReportFigures;
};

/** A year by month takes 20 ms, a thousand consignors about two seconds: it belongs in a thread of its own. */
export function reportPdf(
  report: ReportPage,
  paper: "a4" | "letter",
): Promise<Uint8Array<ArrayBuffer>> {
  const { storeName, from, to, position, madeAt, total } = report;
  const title = `Report of ${storeName}, ${from} to ${to}`;
  return pdfOf(
    { paper, layout: "landscape", storeName, title, ledger: { position }, madeAt },
    (page) => {
      addHead(page, report);
      addRows(page, report);
      addSold(page, total);
      addOwed(page, total);
      addShrinkage(page, total);
    },
  );
}

function addHead(page: Page, report: ReportPage): void {
  const { storeName, person, from, to } = report;
  addTitle(page, storeName, "Report");
  if (person !== null) {
    paragraph(page, "P", person, HEADING);
  }
  paragraph(page, "P", `${dayText(from)} to ${dayText(to)}, both included`, BODY);
  paragraph(page, "P", madeText(report), SMALL);
  page.y += 10;
}

/** When it was made, and whose days it counts. */
export function madeText(report: DayZones & Pick<ReportPage, "madeAt" | "storeZone">): string {
  const day = dayIn(new Date(report.madeAt), report.storeZone);
  return `Made ${dayText(day)}. Days are those of ${zonesText(report)}.`;
}

type FigureColumn = readonly [heading: string, width: number, text: (row: ReportFigures) => string];

/** Wide enough for their headings, which do not wrap. */
const columns: readonly FigureColumn[] = [
  ["Sales", 40, (row) => String(row.sales)],
  ["Own goods", 60, (row) => formatDollars(row.ownSold)],
  ["Consigned", 60, (row) => formatDollars(row.consignedSold)],
  ["Refunds", 60, (row) => formatDollars(row.refunds)],
  ["Corrections", 60, (row) => formatDollars(row.corrections)],
  ["Store\u2019s share", 60, (row) => formatDollars(row.storeShare)],
  ["Net payouts", 60, (row) => formatDollars(row.payouts)],
  ["Commission", 60, (row) => formatDollars(row.commission)],
  ["Trade fees", 60, (row) => formatDollars(row.tradeFees)],
  ["Units out", 42, (row) => String(row.unitsLost)],
  ["Owed at the end", 70, (row) => formatDollars(row.owed)],
];

function addRows(page: Page, { heading, rows, total }: ReportPage): void {
  addHeading(page, `By ${heading.toLowerCase()}`, 90);
  const table = openTable(page, [
    [heading, 0, false],
    ...columns.map(([name, width]) => [name, width, true] as const),
  ]);
  const row = (name: string, figures: ReportFigures, style: TextStyle) =>
    cellsOf(style, name, ...columns.map(([, , text]) => text(figures)));
  for (const { name, figures } of rows) {
    addRow(page, table, row(name, figures, BODY), true);
  }
  addSumRow(page, table, row("Total", total, STRONG));
  page.y += 14;
}

/** From the prices of sales to who got what: the list above has no room for all of it. */
export function soldLines(total: ReportFigures): readonly (readonly [string, number])[] {
  return [
    ["Own goods", total.ownSold],
    ["Consigned goods", total.consignedSold],
    ["Refunds", total.refunds],
    ["Corrections", total.corrections],
    ["Shipping", 0 - total.shipping],
    ["Kept from own goods", 0 - total.ownShare],
    ["Store\u2019s share of consigned goods", 0 - total.storeShare],
  ];
}

function addSold(page: Page, total: ReportFigures): void {
  addHeading(page, "What was sold", 130);
  const table = openTable(page, [
    ["What", 240, false],
    ["Amount", 100, true],
    ["", 0, false],
  ]);
  const add = (name: string, dollars: number, style: TextStyle): void =>
    addRow(page, table, [...cellsOf(style, name, formatDollars(dollars)), []], true);
  for (const [name, dollars] of soldLines(total)) {
    add(name, dollars, BODY);
  }
  add("Consignors\u2019 shares of sales", total.consignorShare, STRONG);
  page.y += 10;
}

function addOwed(page: Page, total: ReportFigures): void {
  addHeading(page, "What the store owes consignors", 150);
  const table = openTable(page, [
    ["What", 240, false],
    ["Amount", 100, true],
    ["", 0, false],
  ]);
  const add = (name: string, dollars: number, style = BODY): void =>
    addRow(page, table, [...cellsOf(style, name, formatDollars(dollars)), []], true);
  add("Owed before", total.owedBefore, STRONG);
  add("Consignors\u2019 shares of sales", total.consignorShare);
  add("Trades between consignors", total.traded);
  add("Adjustments", total.adjustments);
  add("Taken over from the old app", total.takenOver);
  add("Payouts paid", 0 - total.payoutsPaid);
  add("Payouts returned", total.payoutsReturned);
  add("Trade commission", 0 - total.commission);
  add("Trade shipping fees", 0 - total.tradeFees);
  add("Owed at the end", total.owed, STRONG);
  add("of it available", total.owedAvailable);
  add("of it pending payouts", total.owedPending);
  add("of it held for trades", total.owedHeld);
  page.y += 10;
}

function addShrinkage(page: Page, total: ReportFigures): void {
  const { shrinkage, unitsLost, lostValue, lostWithoutPrice } = total;
  if (shrinkage.length === 0) {
    return;
  }
  addHeading(page, "Units that left without a sale", 60);
  const table = openTable(page, [
    ["Reason", 240, false],
    ["Units", 60, true],
    ["Without a tag price", 110, true],
    ["Value at tag prices", 110, true],
    ["", 0, false],
  ]);
  const add = (style: TextStyle, ...texts: readonly string[]): void =>
    addRow(page, table, [...cellsOf(style, ...texts), []], true);
  for (const { reason, units, value, withoutPrice } of shrinkage) {
    add(BODY, groupLabel(reason), String(units), String(withoutPrice), formatDollars(value));
  }
  const all = [String(unitsLost), String(lostWithoutPrice), formatDollars(lostValue)];
  add(STRONG, "All units", ...all);
}
