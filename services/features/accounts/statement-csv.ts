// A statement as a spreadsheet: the opening balance, the entries, the closing balance, and what the ledger's head was.
import type { Cell } from "#http/csv.ts";
import { csvText, money } from "#http/csv.ts";
import type { StatementResponse } from "#features/accounts/contract.ts";

const HEAD = [
  "Line",
  "Position",
  "Recorded at",
  "Happened at",
  "Type",
  "Description",
  "Amount",
  "Balance after",
  "In transit change",
  "In transit after",
  "Note",
] as const;

export function statementCsv(statement: StatementResponse): string {
  const { opening, closing, lines, position, chainHead, from, to, timeZone } = statement;
  const border = (what: string, at: StatementResponse["opening"]): Cell[] => [
    null,
    null,
    null,
    null,
    what,
    `${from} to ${to} (${timeZone})`,
    null,
    money(at.balance),
    null,
    money(at.inTransit),
    null,
  ];
  return csvText(HEAD, [
    border("Opening balance", opening),
    ...lines.map((line) => [
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
    ]),
    border("Closing balance", closing),
    [
      null,
      position,
      statement.issuedAt,
      null,
      "Ledger head",
      chainHead,
      null,
      null,
      null,
      null,
      null,
    ],
  ]);
}
