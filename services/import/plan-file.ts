// The dry run of a file: reads it whole, plans every line and sums up, and writes nothing anywhere.
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Sql } from "#db/connect.ts";
import { cellOf, findColumns } from "./columns.ts";
import type { Columns, ImportKind } from "./columns.ts";
import { consignorOf, findNames, personNamed } from "./consignors.ts";
import type { KnownNames } from "./consignors.ts";
import type { ImportBegun, PlannedLine } from "./decider.ts";
import { FileProblem } from "./file-problem.ts";
import { createInventoryPlan } from "./plan-inventory.ts";
import type { LinePlan } from "./plan-sales.ts";
import { createSalesPlan } from "./plan-sales.ts";
import { readCsv } from "./read-csv.ts";
import type { CsvRow } from "./read-csv.ts";
import { readText } from "./read-text.ts";
import { createSum } from "./sum-plan.ts";
import type { PlanSum } from "./sum-plan.ts";

export const DEFAULT_CONSIGNORS = 40;

export type ImportRequest = {
  readonly path: string;
  /** Null lets the columns tell. */
  readonly kind: ImportKind | null;
  /** Null is what the file was imported with before, else the default. */
  readonly consignors: number | null;
  readonly now: Date;
};

/** The file as it was when it was first read. */
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
};

export type ImportPlan = PlanSum & {
  readonly file: ImportFile;
  readonly begun: ImportBegun;
  /** True when an earlier run began with this file. */
  readonly begunBefore: boolean;
};

/** The key that the ledger knows the file by. */
export function fileKey(sha256: string): string {
  return `import:${sha256}`;
}

/** Reads and plans the whole file. Throws FileProblem where nothing of it can be imported. */
export async function planFile(sql: Sql, request: ImportRequest): Promise<ImportPlan> {
  const guessed = await inspect(sql, request);
  const before = await findBegun(sql, guessed.sha256);
  const file =
    before === null || request.kind !== null || before.kind === guessed.columns.kind
      ? guessed
      : await inspect(sql, { ...request, kind: before.kind });
  const begun = before ?? {
    kind: file.columns.kind,
    consignors: request.consignors ?? DEFAULT_CONSIGNORS,
    begunAt: request.now.toISOString(),
  };
  refuseOtherOptions(request, begun);
  const sum = createSum();
  for await (const plan of planLines(file, begun)) {
    sum.add(plan);
  }
  return { file, begun, begunBefore: before !== null, ...sum.done(file.rows) };
}

/** Every line's plan, in order. A second walk gives the same; throws if the file changed in between. */
export async function* planLines(
  file: ImportFile,
  begun: ImportBegun,
): AsyncGenerator<LinePlan<PlannedLine>> {
  const plan = plannerOf(file, begun);
  const hash = createHash("sha256");
  await refuseChanged(file);
  let isHeader = true;
  for await (const row of readCsv(readText(file.path, hash))) {
    if (!isHeader) {
      yield plan(row);
    }
    isHeader = false;
  }
  if (hash.digest("hex") !== file.sha256) {
    throw new FileProblem("The file changed while it was read. Please start again");
  }
}

function plannerOf(file: ImportFile, begun: ImportBegun): (row: CsvRow) => LinePlan<PlannedLine> {
  const { columns, names, width, sha256 } = file;
  const rules = { fileHash: sha256, width, now: new Date(begun.begunAt) };
  return columns.kind === "sales"
    ? createSalesPlan({
        ...rules,
        columns: columns.at,
        consignorOf: consignorOf(names, begun.consignors),
      })
    : createInventoryPlan({
        ...rules,
        columns: columns.at,
        ownerOf: (name) => (name === "" ? { uid: null } : personNamed(names, name)),
      });
}

async function inspect(sql: Sql, request: ImportRequest): Promise<ImportFile> {
  const changedAtMs = await changedAtMsOf(request.path);
  const hash = createHash("sha256");
  const names = new Set<string>();
  let header: { readonly columns: Columns; readonly width: number } | undefined;
  let rows = 0;
  for await (const { cells } of readCsv(readText(request.path, hash))) {
    if (header === undefined) {
      header = { columns: findColumns(cells, request.kind), width: cells.length };
      continue;
    }
    rows += 1;
    const { columns } = header;
    names.add(
      columns.kind === "sales"
        ? cellOf(columns.at, cells, "consignor")
        : cellOf(columns.at, cells, "consignor"),
    );
  }
  if (header === undefined) {
    throw new FileProblem("The file is empty");
  }
  return {
    path: request.path,
    name: basename(request.path),
    sha256: hash.digest("hex"),
    changedAtMs,
    rows,
    ...header,
    names: await findNames(sql, names),
  };
}

async function changedAtMsOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (found === null) {
    throw new FileProblem(`There is no file ${path}`);
  }
  if (!found.isFile()) {
    throw new FileProblem(`${path} is no plain file, and it has to be read more than once`);
  }
  return found.mtimeMs;
}

async function refuseChanged(file: ImportFile): Promise<void> {
  if ((await changedAtMsOf(file.path)) !== file.changedAtMs) {
    throw new FileProblem("The file changed since it was read. Please start again");
  }
}

/** How an earlier import of the same file was begun, or null. */
export async function findBegun(sql: Sql, sha256: string): Promise<ImportBegun | null> {
  // The answer that beginImport gave, as the append stored it.
  const [row] = await sql<{ begun: ImportBegun }[]>`
    select answer -> 'answer' as begun from log.command_keys
    where scope = 'store' and key = ${fileKey(sha256)}`;
  return row?.begun ?? null;
}

function refuseOtherOptions(request: ImportRequest, begun: ImportBegun): void {
  const { kind, consignors } = request;
  if (kind !== null && kind !== begun.kind) {
    throw new FileProblem(`This file was imported as ${begun.kind} before`);
  }
  if (consignors !== null && consignors !== begun.consignors) {
    throw new FileProblem(
      `This file was imported for ${begun.consignors} consignors before: a line keeps the consignor it has`,
    );
  }
}
