// A yearly statement as a spreadsheet: balances, a line for each month, and the payouts. It has as many columns as a monthly one.
import type { Cell } from "#http/csv.ts";
import { money } from "#http/csv.ts";
import type { YearStatement } from "#features/accounts/contract-year.ts";
import { closingName, isRunning, lastDay } from "#features/accounts/statement/so-far.ts";
import { zonesText } from "#features/months/streams.ts";

/** As `figures` has them. */
const figuresHead = [
  "Sales",
  "Sold for",
  "Refunded",
  "Corrected",
  "Share",
  "Payouts paid, less returned",
  "Other entries",
  "Owed at the end",
] as const;

export const yearCsvHead = ["Part", "Period", ...figuresHead, "Details"] as const;

const nothing = (count: number): null[] => Array.from({ length: count }, () => null);

function figures(figure: YearStatement["total"]): Cell[] {
  const { sales, sold, refunded, corrected, share, paid, other, owed } = figure;
  return [sales, ...[sold, refunded, corrected, share, paid, other, owed].map(money)];
}

function balance(what: string, day: string, at: YearStatement["opening"]): Cell[] {
  const owed = at.balance + at.inTransit + at.heldForTrades;
  const details = `Available ${at.balance.toFixed(2)}, requested ${at.inTransit.toFixed(2)}, held for trades ${at.heldForTrades.toFixed(2)}`;
  return [what, day, ...nothing(7), money(Math.round(owed * 100) / 100), details];
}

/** The rows below `yearCsvHead`. */
export function yearCsvRows(statement: YearStatement): Cell[][] {
  const { year, from, storeName, displayName, position, chainHead } = statement;
  return [
    [
      "Statement",
      String(year),
      ...nothing(8),
      `${displayName} at ${storeName}, days of ${zonesText(statement)}`,
    ],
    balance("Opening balance", from, statement.opening),
    ...statement.months.map((month) => ["Month", month.month, ...figures(month), null]),
    [isRunning(statement) ? "So far" : "Year", String(year), ...figures(statement.total), null],
    balance(closingName(statement), lastDay(statement), statement.closing),
    ...statement.payouts.map(({ kind, day, amount, method, payoutID }) => [
      kind === "paid" ? "Payout" : "Payout returned",
      day,
      ...nothing(5),
      money(amount),
      ...nothing(2),
      `${method === "venmo" ? "Venmo" : "CashApp"}, payout ${payoutID}`,
    ]),
    ["Ledger head", statement.issuedAt, position, ...nothing(7), chainHead],
  ];
}

/** Of a year that is not over, nobody knows yet what is owed at its end. */
export function allCsvHead(year: Parameters<typeof isRunning>[0]) {
  const owed = isRunning(year) ? "Owed so far" : "Owed at the end";
  return ["Consignor", "Consignor id", ...figuresHead.slice(0, -1), owed];
}

export function allCsvRow({ displayName, consignorID, total }: YearStatement): Cell[] {
  return [displayName, consignorID, ...figures(total)];
}
