// Executes a plan: each planned line is one command with its own key, so a second run changes nothing.
import { createHash } from "node:crypto";
import { STORE_SCOPE } from "#http/own-keys.ts";
import type { Accounts } from "#identity/accounts.ts";
import type { ExecutionContext, Ledger, Outcome } from "#ledger/log/ledger.ts";
import type { Refusal } from "./cells.ts";
import { beginImport, importLine } from "./decider.ts";
import type { ImportBegun, PlannedLine } from "./decider.ts";
import { FileProblem } from "./file-problem.ts";
import type { ImportPlan } from "./plan-file.ts";
import { begunAsKept, fileKey, lineKey, planLines, sortedKey } from "./plan-file.ts";
import type { LinePlan } from "./plan-sales.ts";
import { runInOrder } from "./run-in-order.ts";
import type { Said } from "./said.ts";

export type ImportDeps = {
  readonly ledger: Ledger;
  readonly ensureUser: Accounts["ensureUser"];
};

export type ImportOptions = {
  readonly onProgress?: (done: number, of: number) => void;
  /** When aborted, running commands finish and no more are started. */
  readonly signal?: AbortSignal;
  /** Most commands at once. */
  readonly inFlight?: number;
};

export type ImportResult = {
  /** Lines imported by this run. */
  readonly imported: number;
  /** Lines imported by an earlier run. */
  readonly repeated: number;
  /** Lines that the plan accepts but the ledger refuses. */
  readonly refused: readonly Refusal[];
  /** Planned lines that were not reached: the signal stopped the run. */
  readonly left: number;
  /** The log's position after the last line. */
  readonly position: number;
  readonly elapsedMs: number;
};

/** Two batches of the log's writer: one is written while the next is decided. */
const IN_FLIGHT = 512;
const MAX_CONTENDED_TRIES = 5;
const importer = "system:import";

/**
 * Imports what the plan accepts. Throws FileProblem if the file changed or another import of it has just begun,
 * and the ledger's error if the database stays unreachable; in both cases a new run continues.
 */
export async function importFile(
  deps: ImportDeps,
  plan: ImportPlan,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const startedAt = performance.now();
  const { file, summary } = plan;
  const begun = await beginFile(deps.ledger, file.sha256, plan.begun, importer);
  await ensureConsignors(deps, plan);
  const refused: Refusal[] = [];
  const count = { imported: 0, repeated: 0, position: begun.position };
  const signal = options.signal ?? new AbortController().signal;
  const execute = refundsAfterSales((line) =>
    executeLine(deps.ledger, file.sha256, line, importer),
  );
  await runInOrder(
    plannedLines(plan),
    async ({ planned, said }) => {
      const outcome = await execute(planned);
      const refusal = refusalOf(outcome, planned.line, said);
      if (refusal !== null) {
        refused.push(refusal);
      } else if ("repeated" in outcome) {
        count[outcome.repeated ? "repeated" : "imported"] += 1;
        count.position = Math.max(count.position, outcome.position);
      }
      options.onProgress?.(count.imported + count.repeated + refused.length, summary.planned);
    },
    { inFlight: options.inFlight ?? IN_FLIGHT, signal },
  );
  return {
    ...count,
    refused: refused.sort((a, b) => a.line - b.line),
    left: summary.planned - count.imported - count.repeated - refused.length,
    elapsedMs: performance.now() - startedAt,
  };
}

type Planned = Extract<LinePlan<PlannedLine>, { kind: "planned" }>;

async function* plannedLines({ file, begun }: ImportPlan): AsyncGenerator<Planned> {
  for await (const plan of planLines(file, begun)) {
    if (plan.kind === "planned") {
      yield plan;
    }
  }
}

/**
 * Stores the file's options and its "now" under the file's key, if no earlier run did. Throws FileProblem if
 * another run has just stored different ones.
 */
export async function beginFile(
  ledger: Ledger,
  sha256: string,
  begun: ImportBegun,
  actor: string,
): Promise<{ position: number }> {
  const first = await beginUnder(fileKey(sha256), ledger, begun, actor);
  const last =
    begun.order === "time" && first.begun.order === "file"
      ? await beginUnder(sortedKey(sha256), ledger, begun, actor)
      : first;
  const isOther = ({ kind, consignors, begunAt }: ImportBegun): boolean =>
    kind !== begun.kind || consignors !== begun.consignors || begunAt !== begun.begunAt;
  if (isOther(first.begun) || isOther(last.begun) || last.begun.order !== begun.order) {
    throw new FileProblem("Another import of this file has just begun. Please start again");
  }
  return { position: last.position };
}

async function beginUnder(
  key: string,
  ledger: Ledger,
  begun: ImportBegun,
  actor: string,
): Promise<{ readonly begun: ImportBegun; readonly position: number }> {
  const outcome = await ledger.execute(beginImport, begun, contextOf(key, key, actor));
  if (outcome.kind !== "accepted") {
    throw new Error("The ledger does not take the import now. Please start it again");
  }
  return { begun: begunAsKept(outcome.answer), position: outcome.position };
}

async function ensureConsignors({ ensureUser }: ImportDeps, plan: ImportPlan): Promise<void> {
  const width = Math.max(2, String(plan.begun.consignors).length);
  for (const uid of plan.importConsignors) {
    const number = String(Number(uid.slice(-4))).padStart(width, "0");
    const displayName = `Import consignor ${number}`;
    await ensureUser({ uid, email: null, displayName });
  }
}

function contextOf(key: string, request: string, actor: string): ExecutionContext {
  return { actor, scope: STORE_SCOPE, key, requestHash: hashOf(request) };
}

function hashOf(request: string): string {
  return createHash("sha256").update(request).digest("hex");
}

/** Identifies how a line was understood. Every run makes the fields in the same order, so the JSON is the same. */
export function lineHash(line: PlannedLine): string {
  return hashOf(JSON.stringify(line));
}

/** Imports one line, once for all runs of its file. `actor` is the person who imports. */
export async function executeLine(
  ledger: Ledger,
  sha256: string,
  line: PlannedLine,
  actor: string,
): Promise<Outcome<unknown>> {
  const key = lineKey(sha256, line.line);
  const context: ExecutionContext = { actor, scope: STORE_SCOPE, key, requestHash: lineHash(line) };
  for (let tries = 1; ; tries += 1) {
    const outcome = await ledger.execute(importLine, line, context);
    if (outcome.kind !== "contended" || tries === MAX_CONTENDED_TRIES) {
      return outcome;
    }
  }
}

type Execute = (line: PlannedLine) => Promise<Outcome<unknown>>;

/**
 * Executes lines that were started in their order. A sale that others contended is tried again while later lines are
 * decided; a refund that did not find it is tried again after it, which it may be because a 404 is not kept.
 */
function refundsAfterSales(execute: Execute): Execute {
  const unfinished = new Map<string, Promise<Outcome<unknown>>>();
  return async (line) => {
    if (line.kind === "sale") {
      const sold = execute(line);
      unfinished.set(line.saleId, sold);
      return sold.finally(() => unfinished.delete(line.saleId));
    }
    const sale = line.kind === "refund" ? unfinished.get(line.saleId) : undefined;
    const outcome = await execute(line);
    if (sale === undefined || outcome.kind !== "rejected" || outcome.rejection.status !== 404) {
      return outcome;
    }
    await Promise.allSettled([sale]);
    return execute(line);
  };
}

/** Why a line was not imported; null if it was. */
export function refusalOf<Words extends Said>(
  outcome: Outcome<unknown>,
  line: number,
  said: Words,
): Refusal<Words> | null {
  if (outcome.kind === "accepted") {
    return null;
  }
  if (outcome.kind === "rejected") {
    const { code, message } = outcome.rejection;
    return { line, reason: "ledger_refused", message: `${message} (${code})`, said };
  }
  return outcome.kind === "key-reused"
    ? importedDifferently(line, said)
    : {
        line,
        reason: "ledger_refused",
        message: "Others were changing the same things all the time (contended). Import again",
        said,
      };
}

/** The refusal of a line that an earlier run imported with another meaning. */
export function importedDifferently<Words extends Said>(line: number, said: Words): Refusal<Words> {
  return {
    line,
    reason: "imported_differently",
    message: "An earlier import of this file understood this line differently; that one stands",
    said,
  };
}
