// Nightly back-ups and drills: scheduled only with a folder, recorded however they end, and visible as metrics.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { Registry } from "prom-client";
import type { PgBoss } from "pg-boss";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import { readLastRuns } from "#db/backup/runs.ts";
import { observeBackups } from "#http/backup-metrics.ts";
import { closeBoss, openBoss } from "#jobs/boss.ts";
import { backupHealth } from "../proof/health.ts";
import { nightlyBackup, runRecorded, startBackupJobs } from "#process/backup-jobs.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

const logger = pino({ level: "silent" });
let database: TestDatabase;
let boss: PgBoss;
let folder: string;
let now = new Date("2026-11-22T02:30:00.000Z");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "backup-jobs-"));
  database = await testDatabase();
  boss = await openBoss({
    url: database.appUrl,
    applicationName: "test-backups",
    role: "worker",
    logger,
  });
});

afterAll(async () => {
  await closeBoss(boss);
  await database.close();
  await rm(folder, { recursive: true });
});

const depsWith = (backupFolder: string | null) => ({
  boss,
  sql: database.sql,
  ownerUrl: database.ownerUrl,
  backup: {
    folder: backupFolder,
    passphrase: null,
    schedule: "30 2 * * *",
    drillSchedule: "30 3 * * *",
  },
  timeZone: () => Promise.resolve("America/Chicago"),
  clock: () => now,
  logger,
});
const running = new AbortController().signal;

it("both are scheduled in the store's time zone, and no longer once there is no folder", async () => {
  const jobs = await startBackupJobs(depsWith(folder));
  await jobs.close();
  const found = (await boss.getSchedules()).map(
    ({ name, cron, timezone }) => `${name} ${cron} ${timezone}`,
  );
  expect(new Set(found)).toEqual(
    new Set(["backup 30 2 * * * America/Chicago", "restore-drill 30 3 * * * America/Chicago"]),
  );
  const none = await startBackupJobs(depsWith(null));
  await none.close();
  expect(await boss.getSchedules()).toEqual([]);
});

it("a run is recorded however it ends, and metrics tell the age of the last good one", async () => {
  const deps = depsWith(folder);
  expect(await readLastRuns(database.sql)).toMatchObject({ backup: null, drill: null });
  await runRecorded(deps, "backup", () => nightlyBackup(deps, running));
  await runRecorded(deps, "drill", () =>
    Promise.resolve({ passed: true, position: 0, bytes: 10, message: null }),
  );
  now = new Date("2026-11-23T02:30:00.000Z");
  const failing = depsWith(join(folder, "none", "\0"));
  await runRecorded(failing, "backup", () => nightlyBackup(failing, running));
  await runRecorded(deps, "drill", () => Promise.reject(new Error("A file is missing")));
  const last = await readLastRuns(database.sql);
  expect(last.backup).toMatchObject({ passed: false, position: null });
  expect(last.goodBackup).toMatchObject({ passed: true, position: 0, message: null });
  expect(last.drill).toMatchObject({ passed: false, message: "A file is missing" });
  const health = backupHealth({ sql: database.sql, clock: () => now });
  expect(await health.look()).toBeNull();
  const registry = new Registry();
  observeBackups(registry, { readLast: () => readLastRuns(database.sql), clock: () => now });
  const text = await registry.metrics();
  expect(text).toContain("ledger_backup_age_seconds 86400\n");
  expect(text).toContain("ledger_restore_drill_age_seconds 86400\n");
  expect(text).toContain("ledger_restore_drill_passed 0\n");
  now = new Date("2026-11-23T04:31:00.000Z");
  expect(await health.look()).toBe("The last back-up is more than 26 hours old");
});

it("a run that cannot be recorded, because the database is away, is in the log", async () => {
  const away = connect(database.appUrl, { applicationName: "away", maxConnections: 1 });
  await away.end();
  const lines: string[] = [];
  const deps = {
    ...depsWith(folder),
    sql: away,
    logger: pino({}, { write: (line) => void lines.push(line) }),
  };
  const act = () => Promise.reject(new Error("No database"));
  await expect(runRecorded(deps, "backup", act)).rejects.toThrow("CONNECTION_ENDED");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { reason: "No database", msg: "the back-up failed" },
  ]);
});

it("what cannot be backed up says what is missing", async () => {
  const without = { ...depsWith(folder), ownerUrl: null };
  await expect(nightlyBackup(without, running)).rejects.toThrow("DATABASE_OWNER_URL");
});
