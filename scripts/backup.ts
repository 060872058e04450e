// npm run backup: writes what is new since the last back-up into a folder, while the store runs.
import { readConfig } from "#config";
import { backUp } from "#db/backup/back-up.ts";
import type { BackupReport } from "#db/backup/back-up.ts";
import { recordRun } from "#db/backup/runs.ts";
import type { Sql } from "#db/connect.ts";
import { withBooks } from "./books.ts";
import type { Books } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import { endWithUsage, progressBar, readCommandLine, runScript } from "./command-line.ts";

const line = readCommandLine(
  "npm run backup -- [DIR] [options]",
  "Writes a back-up of one moment into DIR (BACKUP_DIR by default), while the store runs: what is new in the log since\n" +
    "the last back-up there, with the answers it gave, and all other tables in full. Encrypted if BACKUP_PASSPHRASE is\n" +
    "set. A back-up that is killed leaves the last one whole.\n\n" +
    "With a database of your own it needs DATABASE_OWNER_URL. Exits with 0; with 1 if nothing was backed up; with 2 if\n" +
    "it was called wrongly; with 75 if a service that started took the store over.",
  {
    full: {
      type: "boolean",
      help: "write the whole log again, in one piece, and remove the older pieces",
    },
  },
);

function folderOf({ positionals }: CommandLine, configured: string | null): string {
  const [named, another] = positionals;
  if (another !== undefined) {
    endWithUsage(`Unexpected argument '${another}'`);
  }
  return named ?? configured ?? endWithUsage("Name a folder, or set BACKUP_DIR");
}

function print(report: BackupReport, folder: string): void {
  const number = (value: number) => value.toLocaleString("en-US");
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const { position, after, isEncrypted } = report;
  const events =
    after === 0
      ? `positions 1 to ${number(position)}`
      : `positions ${number(after + 1)} to ${number(position)}`;
  process.stdout.write(
    `Backed up into ${folder}${isEncrypted ? "" : ", not encrypted"}: ` +
      `${position === after ? "no new events" : events}, ${megabytes(report.newBytes)} written in ` +
      `${(report.elapsedMs / 1000).toFixed(1)} s; ${megabytes(report.bytes)} in all.\n`,
  );
}

/** The running service's metrics and heartbeat count it too. A store of an older schema has no place for it. */
async function record(sql: Sql, { position, bytes, createdAt, elapsedMs }: BackupReport) {
  const [table] = await sql<{ there: boolean }[]>`
    select to_regclass('ledger_meta.backup_runs') is not null as there`;
  if (table?.there === true) {
    const ended = { kind: "backup", endedAt: new Date(createdAt), passed: true } as const;
    await recordRun(sql, { ...ended, position, bytes, elapsedMs, message: null });
  }
}

async function run({ ownerUrl, sql }: Books): Promise<number> {
  const { backup } = readConfig();
  if (ownerUrl === null) {
    throw new Error(
      "DATABASE_OWNER_URL is not set: the application's role may not read everything that a back-up needs",
    );
  }
  const folder = folderOf(line, backup.folder);
  const progress = progressBar(line.json);
  const report = await backUp({
    ownerUrl,
    folder,
    passphrase: backup.passphrase,
    clock: () => new Date(),
    isFull: line.flags.has("full"),
    onProgress: progress.update,
    onWaiting: () =>
      process.stderr.write("Another back-up of this store is running; waiting for it to end\n"),
  });
  progress.end();
  await record(sql, report);
  if (line.json) {
    process.stdout.write(`${JSON.stringify({ folder, ...report })}\n`);
  } else {
    print(report, folder);
  }
  return 0;
}

await runScript(async () => {
  folderOf(line, readConfig().backup.folder);
  return withBooks({ name: "backup", mayBegin: false, ofOlder: "read" }, run);
});
