// Texts in CSV files that a spreadsheet must not run as formulas, whatever separates its cells, and back again.

/**
 * Where a cell may begin: at the start, and where a spreadsheet of another locale splits the text. There, quotes and
 * blanks may come before the sign that makes a formula.
 */
const BEGINS = String.raw`(?<=^|[;\t\r\n])`;
const FORMULA = String.raw`(?=['"\s]*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20])`;

const bare = new RegExp(`${BEGINS}${FORMULA}`, "gu");
const guarded = new RegExp(`${BEGINS}'${FORMULA}`, "gu");

/** With an apostrophe before each beginning of a formula. What looks guarded is guarded again. */
export function guardCell(text: string): string {
  return text.replace(bare, "'");
}

/** Removes exactly what `guardCell` added. */
export function bareCell(text: string): string {
  return text.replace(guarded, "");
}
