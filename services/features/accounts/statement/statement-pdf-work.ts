// A statement's PDF as a job of the work thread: nothing else of the service loads the fonts and what draws with them.
import type { StatementQuery, StatementResponse } from "#features/accounts/contract.ts";
import { statementPdf } from "#features/accounts/statement/statement-pdf.ts";

export function work(input: {
  readonly statement: StatementResponse;
  readonly paper: StatementQuery["paper"];
}): Promise<Uint8Array<ArrayBuffer>> {
  return statementPdf(input.statement, input.paper);
}
