// A statement's PDF as a job of the work thread, so that only this thread loads the fonts and the PDF library.
import type { StatementQuery, StatementResponse } from "#features/accounts/contract.ts";
import { statementPdf } from "#features/accounts/statement/statement-pdf.ts";

export function work(input: {
  readonly statement: StatementResponse;
  readonly paper: StatementQuery["paper"];
  readonly verifyAt: string;
}): Promise<Uint8Array<ArrayBuffer>> {
  return statementPdf(input.statement, input.paper, input.verifyAt);
}
