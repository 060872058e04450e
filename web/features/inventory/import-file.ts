// Reads a chosen file into rows of cells with line numbers. They are counted as on the command line, because keys depend on them.
import { textOfCell } from "#features/import/contract.ts";

/** A problem with the whole file, as a sentence. */
export class FileFault extends Error {
  override readonly name = "FileFault";
}

export type StockRow = { readonly line: number; readonly cells: readonly string[] };

export type StockFile = {
  readonly name: string;
  /** Hex sha256 of the file's bytes. */
  readonly hash: string;
  readonly header: readonly string[];
  /** Lines with content below the header. */
  readonly rows: readonly StockRow[];
  /** True if the file is not UTF-8 and was read as Western European text. */
  readonly isGuessedText: boolean;
};

const maxBytes = 20_000_000;
export const maxFileRows = 50_000;
const delimiters = [",", ";", "\t", "|"];

/** Reads a CSV file. Throws FileFault. */
export async function readStockFile(file: File): Promise<StockFile> {
  if (file.size > maxBytes) {
    throw new FileFault("This file is larger than 20 MB. Import it with `npm run import`.");
  }
  const bytes = await file.arrayBuffer();
  const { text, isGuessed } = decode(new Uint8Array(bytes));
  const [header, ...rows] = await parse(text);
  if (header === undefined) {
    throw new FileFault("This file is empty.");
  }
  if (rows.length === 0) {
    throw new FileFault("This file has a header, but no lines below it.");
  }
  if (rows.length > maxFileRows) {
    throw new FileFault("This file has more than 50,000 lines. Import it with `npm run import`.");
  }
  return {
    name: file.name,
    hash: await hashOf(bytes),
    header: header.cells,
    rows,
    isGuessedText: isGuessed,
  };
}

async function hashOf(bytes: ArrayBuffer): Promise<string> {
  if (!("subtle" in crypto)) {
    throw new FileFault("Importing needs a secure connection. Open this site with https.");
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Spreadsheets save CSV as UTF-8, as UTF-16, or in the old Western code page. */
export function decode(bytes: Uint8Array): { readonly text: string; readonly isGuessed: boolean } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) {
    return { text: plain("utf-16le", bytes), isGuessed: false };
  }
  if (first === 0xfe && second === 0xff) {
    return { text: plain("utf-16be", bytes), isGuessed: false };
  }
  if (bytes.includes(0)) {
    throw new FileFault("This is not a CSV file. Save the sheet as CSV first.");
  }
  try {
    return { text: plain("utf-8", bytes), isGuessed: false };
  } catch {
    return { text: plain("windows-1252", bytes), isGuessed: true };
  }
}

/** Without the byte order mark, and with every line ended by `\n`. */
function plain(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding, { fatal: true }).decode(bytes).replaceAll("\r\n", "\n");
}

/** Rows with content. Throws FileFault for a misplaced quote. */
export async function parse(text: string): Promise<StockRow[]> {
  const { default: Papa } = await import("papaparse");
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const { data, errors } = Papa.parse<string[]>(body, {
    newline: "\n",
    delimitersToGuess: delimiters,
  });
  const wrong = errors.find(({ code }) => code === "MissingQuotes" || code === "InvalidQuotes");
  const rows: StockRow[] = [];
  let line = 1;
  for (const [index, cells] of data.entries()) {
    if (wrong?.row === index) {
      throw new FileFault(`Line ${line}: there is a misplaced quote.`);
    }
    const texts = cells.map(textOfCell);
    if (texts.some((cell) => cell !== "")) {
      rows.push({ line, cells: texts });
    }
    line += 1 + cells.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);
  }
  return rows;
}
