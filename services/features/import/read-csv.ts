// From blocks of text to CSV rows, each with the line it begins on, so that reports can name it.
import Papa from "papaparse";
import { textOfCell } from "./contract.ts";
import { FileProblem } from "./file-problem.ts";
import type { TextBlock } from "./read-text.ts";

/** A row's cells after `textOfCell`; `line` is the line of the file where it begins, from 1. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

/** A quoted cell may span lines, but not endlessly: a forgotten quote would swallow the rest of the file. */
const MAX_OPEN_CHARACTERS = 1_000_000;

/** Rows of comma-separated text, without blank lines. Throws FileProblem for a misplaced quote. */
export async function* readCsv(blocks: AsyncIterable<TextBlock>): AsyncGenerator<CsvRow> {
  let open = "";
  let line = 1;
  for await (const { text, isLast } of blocks) {
    const whole = open + text;
    const parsed = parse(whole, line);
    if (parsed.openSince !== null && !isLast && whole.length <= MAX_OPEN_CHARACTERS) {
      // The quoted cell continues in the next block; the row is parsed again with it.
      open = whole;
      continue;
    }
    if (parsed.openSince !== null) {
      throw new FileProblem("a quote opens and never closes", parsed.openSince);
    }
    open = "";
    yield* parsed.rows;
    line = parsed.nextLine;
  }
}

function parse(
  text: string,
  firstLine: number,
): { readonly rows: CsvRow[]; readonly nextLine: number; readonly openSince: number | null } {
  // The newline at the end of the last row does not begin another one.
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const { data, errors } = Papa.parse<string[]>(body, { delimiter: ",", newline: "\n" });
  // Of several errors in one row only the first counts: the others follow from it.
  const wrong = new Map(errors.toReversed().map(({ row, code }) => [row ?? 0, code]));
  const rows: CsvRow[] = [];
  let line = firstLine;
  for (const [index, cells] of data.entries()) {
    const code = wrong.get(index);
    if (code === "MissingQuotes") {
      return { rows, nextLine: line, openSince: line };
    }
    if (code === "InvalidQuotes") {
      throw new FileProblem(
        "a quoted cell goes on after its closing quote. A quote inside quotes is written twice",
        line,
      );
    }
    const texts = cells.map(textOfCell);
    if (texts.some((cell) => cell !== "")) {
      rows.push({ line, cells: texts });
    }
    line += 1 + cells.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);
  }
  return { rows, nextLine: data.length === 0 && text !== "" ? line + 1 : line, openSince: null };
}
