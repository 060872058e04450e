// Runs the checks of features while read tables may be switched: what is found meanwhile is looked at again.
import type { Sql, TransactionSql } from "postgres";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { findMissing } from "#ledger/projection/missing-tables.ts";
import { readingAnyVersion } from "#ledger/projection/upcasts.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { runBookChecks } from "#ledger/verify/book-checks.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { collectFindings } from "#ledger/verify/findings.ts";
import type { Problem } from "#ledger/verify/problem.ts";

type FeatureChecks = {
  readonly sql: Sql;
  readonly checks: readonly BookCheck[];
  readonly projections: readonly Projection[];
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

/** The projections that have lost their row, a table or a column. What is missing is a finding of its own. */
async function readDamaged(
  { sql, projections }: FeatureChecks,
  findings: Findings,
): Promise<ReadonlySet<string>> {
  const what = "Whether the tables of features are there";
  const parts = await findings.attempt({ check: "projection", what }, () =>
    findMissing(sql, projections, "without views"),
  );
  return new Set(parts?.map(({ projection }) => projection));
}

/** Whether a check reads one of these projections: it would name rows as wrong that only cannot be found, or fail. */
function readsAny(check: BookCheck, damaged: ReadonlySet<string>): boolean {
  const { readsFrom = [] } = "rule" in check ? {} : check;
  return readsFrom.some((projection) => damaged.has(projection));
}

const SNAPSHOTS = 5;

/**
 * Runs the checks of features, in a snapshot of their own. A view always leads to the tables that are shown now. If that
 * was switched after the snapshot was taken, it does not see their rows, so what it finds missing counts for nothing.
 * A check of tables of which something is missing does not run. Returns the notes.
 */
export async function checkFeatures(
  options: FeatureChecks,
  findings: Findings,
): Promise<readonly string[]> {
  const { sql, checks, events, signal } = options;
  for (let snapshots = 1; ; snapshots += 1) {
    const failed = collectFindings(signal);
    const problems: Problem[] = [];
    const own = { ...failed, add: (...found: readonly Problem[]) => void problems.push(...found) };
    const damaged = await readDamaged(options, own);
    const whole = checks.filter((check) => !readsAny(check, damaged));
    const looked = await sql.begin(
      "isolation level repeatable read read only",
      async (snapshot) => {
        const shown = await readShownGenerations(snapshot, own);
        return {
          shown,
          notes: await runBookChecks(snapshot, whole, readingAnyVersion(events), own),
        };
      },
    );
    const shownNow = await sql.begin("read only", (now) => readShownGenerations(now, own));
    const found = [...failed.listed(), ...problems];
    const isRight = found.length === 0 && damaged.size === 0;
    if (isRight || looked.shown === shownNow || snapshots >= SNAPSHOTS) {
      findings.add(...found);
      return looked.notes;
    }
  }
}
