// A yearly statement's PDF as a job of the work thread, so that only that thread loads the fonts and the PDF library.
import type { YearStatement } from "#features/accounts/contract-year.ts";
import { yearPdf } from "#features/accounts/statement/year-pdf.ts";

export function work(input: {
  readonly statement: YearStatement;
  readonly paper: "letter" | "a4";
  readonly verifyAt: string;
}): Promise<Uint8Array<ArrayBuffer>> {
  return yearPdf(input.statement, input.paper, input.verifyAt);
}
