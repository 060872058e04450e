// Runs the checks and notes that features add to verify.
import type { TransactionSql } from "postgres";
import type { Reading } from "#ledger/projection/sources.ts";
import { renderSources } from "#ledger/projection/sources.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import type { MovementRule, PostingRule } from "#ledger/verify/event-rules.ts";
import { runSqlChecks } from "#ledger/verify/rows.ts";
import type { ExtendingRule, FollowingRule, TogetherRule } from "#ledger/verify/stream-rules.ts";

/** What a feature adds to verify. The walk over the log checks its rules with every event. */
export type BookCheck =
  | PostingRule
  | MovementRule
  | FollowingRule
  | ExtendingRule
  | TogetherRule
  | StatedCheck;

/**
 * Either `sql`, which selects `position` and `message` of each problem, or `note`, which selects the `message` of
 * facts that are not problems but should be known. `{events}` is the log's events in their current versions. What needs
 * more than SQL is `look`.
 */
type StatedCheck = {
  readonly check:
    | "keys"
    | "balances"
    | "units"
    | "users"
    | "settings"
    | "till"
    | "months"
    | "identity"
    | "pictures";
  /** The projections whose tables it reads: while one of them lacks a part, it does not run. A test compares. */
  readonly readsFrom?: readonly string[];
} & ({ readonly sql: string } | { readonly note: string } | { readonly look: Look });

type Look = (sql: TransactionSql) => Promise<{
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}>;

/** Returns the notes; the problems are findings, and so is a statement that fails. */
export async function runBookChecks(
  snapshot: TransactionSql,
  checks: readonly BookCheck[],
  reading: Reading,
  findings: Findings,
): Promise<string[]> {
  const notes: string[] = [];
  for (const entry of checks) {
    const { check } = entry;
    if ("rule" in entry) {
      continue;
    }
    if ("sql" in entry) {
      const sql = renderSources(entry.sql, reading);
      await runSqlChecks(
        snapshot,
        [{ check, sql }],
        "The contents of a feature's tables",
        findings,
      );
    } else if ("look" in entry) {
      const what = "The contents of a feature's tables";
      const found = await findings.attemptIn(snapshot, { check, what }, entry.look);
      findings.add(...(found?.problems ?? []).map((message) => ({ check, position: 0, message })));
      notes.push(...(found?.notes ?? []));
    } else {
      const note = renderSources(entry.note, reading);
      await findings.attemptIn(snapshot, { check, what: "The notes on the store" }, async (sql) => {
        const found = await sql.unsafe<{ message: string }[]>(note);
        notes.push(...found.map(({ message }) => message));
      });
    }
  }
  return notes;
}
