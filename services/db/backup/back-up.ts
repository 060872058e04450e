// Writes a back-up: what is new in the log since the last one, and all other tables, of one snapshot.
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { BackupError, readManifest, syncFolder, writeManifest } from "#db/backup/manifest.ts";
import type { BackupFile, Manifest, Segment } from "#db/backup/manifest.ts";
import { makeFolderKey, PassphraseError } from "#db/backup/seal.ts";
import type { FolderKey } from "#db/backup/seal.ts";
import { FILE_NAME, writeTable } from "#db/backup/table-file.ts";
import type { WriteOptions } from "#db/backup/table-file.ts";
import { readTables, tablesToCopy } from "#db/backup/tables.ts";
import type { CopiedTable } from "#db/backup/tables.ts";
import { connect } from "#db/connect.ts";
import type { Sql, TransactionSql } from "#db/connect.ts";
import { makeFolder } from "#db/make-folder.ts";
import { refuseForeignSchema } from "#db/migrate.ts";

export type BackupOptions = {
  /** As the owner of the schema: the application's role may not read everything. */
  readonly ownerUrl: string;
  readonly folder: string;
  /** Null for a folder that is not encrypted. */
  readonly passphrase: string | null;
  /** What a guess at the passphrase of a new folder costs; the usual by default, less in tests of something else. */
  readonly guessCost?: number;
  readonly clock: () => Date;
  /** Writes the whole log again, and removes the older segments. */
  readonly isFull?: boolean;
  /** Called once if another back-up of this store is running: this one waits for it. */
  readonly onWaiting?: () => void;
  readonly onProgress?: (label: string, done: number, of: number) => void;
  /** Ends the back-up; the one before it stays. */
  readonly signal?: AbortSignal;
  /** Called with the snapshot open and nothing copied yet, so that a test can write behind it. */
  readonly onSnapshot?: () => Promise<void>;
};

export type BackupReport = {
  readonly position: number;
  /** The position of the back-up before it; 0 for a full one. */
  readonly after: number;
  /** Of the files that this back-up wrote, and of all files that it consists of. */
  readonly newBytes: number;
  readonly bytes: number;
  readonly segments: number;
  readonly isEncrypted: boolean;
  readonly createdAt: string;
  readonly elapsedMs: number;
};

/** An arbitrary number for the advisory lock of back-ups. */
const lockNumber = 7_203_451_119;
const LOOK_AGAIN_MS = 200;
/** More would make the folder slow to check; the next back-up then writes the log in one piece again. */
const MOST_SEGMENTS = 400;

/**
 * Backs the store up into a folder, while it is used. Throws PassphraseError if the folder was begun with another
 * passphrase or none, and BackupError if it takes no files, holds another store, or a log that this store no longer has.
 */
export async function backUp(options: BackupOptions): Promise<BackupReport> {
  const startedAt = performance.now();
  const sql = connect(options.ownerUrl, { applicationName: "ledger-backup", maxConnections: 2 });
  const lock = await sql.reserve();
  try {
    await takeTurn(lock, options);
    await prepareFolder(options.folder);
    const { manifest, written } = await write(sql, options);
    await removeOthers(options.folder, manifest);
    return {
      position: manifest.position,
      after: manifest.segments.at(-1)?.after ?? 0,
      newBytes: bytesOf(written),
      bytes: bytesOf(filesOf(manifest)),
      segments: manifest.segments.length,
      isEncrypted: manifest.seal !== null,
      createdAt: manifest.createdAt,
      elapsedMs: performance.now() - startedAt,
    };
  } finally {
    lock.release();
    // Also releases the lock.
    await sql.end({ timeout: 5 });
  }
}

/** All files that a back-up consists of. */
export function filesOf({ segments, tables }: Manifest): BackupFile[] {
  return [...segments.flatMap(({ files }) => files), ...tables];
}

function bytesOf(files: readonly BackupFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Removed like what a killed back-up left behind, if this one is killed meanwhile. */
const TRIED_FILE = "000000-folder.copy.zst.part";

/** Makes the folder. Throws BackupError if it takes no files, before anything is read for it. */
async function prepareFolder(folder: string): Promise<void> {
  const tried = join(folder, TRIED_FILE);
  try {
    await makeFolder(folder, 0o700);
    await (await open(tried, "w", 0o600)).close();
    await rm(tried);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    // Node names the folder, in a form that can be stored whatever it contains.
    throw new BackupError(`The folder takes no back-up: ${why}`, { cause });
  }
}

/** Polls, because a statement that waits would keep dead rows alive. */
async function takeTurn(
  sql: Sql,
  { onWaiting, signal }: Pick<BackupOptions, "onWaiting" | "signal">,
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    signal?.throwIfAborted();
    const [row] = await sql<{ taken: boolean }[]>`
      select pg_try_advisory_lock(${lockNumber}::bigint) as taken`;
    if (row?.taken === true) {
      return;
    }
    if (tries === 0) {
      onWaiting?.();
    }
    await delay(LOOK_AGAIN_MS);
  }
}

type Previous = { readonly manifest: Manifest; readonly key: FolderKey | null };

async function write(
  sql: Sql,
  options: BackupOptions,
): Promise<{ manifest: Manifest; written: BackupFile[] }> {
  const { folder } = options;
  const previous = await readManifest(folder, options.passphrase);
  const key = await keyFor(previous, options);
  const stop = new AbortController();
  const signal =
    options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal]);
  const copying = { folder, run: (previous?.manifest.run ?? 0) + 1, key, signal };
  const copied = await inSnapshot(sql, stop, (snapshot) =>
    copySnapshot(snapshot, previous, copying, options),
  );
  await syncFolder(folder);
  await writeManifest(folder, copied.manifest, key);
  return copied;
}

/**
 * Runs `body` in one snapshot. If it fails in the middle of a COPY, the connection is closed, because a rollback would
 * wait for the rest of the rows; and if the connection is lost, what reads from it is ended.
 */
async function inSnapshot<Result>(
  sql: Sql,
  stop: AbortController,
  body: (snapshot: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const failures: unknown[] = [];
  try {
    return await sql
      .begin("isolation level repeatable read read only", async (snapshot) => {
        try {
          return { done: await body(snapshot) };
        } catch (error) {
          failures.push(error);
          await sql.end({ timeout: 0 });
          throw error;
        }
      })
      .then(({ done }) => done);
  } catch (error) {
    stop.abort();
    throw failures[0] ?? error;
  }
}

async function keyFor(
  previous: Previous | null,
  { passphrase, guessCost }: Pick<BackupOptions, "passphrase" | "guessCost">,
): Promise<FolderKey | null> {
  if (previous === null) {
    return passphrase === null ? null : makeFolderKey(passphrase, guessCost);
  }
  if (previous.key === null && passphrase !== null) {
    throw new PassphraseError(
      "The back-ups in this folder are not encrypted, and BACKUP_PASSPHRASE is set: choose another folder",
    );
  }
  return previous.key;
}

/** The log's end and beginning, in this snapshot. */
async function readEnds(
  snapshot: TransactionSql,
): Promise<Pick<Manifest, "position" | "head" | "store">> {
  const [row] = await snapshot<{ position: number; head: string; store: string }[]>`
    select position, encode(hash, 'hex') as head,
      (select encode(hash, 'hex') from log.events where position = 1) as store
    from log.events order by position desc limit 1`;
  return row ?? { position: 0, head: null, store: null };
}

/** The position that this back-up begins behind: 0 for a full one. */
async function beginsAfter(
  snapshot: TransactionSql,
  schema: Manifest["schema"],
  ends: Pick<Manifest, "store">,
  previous: Manifest | undefined,
): Promise<number> {
  if (previous === undefined || previous.position === 0) {
    return 0;
  }
  if (previous.store !== ends.store) {
    throw new BackupError("This folder has the back-ups of another store: choose another folder");
  }
  const [same] = await snapshot`
    select 1 from log.events
    where position = ${previous.position} and hash = decode(${previous.head ?? ""}, 'hex')`;
  if (same === undefined) {
    throw new BackupError(
      `The back-ups in this folder reach position ${previous.position}, where this store has another event or none. ` +
        "If the store was restored from an older back-up, choose another folder",
    );
  }
  const isSameSchema = JSON.stringify(previous.schema) === JSON.stringify(schema);
  return isSameSchema && previous.segments.length < MOST_SEGMENTS ? previous.position : 0;
}

async function copySnapshot(
  snapshot: TransactionSql,
  previous: Previous | null,
  copying: WriteOptions,
  options: BackupOptions,
): Promise<{ manifest: Manifest; written: BackupFile[] }> {
  const schema = await snapshot<Manifest["schema"]>`
    select number, name, sha256 from ledger_meta.migrations order by number limit 100000`;
  await refuseForeignSchema(schema);
  const ends = await readEnds(snapshot);
  await options.onSnapshot?.();
  const old = previous?.manifest;
  const begin = await beginsAfter(snapshot, schema, ends, old);
  const after = options.isFull === true ? 0 : begin;
  const { log, others } = tablesToCopy(await readTables(snapshot), after);
  const all = log.length + others.length;
  const copyAll = async (tables: readonly CopiedTable[], done: number): Promise<BackupFile[]> => {
    const files: BackupFile[] = [];
    for (const [index, table] of tables.entries()) {
      options.onProgress?.("back-up", done + index, all);
      const file = await writeTable(snapshot, table, copying);
      files.push(...(file === null ? [] : [file]));
    }
    return files;
  };
  const createdAt = options.clock().toISOString();
  const files = await copyAll(log, 0);
  const tables = await copyAll(others, log.length);
  options.onProgress?.("back-up", all, all);
  const segment: Segment = { after, through: ends.position, head: ends.head, createdAt, files };
  const manifest: Manifest = {
    format: 1,
    createdAt,
    ...ends,
    schema: [...schema],
    segments: [...(after === 0 ? [] : (old?.segments ?? [])), segment],
    tables,
    run: copying.run,
    seal: copying.key?.seal ?? null,
  };
  return { manifest, written: [...files, ...tables] };
}

/**
 * Removes what the newest back-up does not need: copies of tables that may name people who were erased since, and
 * what a killed back-up left behind.
 */
async function removeOthers(folder: string, manifest: Manifest): Promise<void> {
  const needed = new Set(filesOf(manifest).map(({ name }) => name));
  for (const name of await readdir(folder)) {
    if (FILE_NAME.test(name) && !needed.has(name)) {
      await rm(join(folder, name), { force: true });
    }
  }
}
