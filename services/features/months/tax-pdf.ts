// The tax report on paper: the months of a year with their sum, and the remittances for them; tagged for screen readers.
import type { RemittanceView } from "#features/months/contract.ts";
import type { TaxMonth } from "#features/months/contract-tax.ts";
import type { DayZones } from "#features/months/streams.ts";
import { monthName, zonesText } from "#features/months/streams.ts";
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
import { formatCents, toCents, toDollars } from "#ledger/money.ts";

export type TaxPage = DayZones & {
  readonly storeName: string;
  readonly year: number;
  readonly position: number;
  readonly madeAt: string;
  /** Oldest first. */
  readonly months: readonly TaxMonth[];
  /** For the year's months, oldest first, without those that were taken back. */
  readonly remittances: readonly RemittanceView[];
};

const BODY: TextStyle = { size: 9, weight: 400 };
const STRONG: TextStyle = { size: 9, weight: 600 };

const columns: readonly (readonly [heading: string, amount: (month: TaxMonth) => number])[] = [
  ["Taxable", (month) => month.taxable],
  ["Exempt", (month) => month.exempt],
  ["Untaxed online", (month) => month.untaxedOnline],
  ["Other untaxed", (month) => month.otherUntaxed],
  ["Collected", (month) => month.collected],
  ["Refunded", (month) => month.refunded],
  ["Remitted", (month) => month.remitted],
  ["Still owed", (month) => month.owed],
];

const text = (dollars: number): string => formatCents(toCents(dollars));

/** It takes some milliseconds, and the fonts take more: it belongs in a thread of its own. */
export async function taxPdf(
  report: TaxPage,
  paper: "a4" | "letter",
): Promise<Uint8Array<ArrayBuffer>> {
  const { storeName, year, position, madeAt } = report;
  const doc = openDocument(
    paper,
    {
      Author: storeName,
      Title: `Sales tax of ${storeName}, ${year}`,
      Subject: `Ledger position ${position}`,
      CreationDate: new Date(madeAt),
    },
    "landscape",
  );
  const finished = bytesOf(doc);
  const page = firstPage(doc);
  const root = doc.struct("Document");
  doc.addStructure(root);
  addHead(page, root, report);
  addMonths(page, root, report);
  addRemittances(page, root, report);
  root.end();
  addFooters(page, `Ledger position ${position}`);
  doc.end();
  return await finished;
}

function dayIn(timeZone: string, at: string): string {
  return dayWords(timeZone, "year")(new Date(at));
}

function addHead(page: Page, root: Element, report: TaxPage): void {
  const { storeName, year, timeZone, madeAt } = report;
  paragraph(page, root, "P", storeName, HEADING);
  page.y += 4;
  paragraph(page, root, "H1", `Sales tax ${year}`, TITLE);
  page.y += 4;
  const made = `Made ${dayIn(timeZone, madeAt)}. Months are those of ${zonesText(report)}.`;
  paragraph(page, root, "P", made, SMALL);
  page.y += 10;
}

const cells = (style: TextStyle, ...texts: readonly string[]): Cell[] =>
  texts.map((one) => [[one, style]]);

function addMonths(page: Page, root: Element, { months }: TaxPage): void {
  if (months.length === 0) {
    paragraph(page, root, "P", "There are no sales in this year.", BODY);
    return;
  }
  const table = openTable(
    page,
    root,
    columnsOf(page, [
      ["Month", 0, false],
      ...columns.map(([heading]) => [heading, 76, true] as const),
    ]),
  );
  for (const month of months) {
    const amounts = columns.map(([, amount]) => text(amount(month)));
    addRow(page, table, cells(BODY, monthName(month.month), ...amounts), true);
  }
  rule(page, page.y - 2, 0.75);
  page.y += 2;
  const totals = columns.map(([, amount]) =>
    text(toDollars(months.reduce((sum, month) => sum + toCents(amount(month)), 0))),
  );
  addRow(page, table, cells(STRONG, "Total", ...totals), true);
  page.y += 6;
  const meaning =
    "Sales are without tax, after refunds and corrections. A remittance counts for the month that it is for. " +
    "Collected is with corrections of the tax. Still owed: collected, less refunded and remitted.";
  paragraph(page, root, "P", meaning, SMALL);
  page.y += 14;
}

function addRemittances(page: Page, root: Element, { remittances, timeZone }: TaxPage): void {
  makeRoom(page, 90);
  paragraph(page, root, "H2", "Remittances for these months", HEADING);
  page.y += 4;
  if (remittances.length === 0) {
    paragraph(page, root, "P", "Nothing was remitted for these months.", BODY);
    return;
  }
  const table = openTable(
    page,
    root,
    columnsOf(page, [
      ["For", 110, false],
      ["Paid", 90, false],
      ["Reference", 0, false],
      ["Recorded by", 140, false],
      ["Amount", 90, true],
    ]),
  );
  for (const { month, remittedAt, reference, by, amount } of remittances) {
    const paid = dayIn(timeZone, remittedAt);
    addRow(
      page,
      table,
      cells(BODY, monthName(month), paid, reference, by.displayName, text(amount)),
      true,
    );
  }
}
