// Compares every stream's row with the fold of its events: versions, states, and rows that are missing on either side.
import type { TransactionSql } from "postgres";
import type { StreamDefinition } from "#ledger/decider.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import { definitionOf } from "#ledger/log/batch.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { reasonOf } from "#ledger/verify/findings.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import type { Folded } from "#ledger/verify/walk.ts";

type StateRow = {
  readonly id: string;
  /** As text, since it may be too large for a number. */
  readonly version: string;
  readonly state: unknown;
  readonly stateVersion: number;
};

const ROWS_AT_ONCE = 5_000;

/** The problem with a row, if any. Throws on an unregistered stream. */
function problemOf(
  streams: ReadonlyMap<string, StreamDefinition<unknown>>,
  row: StateRow,
  own: Folded | undefined,
): Problem | undefined {
  const problem = (message: string): Problem => ({
    check: "streams",
    position: own?.lastPosition ?? 0,
    message,
  });
  const definition = definitionOf(streams, row.id);
  if (own === undefined) {
    return problem(`The state row of ${row.id} (version ${row.version}) has no events`);
  }
  if (String(own.version) !== row.version) {
    return problem(
      `The state row of ${row.id} has version ${row.version}, but its ${own.version} events end at position ${own.lastPosition}`,
    );
  }
  // The writer folds rows of an older state version again; a fold that failed is already a finding.
  if (definition.stateVersion !== row.stateVersion || own.fold === undefined) {
    return undefined;
  }
  return canonicalJson(own.fold.state) === canonicalJson(row.state)
    ? undefined
    : problem(
        `The state row of ${row.id} (version ${row.version}) is not the fold of its ${own.version} events`,
      );
}

export async function checkStates(
  sql: TransactionSql,
  streams: ReadonlyMap<string, StreamDefinition<unknown>>,
  folded: ReadonlyMap<string, Folded>,
  findings: Findings,
): Promise<void> {
  const seen = new Set<string>();
  const rows = sql<StateRow[]>`
    select id, version::text as version, state, state_version as "stateVersion" from log.streams order by id`;
  for await (const chunk of rows.cursor(ROWS_AT_ONCE)) {
    for (const row of chunk) {
      const own = folded.get(row.id);
      const position = own?.lastPosition ?? 0;
      if (seen.has(row.id)) {
        findings.add({ check: "streams", position, message: `${row.id} has two state rows` });
      }
      seen.add(row.id);
      try {
        const problem = problemOf(streams, row, own);
        if (problem !== undefined) {
          findings.add(problem);
        }
      } catch (error) {
        const message = `The state row of ${row.id} cannot be checked: ${reasonOf(error)}`;
        findings.add({ check: "streams", position, message });
      }
    }
  }
  for (const [id, own] of folded) {
    if (!seen.has(id)) {
      findings.add({
        check: "streams",
        position: own.lastPosition,
        message: `${id} has ${own.version} events but no state row`,
      });
    }
  }
}
