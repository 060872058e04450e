// A statement as a spreadsheet: the opening balance, the entries, the closing balance, and the ledger's head.
import type { Cell } from "#http/csv.ts";
import { money } from "#http/csv.ts";
import type { LedgerLine, StatementResponse } from "#features/accounts/contract.ts";
import { closingName } from "#features/accounts/statement/so-far.ts";
import type { StatementFrame } from "#features/accounts/statement/statement.ts";
import { zonesText } from "#features/months/streams.ts";

export const statementCsvHead = [
  "Line",
  "Position",
  "Recorded at",
  "Happened at",
  "Type",
  "Description",
  "Amount",
  "Balance after",
  "Pending payouts change",
  "Pending payouts after",
  "Note",
] as const;

/** The rows below `statementCsvHead`, in batches. */
export async function* statementCsv(
  frame: StatementFrame,
  lines: AsyncGenerator<readonly LedgerLine[]>,
): AsyncGenerator<Cell[][]> {
  const { storeName, opening, closing, position, chainHead, issuedAt } = frame;
  yield [borderRow(frame, "Opening balance", opening)];
  for await (const some of lines) {
    yield some.map(lineRow);
  }
  yield [
    borderRow(frame, closingName(frame), closing),
    [null, null, null, null, "Store", storeName, null, null, null, null, null],
    [null, position, issuedAt, null, "Ledger head", chainHead, null, null, null, null, null],
  ];
}

function borderRow(frame: StatementFrame, what: string, at: StatementResponse["opening"]): Cell[] {
  const period = `${frame.from} to ${frame.to} (${zonesText(frame)})`;
  const [balance, inTransit] = [money(at.balance), money(at.inTransit)];
  return [null, null, null, null, what, period, null, balance, null, inTransit, null];
}

function lineRow(line: LedgerLine): Cell[] {
  return [
    line.line,
    line.position,
    line.recordedAt,
    line.happenedAt,
    line.type,
    line.description,
    money(line.amount),
    money(line.balanceAfter),
    money(line.inTransitChange),
    money(line.inTransitAfter),
    line.note,
  ];
}
