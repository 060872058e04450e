// A report's PDF as a job of the work thread, so that only this thread loads the fonts and the PDF library.
import type { ReportPage } from "#features/reports/report-pdf.ts";
import { reportPdf } from "#features/reports/report-pdf.ts";

export function work(input: {
  readonly report: ReportPage;
  readonly paper: "a4" | "letter";
}): Promise<Uint8Array<ArrayBuffer>> {
  return reportPdf(input.report, input.paper);
}
