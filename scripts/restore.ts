// npm run restore: makes a new store of a back-up, in an empty place, and proves it.
import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readConfig, secretKeyFileOf } from "#config";
import type { Config, SecretKeyConfig } from "#config";
import { finishRestore } from "#db/backup/load.ts";
import { connect } from "#db/connect.ts";
import { makeFolder } from "#db/make-folder.ts";
import { acceptHeads } from "#ledger/log/accept-heads.ts";
import type { HeadsPlace } from "#ledger/log/head-files.ts";
import { followRestore } from "#process/after-restore.ts";
import type { AfterRestore, AfterRestoreOptions } from "#process/after-restore.ts";
import { createSealed } from "#identity/sealed.ts";
import { makeEmptyStore } from "#process/empty-store.ts";
import type { EmptyStore } from "#process/empty-store.ts";
import { headsPlaceOf, readKeptOutside } from "#process/kept-outside.ts";
import type { KeptOutside } from "#process/kept-outside.ts";
import { restoreStore } from "#process/restore-store.ts";
import type { Restored } from "#process/restore-store.ts";
import { readSecretKeys } from "#process/secret-keys.ts";
import type { CommandLine } from "./command-line.ts";
import {
  endWithUsage,
  progressBar,
  readCommandLine,
  runScript,
  untilInterrupted,
} from "./command-line.ts";
import { describeAfter, describeRestored, passed } from "./restore-report.ts";

const line = readCommandLine(
  "npm run restore -- DIR [options]",
  "Makes a new store of the back-up in DIR: in an empty DATA_DIR, or in the empty database that DATABASE_URL and\n" +
    "DATABASE_OWNER_URL name. Checks every file, loads it, compares the log with the heads published in DATA_DIR/heads\n" +
    "(also with --to) and in --heads, builds all read tables and proves the books. Until all of that is done, no\n" +
    "program starts on it.\n\n" +
    "Exits with 0 if the books are right; with 1 if not, and then an embedded database is removed again; with 2 if it\n" +
    "was called wrongly.",
  {
    to: { type: "string", value: "FOLDER", help: "the data folder to make, instead of DATA_DIR" },
    heads: {
      type: "string",
      value: "PATH",
      multiple: true,
      help: "a file or folder of heads kept elsewhere; may be repeated",
    },
  },
);

function folderOf({ positionals }: CommandLine): string {
  const [folder, another] = positionals;
  if (folder === undefined || another !== undefined) {
    endWithUsage("Name one folder of back-ups");
  }
  return folder;
}

/** The configured database. It is only filled, never made or removed. */
function externalStore({ database }: Config): EmptyStore | null {
  if (database.kind === "embedded") {
    return null;
  }
  if (database.ownerUrl === null) {
    throw new Error("DATABASE_OWNER_URL is not set: only the owner can make the schema");
  }
  const { appUrl, ownerUrl } = database;
  const nothing = () => Promise.resolve();
  return { appUrl, ownerUrl, finish: nothing, stop: nothing, remove: nothing };
}

/** On the machine of the store that was backed up, its key is next to its data: the new folder gets a copy. */
async function keyAt(dataDir: string, config: Config): Promise<SecretKeyConfig> {
  const file = secretKeyFileOf(dataDir);
  if (!existsSync(file) && existsSync(config.secretKey.file)) {
    await makeFolder(dataDir);
    await copyFile(config.secretKey.file, file);
  }
  return { ...config.secretKey, file };
}

const DURABLE = {
  durability: "durable",
  report: (text: string) => void process.stderr.write(`${text}\n`),
} as const;

function print(
  restored: Restored,
  after: AfterRestore | null,
  kept: KeptOutside,
  keyIsGiven: boolean,
): void {
  process.stdout.write(
    line.json
      ? `${JSON.stringify({ ...restored, after })}\n`
      : [
          describeRestored(restored),
          ...(after === null ? [] : describeAfter(after, restored, kept)),
          ...(after !== null && keyIsGiven && restored.secrets.sealed > restored.secrets.lost.length
            ? ["Its secrets are sealed with SECRET_KEY: start it with the same variable."]
            : []),
          "",
        ].join("\n"),
  );
}

/** Records the restore, erases again, and declares the log right as it ends now: heads of lost events are set aside. */
async function settle(
  store: EmptyStore,
  place: HeadsPlace,
  restored: Restored,
  { erased, trustsUnsigned }: Pick<AfterRestoreOptions, "erased" | "trustsUnsigned">,
): Promise<AfterRestore> {
  const clock = () => new Date();
  const after = await followRestore({
    appUrl: store.appUrl,
    ownerUrl: store.ownerUrl,
    restored,
    erased,
    trustsUnsigned,
    clock,
  });
  const sql = connect(store.appUrl, { applicationName: "ledger-restore", maxConnections: 2 });
  try {
    await acceptHeads({ place, sql, clock });
  } finally {
    await sql.end({ timeout: 5 });
  }
  await finishRestore(store.ownerUrl);
  await store.finish();
  return after;
}

async function run(folder: string): Promise<number> {
  const config = readConfig();
  const [to] = line.values.get("to") ?? [];
  if (to !== undefined && config.database.kind === "external") {
    endWithUsage(
      "--to names a data folder, and DATABASE_URL is set: only one of them can be the target",
    );
  }
  const dataDir = resolve(to ?? config.dataDir);
  const place = headsPlaceOf(dataDir);
  const secretKey = await keyAt(dataDir, config);
  const secretKeys = await readSecretKeys(secretKey);
  const sealed = secretKeys === null ? null : createSealed(secretKeys);
  const kept = await readKeptOutside(
    {
      backup: folder,
      dataDirs: [dataDir, config.dataDir],
      named: line.values.get("heads") ?? [],
    },
    sealed,
  );
  const progress = progressBar(line.json);
  let store: EmptyStore | undefined;
  try {
    const restored = await restoreStore({
      folder: resolve(folder),
      passphrase: config.backup.passphrase,
      secretKeys,
      heads: kept.heads,
      openTarget: async () => {
        store = externalStore(config) ?? (await makeEmptyStore({ dataDir, ...DURABLE }));
        return store;
      },
      onProgress: progress.update,
      signal: untilInterrupted("Stopped; nothing was restored"),
    });
    progress.end();
    const isRight = passed(restored);
    const after =
      store !== undefined && isRight
        ? await settle(store, place, restored, {
            erased: kept.erased,
            trustsUnsigned: secretKeys === null,
          })
        : null;
    await (isRight ? store?.stop() : store?.remove());
    print(restored, after, kept, secretKey.given !== null);
    return isRight ? 0 : 1;
  } catch (error) {
    progress.end();
    await store?.remove();
    throw error;
  }
}

const folder = folderOf(line);
await runScript(() => run(folder));
