// How the last back-ups and restore drills ended, for everybody who has to know: status, metrics, Operations, heartbeat.
import type { Sql } from "#db/connect.ts";

export type BackupRun = {
  readonly kind: "backup" | "drill";
  readonly endedAt: Date;
  readonly passed: boolean;
  /** The log's end in the back-up; null if it was not reached. */
  readonly position: number | null;
  /** Of the whole back-up. */
  readonly bytes: number | null;
  readonly elapsedMs: number;
  /** Why it failed; null if it passed. */
  readonly message: string | null;
};

/** The newest run of each kind, and the newest one that passed; null if there was none. */
export type LastRuns = {
  readonly backup: BackupRun | null;
  readonly goodBackup: BackupRun | null;
  readonly drill: BackupRun | null;
  readonly goodDrill: BackupRun | null;
};

const KEPT_DAYS = 90;
const LONGEST_MESSAGE = 2_000;

/** Records a run, and forgets those of long ago. */
export async function recordRun(sql: Sql, run: BackupRun): Promise<void> {
  const { kind, endedAt, passed, position, bytes } = run;
  const message = run.message === null ? null : run.message.slice(0, LONGEST_MESSAGE);
  await sql`
    with old as (
      delete from ledger_meta.backup_runs
      where kind = ${kind} and ended_at < ${endedAt}::timestamptz - make_interval(days => ${KEPT_DAYS}))
    insert into ledger_meta.backup_runs (kind, ended_at, passed, position, bytes, elapsed_ms, message)
    values (${kind}, ${endedAt}, ${passed}, ${position}, ${bytes}, ${Math.round(run.elapsedMs)}, ${message})
    on conflict do nothing`;
}

export async function readLastRuns(sql: Sql): Promise<LastRuns> {
  const rows = await sql<BackupRun[]>`
    select distinct on (kind, passed) kind, ended_at as "endedAt", passed, position, bytes,
      elapsed_ms as "elapsedMs", message
    from ledger_meta.backup_runs order by kind, passed, ended_at desc`;
  const newest = (kind: BackupRun["kind"], passed?: boolean): BackupRun | null =>
    rows
      .filter((run) => run.kind === kind && (passed === undefined || run.passed === passed))
      .toSorted((one, other) => other.endedAt.getTime() - one.endedAt.getTime())[0] ?? null;
  return {
    backup: newest("backup"),
    goodBackup: newest("backup", true),
    drill: newest("drill"),
    goodDrill: newest("drill", true),
  };
}
