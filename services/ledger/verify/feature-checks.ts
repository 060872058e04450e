// Runs the checks of features while read tables may be switched: what is found meanwhile is looked at again.
import type { Sql, TransactionSql } from "postgres";
import type { EventRegister } from "#ledger/log/read.ts";
import { readingAnyVersion } from "#ledger/projection/upcasts.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { runBookChecks } from "#ledger/verify/book-checks.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { collectFindings } from "#ledger/verify/findings.ts";
import type { Problem } from "#ledger/verify/problem.ts";

type FeatureChecks = {
  readonly sql: Sql;
  readonly checks: readonly BookCheck[];
  readonly events: EventRegister;
  readonly signal?: AbortSignal | undefined;
};

/** The shown generations, as one text; undefined if they cannot be read, which is a finding. */
async function readShownGenerations(
  snapshot: TransactionSql,
  findings: Findings,
): Promise<string | undefined> {
  return findings.attemptIn(
    snapshot,
    { check: "projection", what: "Which tables are shown" },
    async (sql) => {
      const [row] = await sql<{ shown: string | null }[]>`
        select string_agg(name || ' ' || generation, ', ' order by name, generation) as shown
        from read.projections where state = 'live'`;
      return row?.shown ?? "";
    },
  );
}

const SNAPSHOTS = 5;

/**
 * Runs the checks of features, in a snapshot of their own. A view always leads to the tables that are shown now. If that
 * was switched after the snapshot was taken, it does not see their rows, so what it finds missing counts for nothing.
 * Returns the notes.
 */
export async function checkFeatures(
  { sql, checks, events, signal }: FeatureChecks,
  findings: Findings,
): Promise<readonly string[]> {
  for (let snapshots = 1; ; snapshots += 1) {
    const failed = collectFindings(signal);
    const problems: Problem[] = [];
    const own = { ...failed, add: (...found: readonly Problem[]) => void problems.push(...found) };
    const looked = await sql.begin(
      "isolation level repeatable read read only",
      async (snapshot) => {
        const shown = await readShownGenerations(snapshot, own);
        return {
          shown,
          notes: await runBookChecks(snapshot, checks, readingAnyVersion(events), own),
        };
      },
    );
    const shownNow = await sql.begin("read only", (now) => readShownGenerations(now, own));
    const found = [...failed.listed(), ...problems];
    if (found.length === 0 || looked.shown === shownNow || snapshots >= SNAPSHOTS) {
      findings.add(...found);
      return looked.notes;
    }
  }
}
