// A yearly statement on paper: the balances, each month, and the payouts that were paid; tagged for screen readers.
import type { YearStatement } from "#features/accounts/contract-year.ts";
import { isRunning } from "#features/accounts/statement/so-far.ts";
import { zonesText } from "#features/months/streams.ts";
import { pdfOf } from "#http/pdf-document.ts";
import type { Page } from "#http/pdf-page.ts";
import { addTitle, BODY, HEADING, makeRoom, paragraph, SMALL, STRONG } from "#http/pdf-page.ts";
import { addList, addRow, addSumRow, cellsOf, openTable } from "#http/pdf-table.ts";
import type { TextStyle } from "#http/pdf-text.ts";
import { dayText, dayWords } from "#ledger/day-text.ts";
import { formatCents, formatDollars, toCents } from "#ledger/money.ts";

/** It blocks for some milliseconds, so it belongs in a thread of its own. */
export function yearPdf(
  statement: YearStatement,
  paper: "letter" | "a4",
  verifyAt: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { storeName, displayName, year, issuedAt } = statement;
  const title = `Yearly statement of ${displayName}, ${year}`;
  return pdfOf(
    { paper, layout: "portrait", storeName, title, ledger: statement, madeAt: issuedAt },
    (page) => {
      addHead(page, statement);
      addMonths(page, statement);
      addPayouts(page, statement);
      addProof(page, statement, verifyAt);
    },
  );
}

function addHead(page: Page, statement: YearStatement): void {
  const { storeName, displayName, consignorID, year, timeZone, issuedAt } = statement;
  addTitle(page, storeName, `Yearly statement ${year}`);
  paragraph(page, "P", displayName, HEADING);
  paragraph(page, "P", `Account ${consignorID}`, SMALL);
  page.y += 4;
  const issued = dayWords(timeZone, "year")(new Date(issuedAt));
  const end = isRunning(statement) ? `${issued}, so far` : `31 Dec ${year}`;
  const days = `Issued ${issued}. 1 Jan ${year} to ${end}, days of ${zonesText(statement)}.`;
  paragraph(page, "P", days, SMALL);
  page.y += 12;
}

function addMonths(page: Page, statement: YearStatement): void {
  const { months, total, opening } = statement;
  const table = openTable(page, [
    ["Month", 0, false],
    ["Sales", 32, true],
    ["Sold for", 60, true],
    ["Refunded", 58, true],
    ["Corrected", 58, true],
    ["Share", 58, true],
    ["Paid out", 58, true],
    ["Other", 56, true],
    ["Owed after", 62, true],
  ]);
  const owed =
    toCents(opening.balance) + toCents(opening.inTransit) + toCents(opening.heldForTrades);
  const before = cellsOf(STRONG, "Opening", "", "", "", "", "", "", "", formatCents(owed));
  addRow(page, table, before, true);
  const row = (name: string, style: TextStyle, of: YearStatement["total"]) => {
    const { sold, refunded, corrected, share, paid, other } = of;
    const amounts = [sold, refunded, corrected, share, paid, other, of.owed];
    return cellsOf(style, name, String(of.sales), ...amounts.map(formatDollars));
  };
  for (const month of months) {
    addRow(page, table, row(monthText(month.month), BODY, month), true);
  }
  addSumRow(page, table, row(isRunning(statement) ? "So far" : "Year", STRONG, total));
  page.y += 6;
  paragraph(page, "P", explained(statement), SMALL);
  page.y += 14;
}

/** What the columns mean, and what the closing balance is made of. */
function explained(statement: YearStatement): string {
  const { closing, issuedAt, timeZone } = statement;
  const [available, requested, held] = [
    closing.balance,
    closing.inTransit,
    closing.heldForTrades,
  ].map(formatDollars);
  const when = isRunning(statement)
    ? `So far, up to ${dayWords(timeZone, "year")(new Date(issuedAt))},`
    : "At the end of the year";
  return (
    "Sold for: sale prices without tax, as they were recorded; Corrected: what changed of them later. Share: of these " +
    "sales, after refunds and corrections. Paid out: by the day of payment, less what came back. Other: trades, adjustments and what was taken over. " +
    `${when} ` +
    `${available} were available, ${requested} requested and ${held} held for trades.`
  );
}

function addPayouts(page: Page, { payouts }: YearStatement): void {
  addList(page, {
    heading: "Payouts paid in the year",
    columns: [
      ["Paid", 90, false],
      ["Method", 110, false],
      ["Payout", 0, false],
      ["Amount", 90, true],
    ],
    rows: payouts.map(({ kind, day, method, payoutID, amount }) => {
      const by = method === "venmo" ? "Venmo" : "CashApp";
      const name = kind === "paid" ? by : `${by}, came back`;
      return cellsOf(BODY, dayText(day), name, payoutID, formatDollars(amount));
    }),
    isHeaded: false,
    empty: ["No payout was paid in this year.", BODY],
  });
}

function addProof(page: Page, { position, chainHead }: YearStatement, verifyAt: string): void {
  page.y += 10;
  makeRoom(page, 60);
  paragraph(page, "H2", "Where this stands in the ledger", HEADING);
  const link =
    chainHead === null ? "" : ` The link of the ledger's hash chain there is ${chainHead}.`;
  const text = `This statement holds everything recorded up to position ${position} of the store's ledger.${link}`;
  paragraph(page, "P", text, SMALL);
  const signed = `The file of this statement is signed. At ${verifyAt} anybody can check that it is genuine and unchanged.`;
  paragraph(page, "P", signed, SMALL);
}

function monthText(month: string): string {
  const words = new Intl.DateTimeFormat("en-US", { month: "long", timeZone: "UTC" });
  return words.format(new Date(`${month}-01T00:00:00Z`));
}
