// Runs in the worker where BACKUP_DIR is set: a back-up and a restore drill every night, and how they ended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { z } from "zod";
import type { BackupConfig } from "#config";
import { backUp } from "#db/backup/back-up.ts";
import type { BackupRun } from "#db/backup/runs.ts";
import { recordRun } from "#db/backup/runs.ts";
import type { Sql } from "#db/connect.ts";
import { ensureQueue } from "#jobs/boss.ts";
import { workOn } from "#jobs/work-on.ts";

export type BackupJobDeps = {
  readonly boss: PgBoss;
  readonly sql: Sql;
  /** Null if this process does not have the owner's address: then nothing can be backed up. */
  readonly ownerUrl: string | null;
  readonly backup: BackupConfig;
  readonly timeZone: () => Promise<string>;
  readonly clock: () => Date;
  readonly logger: Logger;
};

/** What a run came to, without what is the same for all. */
type Ended = Pick<BackupRun, "passed" | "position" | "bytes" | "message">;

const drillScript = join(import.meta.dirname, "..", "..", "scripts", "restore-drill.ts");

/** What `npm run restore-drill -- --json` prints. */
const drillAnswer = z.object({
  position: z.int(),
  bytes: z.int(),
  verified: z.object({ problems: z.array(z.object({ message: z.string() })) }),
});

/** One run, whose end is recorded whatever it is. */
export async function runRecorded(
  { sql, clock, logger }: Pick<BackupJobDeps, "sql" | "clock" | "logger">,
  kind: BackupRun["kind"],
  act: () => Promise<Ended>,
): Promise<BackupRun> {
  const startedAt = performance.now();
  const ended = await act().catch((error: unknown): Ended => {
    const message = error instanceof Error ? error.message : String(error);
    return { passed: false, position: null, bytes: null, message };
  });
  const run = { kind, ...ended, endedAt: clock(), elapsedMs: performance.now() - startedAt };
  const name = kind === "backup" ? "the back-up" : "the restore drill";
  if (run.passed) {
    logger.info({ position: run.position, bytes: run.bytes }, `${name} passed`);
  } else {
    logger.error({ reason: run.message }, `${name} failed`);
  }
  // Last: the database may be what is away.
  await recordRun(sql, run);
  return run;
}

export async function nightlyBackup(
  { ownerUrl, backup, clock }: Pick<BackupJobDeps, "ownerUrl" | "backup" | "clock">,
  signal: AbortSignal,
): Promise<Ended> {
  const { folder, passphrase } = backup;
  if (folder === null || ownerUrl === null) {
    throw new Error(
      "Back-ups need BACKUP_DIR and, with a database of your own, DATABASE_OWNER_URL",
    );
  }
  const { position, bytes } = await backUp({ ownerUrl, folder, passphrase, clock, signal });
  return { passed: true, position, bytes, message: null };
}

/** A process of its own with a low priority: it proves every event again, and the shop may be open. */
export async function drillInProcess(folder: string, signal: AbortSignal): Promise<Ended> {
  const child = spawn(process.execPath, [drillScript, folder, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) {
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  }
  // SIGTERM lets it remove its temporary database.
  const end = () => child.kill("SIGTERM");
  signal.addEventListener("abort", end);
  let answer = "";
  let complaints = "";
  child.stdout.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString()));
  await once(child, "close");
  signal.removeEventListener("abort", end);
  if (answer === "") {
    throw new Error(complaints.trim().split("\n").at(-1) ?? "The restore drill said nothing");
  }
  const { position, bytes, verified } = drillAnswer.parse(JSON.parse(answer));
  const message = verified.problems[0]?.message ?? null;
  return { passed: message === null, position, bytes, message };
}

/** Schedules both and works on them, until it is closed. Without BACKUP_DIR, older schedules are removed. */
export async function startBackupJobs(
  deps: BackupJobDeps,
): Promise<{ readonly close: () => Promise<void> }> {
  const { folder, schedule, drillSchedule } = deps.backup;
  const stop = new AbortController();
  const workers = await Promise.all([
    work(deps, "backup", folder === null ? null : schedule, () => nightlyBackup(deps, stop.signal)),
    work(deps, "drill", folder === null ? null : drillSchedule, () =>
      drillInProcess(folder ?? "", stop.signal),
    ),
  ]);
  return {
    close: async () => {
      stop.abort(new Error("The worker was stopped"));
      await Promise.all(workers.map((end) => end()));
    },
  };
}

/** Returns a function that stops working on the queue. */
async function work(
  deps: BackupJobDeps,
  kind: BackupRun["kind"],
  schedule: string | null,
  act: () => Promise<Ended>,
): Promise<() => Promise<void>> {
  const { boss } = deps;
  const name = kind === "backup" ? "backup" : "restore-drill";
  await ensureQueue(boss, {
    name,
    policy: "short",
    retryLimit: 0,
    // A killed worker's run counts as failed after this.
    expireInSeconds: 6 * 3_600,
    retentionSeconds: 3_600,
    deleteAfterSeconds: 7 * 86_400,
  });
  if (schedule === null) {
    await boss.unschedule(name);
    return () => Promise.resolve();
  }
  await boss.schedule(name, schedule, null, { tz: await deps.timeZone() });
  return workOn(deps, {
    queue: name,
    pollingIntervalSeconds: 30,
    failure: `how a ${kind} ended could not be recorded`,
    retryLimit: 0,
    ending: null,
    work: () => runRecorded(deps, kind, act),
  });
}
