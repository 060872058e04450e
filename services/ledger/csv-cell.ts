// Text as a cell of a CSV file and back: no program runs it, whether it takes commas, semicolons or tabs for the borders of cells.

/**
 * Where such a program may see a cell begin, with text after it that it would run as a formula. Text that already
 * looks guarded is guarded again, so that reading a file removes exactly what writing it added.
 */
const LIVE = /(?<=^|[;\t\r\n])(?=["'\s]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20])|^(?='*[\t\r])/gu;
const GUARD = /(?<=^|[;\t\r\n])'(?=["'\s]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20])|^'(?='*[\t\r])/gu;

/** With an apostrophe wherever a spreadsheet would find a formula; it shows the rest as text. */
export function guardCell(text: string): string {
  return text.replaceAll(LIVE, "'");
}

/** The text as it was before `guardCell`. */
export function bareCell(text: string): string {
  return text.replaceAll(GUARD, "");
}

/** A guarded text as a cell (RFC 4180). */
export function csvCell(text: string): string {
  const safe = guardCell(text);
  return /[",;\t\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
