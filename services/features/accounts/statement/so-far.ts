// Whether the period of a statement is not over when it is issued: then its last numbers are not final.
import { dayIn } from "#ledger/day-text.ts";

type Issued = {
  readonly issuedAt: string;
  readonly timeZone: string;
  /** Its last day: "2026-12-31" */
  readonly to: string;
};

/** The store's day of issue, as "2026-11-23". */
function dayIssued({ issuedAt, timeZone }: Issued): string {
  return dayIn(new Date(issuedAt), timeZone);
}

export function isRunning(statement: Issued): boolean {
  return dayIssued(statement) <= statement.to;
}

/** The last day that the numbers can be of. */
export function lastDay(statement: Issued): string {
  return isRunning(statement) ? dayIssued(statement) : statement.to;
}

/** What the balance after the last entry is called. */
export function closingName(statement: Issued): string {
  return isRunning(statement) ? "Closing balance so far" : "Closing balance";
}
