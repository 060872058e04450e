// Lists as CSV attachments: quoted as spreadsheets expect, and no cell can become a formula.
import type { Context } from "hono";
import type { AppEnv } from "#http/env.ts";

type Cell = string | number | null;

/** A spreadsheet would run a text that begins like this; a plain number stays a number. */
const FORMULA = /^[=+\-@\t\r]/u;

function cellText(cell: Cell): string {
  if (cell === null) {
    return "";
  }
  if (typeof cell === "number") {
    return String(cell);
  }
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180 text with a header row; numbers are written as they are. */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

/** Answers with a file of that name; `name` is made by the program, never by a person. */
export function answerCsv(c: Pick<Context<AppEnv>, "body">, name: string, text: string): Response {
  // The mark tells spreadsheets that it is UTF-8.
  return c.body(`\uFEFF${text}`, 200, {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}"`,
  });
}
