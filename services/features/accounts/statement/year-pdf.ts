// A yearly statement on paper: the balances, each month, and the payouts that were paid; tagged for screen readers.
import type { YearStatement } from "#features/accounts/contract-year.ts";
import { zonesText } from "#features/months/streams.ts";
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

const BODY: TextStyle = { size: 9, weight: 400 };
const STRONG: TextStyle = { size: 9, weight: 600 };

/** It blocks for some milliseconds, so it belongs in a thread of its own. */
export async function yearPdf(
  statement: YearStatement,
  paper: "letter" | "a4",
  verifyAt: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { storeName, displayName, year, position, chainHead, issuedAt } = statement;
  const doc = openDocument(paper, {
    Author: storeName,
    Title: `Yearly statement of ${displayName}, ${year}`,
    Subject: `Ledger position ${position}, chain head ${chainHead ?? "none"}`,
    CreationDate: new Date(issuedAt),
  });
  const finished = bytesOf(doc);
  const page = firstPage(doc);
  const root = doc.struct("Document");
  doc.addStructure(root);
  addHead(page, root, statement);
  addMonths(page, root, statement);
  addPayouts(page, root, statement);
  addProof(page, root, statement, verifyAt);
  root.end();
  const head = chainHead === null ? "" : `, chain head ${chainHead}`;
  addFooters(page, `Ledger position ${position}${head}`);
  doc.end();
  return await finished;
}

function addHead(page: Page, root: Element, statement: YearStatement): void {
  const { storeName, displayName, consignorID, year, timeZone, issuedAt } = statement;
  paragraph(page, root, "P", storeName, HEADING);
  page.y += 4;
  paragraph(page, root, "H1", `Yearly statement ${year}`, TITLE);
  page.y += 4;
  paragraph(page, root, "P", displayName, HEADING);
  paragraph(page, root, "P", `Account ${consignorID}`, SMALL);
  page.y += 4;
  const issued = dayWords(timeZone, "year")(new Date(issuedAt));
  const end = isRunning(statement) ? `${issued}, so far` : `31 Dec ${year}`;
  const days = `Issued ${issued}. 1 Jan ${year} to ${end}, days of ${zonesText(statement)}.`;
  paragraph(page, root, "P", days, SMALL);
  page.y += 12;
}

/** The store's day on which it was issued: "2026-11-23" */
const dayIssued = ({ issuedAt, timeZone }: YearStatement): string =>
  new Date(issuedAt).toLocaleDateString("sv-SE", { timeZone });

/** True if the year is not over: its numbers are not final. */
const isRunning = (statement: YearStatement): boolean =>
  dayIssued(statement).startsWith(String(statement.year));

const cells = (style: TextStyle, ...texts: readonly string[]): Cell[] =>
  texts.map((text) => [[text, style]]);

function addMonths(page: Page, root: Element, statement: YearStatement): void {
  const { months, total, opening } = statement;
  const table = openTable(
    page,
    root,
    columnsOf(page, [
      ["Month", 0, false],
      ["Sales", 36, true],
      ["Sold for", 72, true],
      ["Refunded", 66, true],
      ["Share", 72, true],
      ["Paid out", 72, true],
      ["Other", 66, true],
      ["Owed after", 78, true],
    ]),
  );
  const owed =
    toCents(opening.balance) + toCents(opening.inTransit) + toCents(opening.heldForTrades);
  const border = cells(STRONG, "Opening", "", "", "", "", "", "", formatCents(owed));
  addRow(page, table, border, true);
  const row = (name: string, style: TextStyle, of: YearStatement["total"]) => {
    const amounts = [of.sold, of.refunded, of.share, of.paid, of.other, of.owed];
    const shown = amounts.map((amount) => formatCents(toCents(amount)));
    addRow(page, table, cells(style, name, String(of.sales), ...shown), true);
  };
  for (const month of months) {
    row(monthText(month.month), BODY, month);
  }
  rule(page, page.y - 2, 0.75);
  page.y += 2;
  row(isRunning(statement) ? "So far" : "Year", STRONG, total);
  page.y += 6;
  paragraph(page, root, "P", explained(statement), SMALL);
  page.y += 14;
}

/** What the columns mean, and what the closing balance is made of. */
function explained(statement: YearStatement): string {
  const { closing, issuedAt, timeZone } = statement;
  const [available, requested, held] = [
    closing.balance,
    closing.inTransit,
    closing.heldForTrades,
  ].map((amount) => formatCents(toCents(amount)));
  const when = isRunning(statement)
    ? `So far, up to ${dayWords(timeZone, "year")(new Date(issuedAt))},`
    : "At the end of the year";
  return (
    "Sold for: sale prices without tax, as corrected. Share: of these sales, after refunds and corrections. Paid out: by " +
    "the day of payment, less what came back. Other: trades, adjustments and what was taken over. " +
    `${when} ` +
    `${available} were available, ${requested} requested and ${held} held for trades.`
  );
}

function addPayouts(page: Page, root: Element, { payouts }: YearStatement): void {
  makeRoom(page, 90);
  paragraph(page, root, "H2", "Payouts paid in the year", HEADING);
  page.y += 4;
  if (payouts.length === 0) {
    paragraph(page, root, "P", "No payout was paid in this year.", BODY);
    return;
  }
  const dayOf = dayWords("UTC", "year");
  const table = openTable(
    page,
    root,
    columnsOf(page, [
      ["Paid", 90, false],
      ["Method", 110, false],
      ["Payout", 0, false],
      ["Amount", 90, true],
    ]),
  );
  for (const { kind, day, method, payoutID, amount } of payouts) {
    const by = method === "venmo" ? "Venmo" : "CashApp";
    const name = kind === "paid" ? by : `${by}, came back`;
    const paid = formatCents(toCents(amount));
    addRow(page, table, cells(BODY, dayOf(new Date(`${day}T00:00:00Z`)), name, payoutID, paid));
  }
}

function addProof(
  page: Page,
  root: Element,
  { position, chainHead }: YearStatement,
  verifyAt: string,
): void {
  page.y += 10;
  makeRoom(page, 60);
  paragraph(page, root, "H2", "Where this stands in the ledger", HEADING);
  const link =
    chainHead === null ? "" : ` The link of the ledger's hash chain there is ${chainHead}.`;
  const text = `This statement holds everything recorded up to position ${position} of the store's ledger.${link}`;
  paragraph(page, root, "P", text, SMALL);
  const signed = `The file of this statement is signed. At ${verifyAt} anybody can check that it is genuine and unchanged.`;
  paragraph(page, root, "P", signed, SMALL);
}

function monthText(month: string): string {
  const words = new Intl.DateTimeFormat("en-US", { month: "long", timeZone: "UTC" });
  return words.format(new Date(`${month}-01T00:00:00Z`));
}
