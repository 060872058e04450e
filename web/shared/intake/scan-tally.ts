// Scanned barcodes in mass input: counted as they come in, grouped for the review.
import { barcodeLines } from "#features/inventory/contract-commands.ts";

export type ScanTally = {
  /** The last scan; undefined before the first one. */
  readonly last: string | undefined;
  /** Units: one for each line that is not blank. */
  readonly units: number;
  /** The different barcodes in the order in which they first appeared, with their units. */
  readonly barcodes: readonly { readonly barcode: string; readonly units: number }[];
};

export function tallyOf(text: string): ScanTally {
  const lines = barcodeLines(text);
  const counts = new Map<string, number>();
  for (const line of lines) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return {
    last: lines.at(-1),
    units: lines.length,
    barcodes: [...counts].map(([barcode, units]) => ({ barcode, units })),
  };
}

/** The text with one more scan at its end, as a scanner would type it: the code and Enter. */
export function withScan(text: string, code: string): string {
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${code}\n`;
}

/** The text without the lines that contain this barcode. The next scan begins a line. */
export function withoutBarcode(text: string, barcode: string): string {
  return barcodeLines(text)
    .filter((line) => line !== barcode)
    .map((line) => `${line}\n`)
    .join("");
}
