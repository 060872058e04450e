// Lines of stock that a browser read from a file: planned, previewed and imported by the rules of `npm run import`.
import type { Sql } from "#db/connect.ts";
import { barcodeStreamId } from "#features/inventory/streams.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import type { Refusal } from "./cells.ts";
import { cellOf } from "./columns.ts";
import { findNames, personNamed } from "./consignors.ts";
import type {
  ImportCheckResponse,
  ImportRowsRequest,
  InventoryField,
  RefusedLine,
} from "./contract.ts";
import { fieldsOf, inventoryColumnNames } from "./contract.ts";
import type { ImportBegun } from "./decider.ts";
import { FileProblem } from "./file-problem.ts";
import { findKeptPictures } from "./kept-pictures.ts";
import { beginFile, executeLine, importedDifferently, lineHash, refusalOf } from "./import-file.ts";
import { DEFAULT_CONSIGNORS, findBegun, lineKey } from "./plan-file.ts";
import type { ItemLine } from "./plan-inventory.ts";
import { createInventoryPlan } from "./plan-inventory.ts";
import { runInOrder } from "./run-in-order.ts";
import type { SaidStock } from "./said.ts";

type Planned = { readonly line: ItemLine; readonly said: SaidStock };

type RowsPlan = { readonly lines: readonly Planned[]; readonly refused: readonly RefusedStock[] };

type RefusedStock = Refusal<SaidStock>;

export type RowsImported = {
  readonly imported: number;
  readonly repeated: number;
  readonly refused: readonly RefusedLine[];
  /** The log's position after the last line. */
  readonly position: number;
};

/** The options of the file's first import, or of one that starts now. Throws FileProblem if it was imported as sales. */
async function begunOf(sql: Sql, sha256: string, now: Date): Promise<ImportBegun> {
  const begun = await findBegun(sql, sha256);
  if (begun !== null && begun.kind !== "inventory") {
    throw new FileProblem("This file was imported as sales before");
  }
  return (
    begun ?? {
      kind: "inventory",
      consignors: DEFAULT_CONSIGNORS,
      begunAt: now.toISOString(),
      // A file of stock has no dates.
      timeZone: "UTC",
      order: "file",
    }
  );
}

async function planRows(
  sql: Sql,
  request: ImportRowsRequest,
  begun: ImportBegun,
): Promise<RowsPlan> {
  const columns = new Map<InventoryField, number>(
    fieldsOf(inventoryColumnNames).flatMap((field) => {
      const index = request.columns[field];
      return index === undefined ? [] : [[field, index]];
    }),
  );
  const rows = request.rows.map(({ line, cells }) => ({
    line,
    cells: cells.map((cell) => cell.trim()),
  }));
  const owner = request.consignorID ?? "";
  const ownerColumn = columns.get("consignor");
  const named = ownerColumn === undefined ? [] : rows.map(({ cells }) => cells[ownerColumn] ?? "");
  const names = await findNames(sql, new Set([owner, ...named]));
  const planRow = createInventoryPlan({
    fileHash: request.fileHash,
    columns,
    width: request.width,
    pictures: await findKeptPictures(
      sql,
      rows.map(({ cells }) => cellOf(columns, cells, "imageUrl")),
    ),
    now: new Date(begun.begunAt),
    ownerOf: (name) =>
      name === "" && owner === "" ? { uid: null } : personNamed(names, name === "" ? owner : name),
  });
  const plans = rows.map(planRow);
  return {
    lines: plans.flatMap((plan) =>
      plan.kind === "planned" ? [{ line: plan.planned, said: plan.said }] : [],
    ),
    refused: plans.flatMap((plan) => (plan.kind === "planned" ? [] : [plan])),
  };
}

/** What the lines would do if they were imported now. Writes nothing. Throws FileProblem. */
export async function checkRows(
  sql: Sql,
  request: ImportRowsRequest,
  now: Date,
): Promise<ImportCheckResponse> {
  const plan = await planRows(sql, request, await begunOf(sql, request.fileHash, now));
  const lines = plan.lines.map(({ line }) => line);
  const [before, items] = await Promise.all([
    findImported(sql, request.fileHash, lines),
    findItems(sql, lines),
  ]);
  const refused: RefusedStock[] = [...plan.refused];
  const planned: ImportCheckResponse["planned"] = [];
  for (const { line, said } of plan.lines) {
    const stored = before.get(line.line);
    const { barcode1 } = line.details;
    if (stored !== undefined && stored !== lineHash(line)) {
      refused.push(importedDifferently(line.line, said));
      continue;
    }
    const itemName = items.get(barcodeStreamId(line.ownerUid, barcode1));
    planned.push({
      line: line.line,
      kind: stored === undefined ? (itemName === undefined ? "new" : "more") : "done",
      itemName: itemName ?? line.details.itemName,
      barcode1,
      units: line.units,
      ownerUid: line.ownerUid,
    });
  }
  return { planned, refused: answered(refused) };
}

/** Refusals in the form of the API, in the file's order. */
function answered(refused: readonly RefusedStock[]): RefusedLine[] {
  return refused
    .map(({ line, reason, message, said: { kind: _stock, ...said } }) => ({
      line,
      reason,
      message,
      ...said,
    }))
    .sort((a, b) => a.line - b.line);
}

/** The lines that earlier runs imported, each with the hash of its meaning then. */
async function findImported(
  sql: Sql,
  sha256: string,
  lines: readonly ItemLine[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await sql<{ line: number; hash: string }[]>`
    select n.line, encode(k.request_hash, 'hex') as hash
    from unnest(${lines.map(({ line }) => line)}::int[], ${lines.map(({ line }) => lineKey(sha256, line))}::text[])
      as n (line, key)
    join log.command_keys k on k.scope = 'store' and k.key = n.key`;
  return new Map(rows.map(({ line, hash }) => [line, hash]));
}

/** The names of the items that now have the lines' barcodes, by the barcode's stream. */
async function findItems(
  sql: Sql,
  lines: readonly ItemLine[],
): Promise<ReadonlyMap<string, string>> {
  const ids = lines.map(({ ownerUid, details }) => barcodeStreamId(ownerUid, details.barcode1));
  const rows = await sql<{ barcode: string; item_name: string }[]>`
    select b.id as barcode, i.state -> 'details' ->> 'itemName' as item_name
    from log.streams b
    join log.streams i on i.id = log.item_stream(b.state ->> 'itemId')
    where b.id = any(${[...new Set(ids)]}::text[])`;
  return new Map(rows.map(({ barcode, item_name }) => [barcode, item_name]));
}

/** Imports the lines, each under its own key, for `actor`. Throws FileProblem. */
export async function importRows(
  deps: { readonly sql: Sql; readonly ledger: Ledger },
  request: ImportRowsRequest,
  by: { readonly actor: string; readonly now: Date; readonly signal: AbortSignal },
): Promise<RowsImported> {
  const { sql, ledger } = deps;
  const { fileHash } = request;
  const begun = await begunOf(sql, fileHash, by.now);
  const { position } = await beginFile(ledger, fileHash, begun, by.actor);
  const plan = await planRows(sql, request, begun);
  const refused: RefusedStock[] = [...plan.refused];
  const count = { imported: 0, repeated: 0, position };
  await runInOrder(
    plan.lines,
    async ({ line, said }) => {
      const outcome = await executeLine(ledger, fileHash, line, by.actor);
      const refusal = refusalOf(outcome, line.line, said);
      if (refusal !== null) {
        refused.push(refusal);
      } else if ("repeated" in outcome) {
        count[outcome.repeated ? "repeated" : "imported"] += 1;
        count.position = Math.max(count.position, outcome.position);
      }
    },
    { inFlight: plan.lines.length + 1, signal: by.signal },
  );
  return { ...count, refused: answered(refused) };
}
