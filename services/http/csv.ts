// Lists as CSV attachments: quoted as spreadsheets expect, and no cell can become a formula.
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { answerPieces } from "#http/answer-pieces.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { attachment } from "#http/file.ts";
import type { HttpError } from "#http/errors.ts";
import { csvCell } from "#ledger/csv-cell.ts";

/** A text, a plain number, an amount of money with two decimals, or nothing. */
export type Cell = string | number | null | { readonly dollars: number };

/** An amount for a cell; nothing for null. */
export function money(dollars: number | null): Cell {
  return dollars === null ? null : { dollars };
}

/** The most lines that one file has; spreadsheets take ten times as many. */
export const CSV_MAX_LINES = 100_000;

/** 400 for a file that would be cut off: an incomplete file that looks complete is worse than none. */
export function tooManyLines(maxLines: number): HttpError {
  return badRequest(
    "too_many_lines",
    `A file has at most ${maxLines.toLocaleString("en-US")} lines. Narrow the filters`,
  );
}

/** All pages of a list, one after the other; `read` gets the cursor that the page before ended with. */
export async function* pagesOf<Page extends { readonly nextCursor: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function cellText(cell: Cell): string {
  if (cell === null) {
    return "";
  }
  if (typeof cell === "number") {
    return String(cell);
  }
  if (typeof cell === "object") {
    return cell.dollars.toFixed(2);
  }
  return csvCell(cell);
}

function lineText(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

/** RFC 4180 text with a header row. */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map(lineText).join("");
}

/** The mark at the front tells spreadsheets that it is UTF-8. */
const MARK = "\uFEFF";
const CSV = "text/csv; charset=utf-8";

/**
 * Answers with a file. The name must come from the program, never from a person. Lists of any length are sent batch
 * by batch while they are read. The first batch is read before the answer begins, so that an error can still be
 * answered as one.
 */
export async function answerCsvBatches(
  c: Pick<Context<AppEnv>, "body">,
  name: string,
  header: readonly string[],
  batches: AsyncGenerator<readonly (readonly Cell[])[]>,
): Promise<Response> {
  return answerPieces(c, textOf(header, batches), attachment(CSV, name));
}

/** The same for a file whose last text depends on the hash of all bytes before it. */
export async function answerSealedCsv(
  c: Pick<Context<AppEnv>, "body">,
  name: string,
  header: readonly string[],
  batches: AsyncGenerator<readonly (readonly Cell[])[]>,
  seal: (sha256: string) => Promise<string>,
): Promise<Response> {
  return answerPieces(c, sealed(textOf(header, batches), seal), attachment(CSV, name));
}

async function* sealed(
  pieces: AsyncGenerator<string>,
  seal: (sha256: string) => Promise<string>,
): AsyncGenerator<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  yield await seal(hash.digest("hex"));
}

async function* textOf(
  header: readonly string[],
  batches: AsyncGenerator<readonly (readonly Cell[])[]>,
): AsyncGenerator<string> {
  let head = `${MARK}${lineText(header)}`;
  for await (const batch of batches) {
    yield head + batch.map(lineText).join("");
    head = "";
  }
  if (head !== "") {
    yield head;
  }
}
