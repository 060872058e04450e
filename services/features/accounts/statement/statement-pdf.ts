// A statement on paper: completely tagged, so that a screen reader reads everything that is visible.
import type { LedgerLine, StatementQuery, StatementResponse } from "#features/accounts/contract.ts";
import { zoneAt, zonesText } from "#features/months/streams.ts";
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
import { addFooters, bytesOf, openDocument } from "#http/pdf-document.ts";
import { dayWords } from "#ledger/day-text.ts";
import { formatCents, toCents } from "#ledger/money.ts";

const BODY: TextStyle = { size: 9.5, weight: 400 };
const STRONG: TextStyle = { size: 9.5, weight: 600 };

const KIND_NAMES: Readonly<Record<LedgerLine["kind"], string>> = {
  sale: "Sales",
  refund: "Refunds",
  correction: "Corrections",
  payout: "Payouts",
  trade: "Trades",
  adjustment: "Adjustments",
  other: "Other entries",
};

/** The statement as a PDF/UA document that says where its file can be checked. It blocks for about 2 ms per line, so it belongs in a thread of its own. */
export async function statementPdf(
  statement: StatementResponse,
  paper: StatementQuery["paper"],
  verifyAt: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const doc = openStatement(statement, paper);
  const finished = bytesOf(doc);
  const page = firstPage(doc);
  const root = doc.struct("Document");
  doc.addStructure(root);
  addHead(page, root, statement);
  addSums(page, root, statement);
  addEntries(page, root, statement);
  addProof(page, root, statement, verifyAt);
  root.end();
  addFooters(page, footerOf(statement));
  doc.end();
  return await finished;
}

function openStatement(
  statement: StatementResponse,
  paper: StatementQuery["paper"],
): PDFKit.PDFDocument {
  return openDocument(paper, {
    Author: statement.storeName,
    Title: `Statement of ${statement.displayName}, ${statement.from} to ${statement.to}`,
    Subject: `Ledger position ${statement.position}, chain head ${statement.chainHead ?? "none"}`,
    CreationDate: new Date(statement.issuedAt),
  });
}

function addHead(page: Page, root: Element, statement: StatementResponse): void {
  const { storeName, displayName, consignorID, from, to, timeZone, issuedAt } = statement;
  paragraph(page, root, "P", storeName, HEADING);
  page.y += 4;
  paragraph(page, root, "H1", "Statement", TITLE);
  page.y += 4;
  paragraph(page, root, "P", displayName, HEADING);
  paragraph(page, root, "P", `Account ${consignorID}`, SMALL);
  page.y += 4;
  paragraph(page, root, "P", `${dayText(from)} to ${dayText(to)}, both included`, BODY);
  const issued = instantText(issuedAt, timeZone);
  const days = `Issued ${issued}. Days and times are those of ${zonesText(statement)}.`;
  paragraph(page, root, "P", days, SMALL);
  page.y += 12;
}

function addSums(page: Page, root: Element, statement: StatementResponse): void {
  const { opening, closing, sums, lines } = statement;
  const table = openTable(
    page,
    root,
    columnsOf(page, [
      ["Balance", 0, false],
      ["Entries", 60, true],
      ["Available", 100, true],
      ["Pending payouts", 100, true],
    ]),
  );
  const row = (style: TextStyle, ...texts: readonly string[]): Cell[] =>
    texts.map((text) => [[text, style]]);
  const border = (name: string, count: string, at: StatementResponse["opening"]) =>
    row(STRONG, balanceName(name, at.balance), count, amount(at.balance), amount(at.inTransit));
  addRow(page, table, border(`Opening balance`, "", opening), true);
  for (const sum of sums) {
    const changes = [change(sum.amount), change(sum.inTransitChange)];
    addRow(page, table, row(BODY, KIND_NAMES[sum.kind], String(sum.lines), ...changes), true);
  }
  rule(page, page.y - 2, 0.75);
  page.y += 2;
  addRow(page, table, border("Closing balance", String(lines.length), closing), true);
  page.y += 14;
}

function balanceName(name: string, balance: number): string {
  return balance < 0 ? `${name} (owed to the store)` : name;
}

function addEntries(page: Page, root: Element, statement: StatementResponse): void {
  const { lines } = statement;
  makeRoom(page, 90);
  paragraph(page, root, "H2", "Entries, in the order they were recorded", HEADING);
  page.y += 4;
  if (lines.length === 0) {
    paragraph(page, root, "P", "There are no entries in this period.", BODY);
    return;
  }
  const table = openTable(
    page,
    root,
    columnsOf(page, [
      ["Recorded", 76, false],
      ["Happened", 76, false],
      ["Entry", 0, false],
      ["Amount", 76, true],
      ["Available after", 86, true],
    ]),
  );
  const zones = [statement, ...statement.closedZones].map(({ timeZone }) => timeZone);
  const formats = new Map(zones.map((zone) => [zone, dayWords(zone, "year")]));
  for (const line of lines) {
    const zone = zoneAt(line.month, statement);
    const dayOf = formats.get(zone) ?? dayWords(zone, "year");
    addRow(page, table, [
      [[dayOf(new Date(line.recordedAt)), BODY]],
      [[dayOf(new Date(line.happenedAt)), BODY]],
      [
        [line.description, BODY],
        ...(line.note === null ? [] : ([[`Reason: ${line.note}`, SMALL]] as const)),
      ],
      [[line.amount === 0 ? "—" : change(line.amount), BODY]],
      [[amount(line.balanceAfter), BODY]],
    ]);
  }
}

function addProof(
  page: Page,
  root: Element,
  { position, chainHead }: StatementResponse,
  verifyAt: string,
): void {
  page.y += 10;
  makeRoom(page, 60);
  paragraph(page, root, "H2", "Where this stands in the ledger", HEADING);
  const text =
    chainHead === null
      ? "The store's ledger was empty when this statement was issued."
      : `This statement holds everything recorded up to position ${position} of the store's ledger. ` +
        `The link of the ledger's hash chain there is ${chainHead}: whoever keeps this page can have the ledger ` +
        "checked against it.";
  paragraph(page, root, "P", text, SMALL);
  const signed =
    `The file of this statement is signed. At ${verifyAt} anybody can check that it is genuine and unchanged, and ` +
    "whether later entries touch its period.";
  paragraph(page, root, "P", signed, SMALL);
}

function footerOf({ position, chainHead }: StatementResponse): string {
  const head = chainHead === null ? "" : `, chain head ${chainHead}`;
  return `Ledger position ${position}${head}`;
}

function amount(dollars: number): string {
  return formatCents(toCents(dollars));
}

function change(dollars: number): string {
  return dollars > 0 ? `+${amount(dollars)}` : amount(dollars);
}

/** A calendar day in words, independent of the time zone: "2026-11-21" → "21 Nov 2026". */
function dayText(day: string): string {
  return dayWords("UTC", "year")(new Date(`${day}T00:00:00Z`));
}

function instantText(instant: string, timeZone: string): string {
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone });
  const at = new Date(instant);
  return `${dayWords(timeZone, "year")(at)}, ${time.format(at)}`;
}
