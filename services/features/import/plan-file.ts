// The dry run of a file: reads all of it, plans every line and sums up; writes nothing.
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Sql } from "#db/connect.ts";
import { IMPORT_KEYS } from "#http/own-keys.ts";
import type { DateRules, Refusal } from "./cells.ts";
import { cellOf, findColumns } from "./columns.ts";
import type { Columns, ImportKind } from "./columns.ts";
import { consignorOf, findNames, personNamed } from "./consignors.ts";
import type { KnownNames } from "./consignors.ts";
import type { ImportBegun, PlannedLine } from "./decider.ts";
import { FileProblem } from "./file-problem.ts";
import { findKeptPictures } from "./kept-pictures.ts";
import { findKeptRefunds } from "./kept-refunds.ts";
import { instantsIn } from "./local-time.ts";
import { createInventoryPlan } from "./plan-inventory.ts";
import type { ImportOrder } from "./line-order.ts";
import { plansInOrder } from "./line-order.ts";
import type { OrderWarning } from "./order-check.ts";
import { createOrderCheck } from "./order-check.ts";
import type { LinePlan } from "./plan-sales.ts";
import { createSalesPlan, isCancellation } from "./plan-sales.ts";
import { readCsv } from "./read-csv.ts";
import type { CsvRow } from "./read-csv.ts";
import { readText } from "./read-text.ts";
import type { KeptRefund } from "./refund-match.ts";
import { createSum } from "./sum-plan.ts";
import type { PlanSum } from "./sum-plan.ts";

export const DEFAULT_CONSIGNORS = 40;

/** Sorting takes about 2 kB of memory per line. */
const MAX_COMPARED_ROWS = 1_000_000;

export type ImportRequest = {
  readonly path: string;
  /** If null, the columns decide. */
  readonly kind: ImportKind | null;
  /** If null, the number of an earlier import of the file, otherwise the default. */
  readonly consignors: number | null;
  /** Import the lines in order of time. If false, the order of an earlier import, otherwise the file's order. */
  readonly sort: boolean;
  readonly now: Date;
  /** The store's: that of dates without one. An earlier import of the file keeps its own. */
  readonly timeZone: string;
};

/** The file's state when it was first read. */
export type ImportFile = {
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  readonly changedAtMs: number;
  /** Lines with content, below the header. */
  readonly rows: number;
  readonly width: number;
  readonly columns: Columns;
  readonly names: KnownNames;
  /** The pictures among the file's that this store keeps. */
  readonly pictures: ReadonlySet<string>;
  /** Refunds that earlier imports of the file made, by line. */
  readonly kept: ReadonlyMap<number, KeptRefund>;
};

export type ImportPlan = PlanSum & {
  readonly file: ImportFile;
  readonly begun: ImportBegun;
  /** True if an earlier run started this file. */
  readonly begunBefore: boolean;
  /** Null if the lines are in order of time, or are sorted. */
  readonly order: OrderWarning | null;
};

/** The file's key in the ledger. */
export function fileKey(sha256: string): string {
  return `${IMPORT_KEYS}${sha256}`;
}

/** The key that records that a file which was started in its own order continues in order of time. */
export function sortedKey(sha256: string): string {
  return `${fileKey(sha256)}:by-time`;
}

/** A line's key in the ledger. */
export function lineKey(sha256: string, line: number): string {
  return `${fileKey(sha256)}:${line}`;
}

/** Reads and plans the whole file. Throws FileProblem if nothing of it can be imported. */
export async function planFile(sql: Sql, request: ImportRequest): Promise<ImportPlan> {
  const guessed = await inspect(sql, request);
  const before = await findBegun(sql, guessed.sha256);
  const file =
    before === null || request.kind !== null || before.kind === guessed.columns.kind
      ? guessed
      : await inspect(sql, { ...request, kind: before.kind });
  const begun = begunOf(request, file.columns.kind, before);
  refuseOtherOptions(request, begun);
  const sum = createSum();
  const check = createOrderCheck(dateRulesOf(begun));
  for await (const plan of planLines(file, begun)) {
    sum.add(plan);
    check.add(plan);
  }
  if (begun.order === "file" && !check.isInOrder() && file.rows <= MAX_COMPARED_ROWS) {
    for await (const plan of planLines(file, { ...begun, order: "time" })) {
      check.addSorted(plan);
    }
  }
  const order = begun.order === "file" ? check.done() : null;
  const { refused, ...summed } = sum.done(file.rows);
  return {
    file,
    begun,
    begunBefore: before !== null,
    order,
    ...summed,
    refused: withHint(refused, order),
  };
}

function begunOf(
  request: ImportRequest,
  kind: ImportKind,
  before: ImportBegun | null,
): ImportBegun {
  if (before !== null) {
    return request.sort ? { ...before, order: "time" } : before;
  }
  return {
    kind,
    consignors: request.consignors ?? DEFAULT_CONSIGNORS,
    begunAt: request.now.toISOString(),
    timeZone: request.timeZone,
    order: request.sort ? "time" : "file",
  };
}

/** Adds to each refund that sorting would accept that it would. */
function withHint(refused: readonly Refusal[], order: OrderWarning | null): readonly Refusal[] {
  const helped = new Set(order?.sorted?.nowTaken);
  return refused.map((refusal) =>
    helped.has(refusal.line)
      ? { ...refusal, message: `${refusal.message}. With --sort it is taken` }
      : refusal,
  );
}

function dateRulesOf({ begunAt, timeZone }: ImportBegun): DateRules {
  return { now: new Date(begunAt), toInstant: instantsIn(timeZone) };
}

/** Every line's plan, in the order of execution. Can be repeated; throws if the file has changed since. */
export async function* planLines(
  file: ImportFile,
  begun: ImportBegun,
): AsyncGenerator<LinePlan<PlannedLine>> {
  const { columns, names, pictures, width, sha256, kept } = file;
  const rules = { fileHash: sha256, width, ...dateRulesOf(begun) };
  if (columns.kind === "sales") {
    const plan = createSalesPlan({
      ...rules,
      columns: columns.at,
      kept,
      consignorOf: consignorOf(names, begun.consignors),
    });
    yield* plansInOrder(rowsOf(file), plan, begun.order);
    return;
  }
  const plan = createInventoryPlan({
    ...rules,
    columns: columns.at,
    pictures,
    ownerOf: (name) => (name === "" ? { uid: null } : personNamed(names, name)),
  });
  for await (const row of rowsOf(file)) {
    yield plan(row);
  }
}

/** The lines below the header. Throws FileProblem at the end if the file is not the one that was first read. */
async function* rowsOf(file: ImportFile): AsyncGenerator<CsvRow> {
  const hash = createHash("sha256");
  await refuseChanged(file);
  let isHeader = true;
  for await (const row of readCsv(readText(file.path, hash))) {
    if (!isHeader) {
      yield row;
    }
    isHeader = false;
  }
  if (hash.digest("hex") !== file.sha256) {
    throw new FileProblem("The file changed while it was read. Please start again");
  }
}

async function inspect(sql: Sql, request: ImportRequest): Promise<ImportFile> {
  const changedAtMs = await changedAtMsOf(request.path);
  const hash = createHash("sha256");
  const names = new Set<string>();
  const pictures = new Set<string>();
  const cancellations: number[] = [];
  let header: { readonly columns: Columns; readonly width: number } | undefined;
  let rows = 0;
  for await (const { line, cells } of readCsv(readText(request.path, hash))) {
    if (header === undefined) {
      header = { columns: findColumns(cells, request.kind), width: cells.length };
      continue;
    }
    rows += 1;
    const { columns } = header;
    if (columns.kind === "inventory") {
      names.add(cellOf(columns.at, cells, "consignor"));
      pictures.add(cellOf(columns.at, cells, "imageUrl"));
      continue;
    }
    names.add(cellOf(columns.at, cells, "consignor"));
    if (isCancellation(columns.at, cells)) {
      cancellations.push(line);
    }
  }
  if (header === undefined) {
    throw new FileProblem("The file is empty");
  }
  const sha256 = hash.digest("hex");
  return {
    path: request.path,
    name: basename(request.path),
    sha256,
    changedAtMs,
    rows,
    ...header,
    names: await findNames(sql, names),
    pictures: await findKeptPictures(sql, pictures),
    kept: await findKeptRefunds(sql, cancellations, (line) => lineKey(sha256, line)),
  };
}

async function changedAtMsOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (found === null) {
    throw new FileProblem(`There is no file ${path}`);
  }
  if (!found.isFile()) {
    throw new FileProblem(`${path} is not a regular file, and it has to be read more than once`);
  }
  return found.mtimeMs;
}

async function refuseChanged(file: ImportFile): Promise<void> {
  if ((await changedAtMsOf(file.path)) !== file.changedAtMs) {
    throw new FileProblem("The file changed since it was read. Please start again");
  }
}

/** The options of an earlier import of the same file; null if there was none. */
export async function findBegun(sql: Sql, sha256: string): Promise<ImportBegun | null> {
  // The stored answers of beginImport.
  const rows = await sql<{ key: string; begun: ImportBegun }[]>`
    select key, answer -> 'answer' as begun from log.command_keys
    where scope = 'store' and key in (${fileKey(sha256)}, ${sortedKey(sha256)})`;
  const row = rows.find(({ key }) => key === sortedKey(sha256)) ?? rows[0];
  return row === undefined ? null : begunAsKept(row.begun);
}

/**
 * Imports that were started before there was a choice of order use the file's, and those from before dates were in the
 * store's time zone read them as UTC.
 */
export function begunAsKept(
  begun: Omit<ImportBegun, "order" | "timeZone"> & {
    readonly order?: ImportOrder;
    readonly timeZone?: string;
  },
): ImportBegun {
  return { ...begun, order: begun.order ?? "file", timeZone: begun.timeZone ?? "UTC" };
}

function refuseOtherOptions(request: ImportRequest, begun: ImportBegun): void {
  const { kind, consignors, sort } = request;
  if (sort && begun.kind === "inventory") {
    throw new FileProblem("A file of stock has no dates to sort its lines by");
  }
  if (kind !== null && kind !== begun.kind) {
    throw new FileProblem(`This file was imported as ${begun.kind} before`);
  }
  if (consignors !== null && consignors !== begun.consignors) {
    throw new FileProblem(
      `This file was imported for ${begun.consignors} consignors before: a line keeps the consignor it has`,
    );
  }
}
