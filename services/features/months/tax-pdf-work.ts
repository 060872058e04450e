// The tax report's PDF as a job of the work thread, so that only this thread loads the fonts and the PDF library.
import type { TaxPage } from "#features/months/tax-pdf.ts";
import { taxPdf } from "#features/months/tax-pdf.ts";

export function work(input: {
  readonly report: TaxPage;
  readonly paper: "a4" | "letter";
}): Promise<Uint8Array<ArrayBuffer>> {
  return taxPdf(input.report, input.paper);
}
