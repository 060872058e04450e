// Sends a file's lines to the server in batches: first to preview the result, then to import them.
import {
  importCheckResponse,
  importResponse,
  maxImportRows,
  type ImportCheckResponse,
  type ImportRowsRequest,
  type InventoryField,
  type RefusedLine,
} from "#features/import/contract.ts";
import { send } from "#web/lib/http.ts";
import { randomId } from "#web/lib/random-id.ts";
import type { StockFile, StockRow } from "./import-file.ts";

/** The column of each field, counted from 0. */
export type ColumnChoice = Readonly<Partial<Record<InventoryField, number>>>;

/** How to read a file. */
export type ImportInput = {
  readonly file: StockFile;
  readonly columns: ColumnChoice &
    Pick<ImportRowsRequest["columns"], "itemName" | "code" | "quantity">;
  /** The owner of lines that name nobody; null is the store. */
  readonly consignorID: string | null;
};

/** What importing a file would do. */
export type ImportForecast = {
  readonly planned: ImportCheckResponse["planned"];
  readonly refused: readonly RefusedLine[];
  /** The number of different items that are added. */
  readonly newItems: number;
  /** The number of existing items that get more units. */
  readonly knownItems: number;
  /** Units of the lines that are not imported yet. */
  readonly units: number;
  /** Lines that an earlier import already brought in. */
  readonly done: number;
};

export type ImportDone = {
  readonly imported: number;
  readonly repeated: number;
  readonly refused: readonly RefusedLine[];
  /** How many rows were sent and answered. A later run continues after them. */
  readonly answered: number;
};

export type Watch = { readonly onAnswered: (rows: number) => void; readonly signal: AbortSignal };

const maxCharacters = 400_000;

/** Splits rows into requests within the limits on number and size. */
export function chunksOf(rows: readonly StockRow[]): StockRow[][] {
  const chunks: StockRow[][] = [];
  let current: StockRow[] = [];
  let characters = 0;
  for (const row of rows) {
    const length = row.cells.reduce((sum, cell) => sum + cell.length + 4, 20);
    if (
      current.length === maxImportRows ||
      (current.length > 0 && characters + length > maxCharacters)
    ) {
      chunks.push(current);
      current = [];
      characters = 0;
    }
    current.push(row);
    characters += length;
  }
  return current.length === 0 ? chunks : [...chunks, current];
}

function requestOf({ file, columns, consignorID }: ImportInput, rows: readonly StockRow[]) {
  return {
    fileHash: file.hash,
    consignorID,
    width: file.header.length,
    columns,
    rows: rows.map(({ line, cells }) => ({ line, cells: [...cells] })),
  } satisfies ImportRowsRequest;
}

/** Asks what every line would do. Nothing is written. Throws ApiError. */
export async function forecast(input: ImportInput, watch: Watch): Promise<ImportForecast> {
  const answers: ImportCheckResponse[] = [];
  let answered = 0;
  for (const rows of chunksOf(input.file.rows)) {
    if (watch.signal.aborted) {
      break;
    }
    answers.push(
      await send({
        method: "POST",
        path: "/inventory/import/check",
        body: requestOf(input, rows),
        answer: importCheckResponse,
        key: randomId(),
      }),
    );
    answered += rows.length;
    watch.onAnswered(answered);
  }
  return summed(
    answers.flatMap(({ planned }) => planned),
    answers.flatMap(({ refused }) => refused),
  );
}

const itemOf = ({ ownerUid, barcode1 }: ImportCheckResponse["planned"][number]): string =>
  `${ownerUid ?? ""}\n${barcode1}`;

/** Lines whose item is added by an earlier line of the file: they only add units, and their name and price are not taken. */
export function linesOfKnownNew(planned: ImportCheckResponse["planned"]): ReadonlySet<number> {
  const added = new Set<string>();
  const lines = new Set<number>();
  for (const one of planned.filter(({ kind }) => kind === "new")) {
    if (added.has(itemOf(one))) {
      lines.add(one.line);
    }
    added.add(itemOf(one));
  }
  return lines;
}

/** The second line with a new barcode adds units to the item that the first line adds. */
export function summed(
  planned: ImportCheckResponse["planned"],
  refused: readonly RefusedLine[],
): ImportForecast {
  const added = new Set<string>();
  const filled = new Set<string>();
  const open = planned.filter(({ kind }) => kind !== "done");
  for (const one of open) {
    (one.kind === "new" ? added : filled).add(itemOf(one));
  }
  return {
    planned,
    refused,
    newItems: added.size,
    knownItems: filled.size,
    units: open.reduce((sum, { units }) => sum + units, 0),
    done: planned.length - open.length,
  };
}

/** The rows that the forecast accepts and that are not imported yet. */
export function rowsToBringIn(file: StockFile, { planned }: ImportForecast): readonly StockRow[] {
  const lines = new Set(planned.flatMap(({ kind, line }) => (kind === "done" ? [] : [line])));
  return file.rows.filter(({ line }) => lines.has(line));
}

/**
 * Imports rows, continuing after `before.answered`. Never throws: an error that stopped it is in `failure`. A request
 * whose result is unknown may be sent again, since each line counts once.
 */
export async function bringIn(
  input: ImportInput,
  rows: readonly StockRow[],
  before: ImportDone,
  watch: Watch,
): Promise<{ readonly done: ImportDone; readonly failure: unknown }> {
  let done = before;
  try {
    for (const chunk of chunksOf(rows.slice(before.answered))) {
      if (watch.signal.aborted) {
        break;
      }
      const { imported, repeated, refused } = await send({
        method: "POST",
        path: "/inventory/import",
        body: requestOf(input, chunk),
        answer: importResponse,
        key: randomId(),
      });
      done = {
        imported: done.imported + imported,
        repeated: done.repeated + repeated,
        refused: [...done.refused, ...refused],
        answered: done.answered + chunk.length,
      };
      watch.onAnswered(done.answered);
    }
  } catch (failure) {
    return { done, failure };
  }
  return { done, failure: undefined };
}
