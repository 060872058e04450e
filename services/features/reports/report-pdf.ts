// A report on paper: what happened in the period, what is owed, and the list that the screen shows. For screen readers too.
import type { ReportFigures } from "#features/reports/contract.ts";
import type { DayZones } from "#features/months/streams.ts";
import { zonesText } from "#features/months/streams.ts";
import { groupLabel } from "#features/reports/line-words.ts";
import { addFooters, bytesOf, openDocument } from "#http/pdf-document.ts";
import type { Cell, Element, Page } from "#http/pdf-page.ts";
import {
  addRow,
  columnsOf,
  firstPage,
  HEADING,
  makeRoom,
  openTable,
  paragraph,
  rule,
  SMALL,
  TITLE,
} from "#http/pdf-page.ts";
import type { TextStyle } from "#http/pdf-text.ts";
import { dayWords } from "#ledger/day-text.ts";
import { formatCents, toCents } from "#ledger/money.ts";

export type ReportPage = DayZones & {
  readonly storeName: string;
  /** Whose report it is; null for the store. */
  readonly person: string | null;
  readonly from: string;
  readonly to: string;
  readonly position: number;
  readonly madeAt: string;
  /** "Month" or "Consignor". */
  readonly heading: string;
  readonly rows: readonly { readonly name: string; readonly figures: ReportFigures }[];
  readonly total: ReportFigures;
};

const BODY: TextStyle = { size: 9, weight: 400 };
const STRONG: TextStyle = { size: 9, weight: 600 };

const amount = (dollars: number): string => formatCents(toCents(dollars));

/** A year by month takes 20 ms, a thousand consignors about two seconds: it belongs in a thread of its own. */
export async function reportPdf(
  report: ReportPage,
  paper: "a4" | "letter",
): Promise<Uint8Array<ArrayBuffer>> {
  const doc = openDocument(
    paper,
    {
      Author: report.storeName,
      Title: `Report of ${report.storeName}, ${report.from} to ${report.to}`,
      Subject: `Ledger position ${report.position}`,
      CreationDate: new Date(report.madeAt),
    },
    "landscape",
  );
  const finished = bytesOf(doc);
  const page = firstPage(doc);
  const root = doc.struct("Document");
  doc.addStructure(root);
  addHead(page, root, report);
  addList(page, root, report);
  addOwed(page, root, report.total);
  addShrinkage(page, root, report.total);
  root.end();
  addFooters(page, `Ledger position ${report.position}`);
  doc.end();
  return await finished;
}

function addHead(page: Page, root: Element, report: ReportPage): void {
  const { storeName, person, from, to, madeAt } = report;
  paragraph(page, root, "P", storeName, HEADING);
  page.y += 4;
  paragraph(page, root, "H1", "Report", TITLE);
  page.y += 4;
  if (person !== null) {
    paragraph(page, root, "P", person, HEADING);
  }
  paragraph(page, root, "P", `${dayText(from)} to ${dayText(to)}, both included`, BODY);
  const made = `Made ${dayText(madeAt.slice(0, 10))}. Days are those of ${zonesText(report)}.`;
  paragraph(page, root, "P", made, SMALL);
  page.y += 10;
}

const columns: readonly (readonly [heading: string, text: (row: ReportFigures) => string])[] = [
  ["Sales", (row) => String(row.sales)],
  ["Own goods", (row) => amount(row.ownSold)],
  ["Consigned", (row) => amount(row.consignedSold)],
  ["Refunds", (row) => amount(row.refunds)],
  ["Corrections", (row) => amount(row.corrections)],
  ["Store\u2019s share", (row) => amount(row.storeShare)],
  ["Payouts less returned", (row) => amount(row.payouts)],
  ["Commission", (row) => amount(row.commission)],
  ["Trade fees", (row) => amount(row.tradeFees)],
  ["Units out", (row) => String(row.unitsLost)],
  ["Owed at the end", (row) => amount(row.owed)],
];

/** Columns of counts need less room. */
const counted: ReadonlySet<string> = new Set(["Sales", "Units lost"]);

function addList(page: Page, root: Element, { heading, rows, total }: ReportPage): void {
  paragraph(page, root, "H2", `By ${heading.toLowerCase()}`, HEADING);
  page.y += 4;
  const table = openTable(
    page,
    root,
    columnsOf(page, [
      [heading, 0, false],
      ...columns.map(([name]) => [name, counted.has(name) ? 40 : 60, true] as const),
    ]),
  );
  const row = (name: string, figures: ReportFigures, style: TextStyle): Cell[] => [
    [[name, style]],
    ...columns.map(([, text]): Cell => [[text(figures), style]]),
  ];
  for (const { name, figures } of rows) {
    addRow(page, table, row(name, figures, BODY), true);
  }
  rule(page, page.y - 2, 0.75);
  page.y += 2;
  addRow(page, table, row("Total", total, STRONG), true);
  page.y += 14;
}

function addOwed(page: Page, root: Element, total: ReportFigures): void {
  makeRoom(page, 150);
  paragraph(page, root, "H2", "What the store owes consignors", HEADING);
  page.y += 4;
  const table = openTable(
    page,
    root,
    columnsOf(page, [
      ["What", 240, false],
      ["Amount", 100, true],
      ["", 0, false],
    ]),
  );
  const add = (name: string, dollars: number, style = BODY): void =>
    addRow(page, table, [[[name, style]], [[amount(dollars), style]], []], true);
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

function addShrinkage(page: Page, root: Element, total: ReportFigures): void {
  const { shrinkage, unitsLost, lostValue, lostWithoutPrice } = total;
  if (shrinkage.length === 0) {
    return;
  }
  makeRoom(page, 60);
  paragraph(page, root, "H2", "Units that left without a sale", HEADING);
  page.y += 4;
  const table = openTable(
    page,
    root,
    columnsOf(page, [
      ["Reason", 240, false],
      ["Units", 60, true],
      ["Without a tag price", 110, true],
      ["Value at tag prices", 110, true],
      ["", 0, false],
    ]),
  );
  const add = (style: TextStyle, ...texts: readonly string[]): void =>
    addRow(page, table, [...texts.map((text): Cell => [[text, style]]), []], true);
  for (const { reason, units, value, withoutPrice } of shrinkage) {
    add(BODY, groupLabel(reason), String(units), String(withoutPrice), amount(value));
  }
  add(STRONG, "All units", String(unitsLost), String(lostWithoutPrice), amount(lostValue));
}

/** "2026-11-21" → "21 Nov 2026" */
function dayText(day: string): string {
  return dayWords("UTC", "year")(new Date(`${day}T00:00:00Z`));
}
