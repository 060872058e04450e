// The tax report on paper: the months of a year with their sum, and the remittances for them; tagged for screen readers.
import type { RemittanceView } from "#features/months/contract.ts";
import type { TaxMonth } from "#features/months/contract-tax.ts";
import type { DayZones } from "#features/months/streams.ts";
import { monthName, zonesText } from "#features/months/streams.ts";
import { pdfOf } from "#http/pdf-document.ts";
import type { Page } from "#http/pdf-page.ts";
import { addTitle, BODY, paragraph, SMALL, STRONG } from "#http/pdf-page.ts";
import { addList, addRow, addSumRow, cellsOf, openTable } from "#http/pdf-table.ts";
import { dayWords } from "#ledger/day-text.ts";
import { formatDollars, toCents, toDollars } from "#ledger/money.ts";

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

/** It takes some milliseconds, and the fonts take more: it belongs in a thread of its own. */
export function taxPdf(report: TaxPage, paper: "a4" | "letter"): Promise<Uint8Array<ArrayBuffer>> {
  const { storeName, year, position, madeAt } = report;
  const title = `Sales tax of ${storeName}, ${year}`;
  return pdfOf(
    { paper, layout: "landscape", storeName, title, ledger: { position }, madeAt },
    (page) => {
      addHead(page, report);
      addMonths(page, report);
      addRemittances(page, report);
    },
  );
}

function dayIn(timeZone: string, at: string): string {
  return dayWords(timeZone, "year")(new Date(at));
}

function addHead(page: Page, report: TaxPage): void {
  const { storeName, year, timeZone, madeAt } = report;
  addTitle(page, storeName, `Sales tax ${year}`);
  const made = `Made ${dayIn(timeZone, madeAt)}. Months are those of ${zonesText(report)}.`;
  paragraph(page, "P", made, SMALL);
  page.y += 10;
}

function addMonths(page: Page, { months }: TaxPage): void {
  if (months.length === 0) {
    paragraph(page, "P", "There are no sales in this year.", BODY);
    return;
  }
  const table = openTable(page, [
    ["Month", 0, false],
    ...columns.map(([heading]) => [heading, 76, true] as const),
  ]);
  for (const month of months) {
    const amounts = columns.map(([, amount]) => formatDollars(amount(month)));
    addRow(page, table, cellsOf(BODY, monthName(month.month), ...amounts), true);
  }
  const totals = columns.map(([, amount]) =>
    formatDollars(toDollars(months.reduce((sum, month) => sum + toCents(amount(month)), 0))),
  );
  addSumRow(page, table, cellsOf(STRONG, "Total", ...totals));
  page.y += 6;
  const meaning =
    "Sales are without tax, after refunds and corrections. A remittance counts for the month that it is for. " +
    "Collected includes corrections of the tax. Still owed: collected, less refunded and remitted.";
  paragraph(page, "P", meaning, SMALL);
  page.y += 14;
}

function addRemittances(page: Page, { remittances, timeZone }: TaxPage): void {
  addList(page, {
    heading: "Remittances for these months",
    columns: [
      ["For", 110, false],
      ["Paid", 90, false],
      ["Reference", 0, false],
      ["Recorded by", 140, false],
      ["Amount", 90, true],
    ],
    rows: remittances.map(({ month, remittedAt, reference, by, amount }) => {
      const paid = dayIn(timeZone, remittedAt);
      const texts = [monthName(month), paid, reference, by.displayName, formatDollars(amount)];
      return cellsOf(BODY, ...texts);
    }),
    isHeaded: true,
    empty: ["Nothing was remitted for these months.", BODY],
  });
}
