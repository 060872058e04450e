// A statement on paper: completely tagged, so that a screen reader reads everything that is visible.
import type { LedgerLine, StatementQuery, StatementResponse } from "#features/accounts/contract.ts";
import { closingName } from "#features/accounts/statement/so-far.ts";
import { zoneAt, zonesText } from "#features/months/streams.ts";
import type { Page } from "#http/pdf-page.ts";
import { addTitle, HEADING, makeRoom, paragraph, SMALL } from "#http/pdf-page.ts";
import type { Cell } from "#http/pdf-table.ts";
import { addList, addRow, addSumRow, cellsOf, openTable } from "#http/pdf-table.ts";
import type { TextStyle } from "#http/pdf-text.ts";
import { pdfOf } from "#http/pdf-document.ts";
import { dayText, dayWords } from "#ledger/day-text.ts";
import { formatDollars } from "#ledger/money.ts";

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
export function statementPdf(
  statement: StatementResponse,
  paper: StatementQuery["paper"],
  verifyAt: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { storeName, displayName, from, to, issuedAt } = statement;
  const title = `Statement of ${displayName}, ${from} to ${to}`;
  return pdfOf(
    { paper, layout: "portrait", storeName, title, ledger: statement, madeAt: issuedAt },
    (page) => {
      addHead(page, statement);
      addSums(page, statement);
      addEntries(page, statement);
      addProof(page, statement, verifyAt);
    },
  );
}

function addHead(page: Page, statement: StatementResponse): void {
  const { storeName, displayName, consignorID, from, to, timeZone, issuedAt } = statement;
  addTitle(page, storeName, "Statement");
  paragraph(page, "P", displayName, HEADING);
  paragraph(page, "P", `Account ${consignorID}`, SMALL);
  page.y += 4;
  paragraph(page, "P", `${dayText(from)} to ${dayText(to)}, both included`, BODY);
  const issued = instantText(issuedAt, timeZone);
  const days = `Issued ${issued}. Days and times are those of ${zonesText(statement)}.`;
  paragraph(page, "P", days, SMALL);
  page.y += 12;
}

function addSums(page: Page, statement: StatementResponse): void {
  const { opening, closing, sums, lines } = statement;
  const table = openTable(page, [
    ["Balance", 0, false],
    ["Entries", 60, true],
    ["Available", 100, true],
    ["Pending payouts", 100, true],
  ]);
  const border = (name: string, count: string, at: StatementResponse["opening"]) => {
    const amounts = [formatDollars(at.balance), formatDollars(at.inTransit)];
    return cellsOf(STRONG, balanceName(name, at.balance), count, ...amounts);
  };
  addRow(page, table, border("Opening balance", "", opening), true);
  for (const sum of sums) {
    const changes = [change(sum.amount), change(sum.inTransitChange)];
    addRow(page, table, cellsOf(BODY, KIND_NAMES[sum.kind], String(sum.lines), ...changes), true);
  }
  addSumRow(page, table, border(closingName(statement), String(lines.length), closing));
  page.y += 14;
}

function balanceName(name: string, balance: number): string {
  return balance < 0 ? `${name} (owed to the store)` : name;
}

function addEntries(page: Page, statement: StatementResponse): void {
  const zones = [statement, ...statement.closedZones].map(({ timeZone }) => timeZone);
  const formats = new Map(zones.map((zone) => [zone, dayWords(zone, "year")]));
  const cellsOfEntry = (line: LedgerLine): readonly Cell[] => {
    const zone = zoneAt(line.month, statement);
    const dayOf = formats.get(zone) ?? dayWords(zone, "year");
    return [
      [[dayOf(new Date(line.recordedAt)), BODY]],
      [[dayOf(new Date(line.happenedAt)), BODY]],
      [
        [line.description, BODY],
        ...(line.note === null ? [] : ([[`Reason: ${line.note}`, SMALL]] as const)),
      ],
      [[line.amount === 0 ? "—" : change(line.amount), BODY]],
      [[formatDollars(line.balanceAfter), BODY]],
    ];
  };
  addList(page, {
    heading: "Entries, in the order they were recorded",
    columns: [
      ["Recorded", 76, false],
      ["Happened", 76, false],
      ["Entry", 0, false],
      ["Amount", 76, true],
      ["Available after", 86, true],
    ],
    rows: statement.lines.map(cellsOfEntry),
    isHeaded: false,
    empty: ["There are no entries in this period.", BODY],
  });
}

function addProof(page: Page, { position, chainHead }: StatementResponse, verifyAt: string): void {
  page.y += 10;
  makeRoom(page, 60);
  paragraph(page, "H2", "Where this stands in the ledger", HEADING);
  const text =
    chainHead === null
      ? "The store's ledger was empty when this statement was issued."
      : `This statement holds everything recorded up to position ${position} of the store's ledger. ` +
        `The link of the ledger's hash chain there is ${chainHead}: whoever keeps this page can have the ledger ` +
        "checked against it.";
  paragraph(page, "P", text, SMALL);
  const signed =
    `The file of this statement is signed. At ${verifyAt} anybody can check that it is genuine and unchanged, and ` +
    "whether later entries touch its period.";
  paragraph(page, "P", signed, SMALL);
}

function change(dollars: number): string {
  return dollars > 0 ? `+${formatDollars(dollars)}` : formatDollars(dollars);
}

function instantText(instant: string, timeZone: string): string {
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone });
  const at = new Date(instant);
  return `${dayWords(timeZone, "year")(at)}, ${time.format(at)}`;
}
