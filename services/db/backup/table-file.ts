// One file of a back-up: the rows of one table as COPY writes them, compressed, and encrypted if there is a passphrase.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import type { TransactionSql } from "#db/connect.ts";
import { BackupError } from "#db/backup/manifest.ts";
import type { BackupFile } from "#db/backup/manifest.ts";
import { seal, unseal } from "#db/backup/seal.ts";
import type { FolderKey } from "#db/backup/seal.ts";
import type { CopiedTable } from "#db/backup/tables.ts";

/** Files that a back-up makes, also unfinished ones of a killed back-up. */
export const FILE_NAME = /^\d{6}-[a-z0-9_.-]+\.copy\.zst(?:\.sealed)?(?:\.part)?$/;

export type WriteOptions = {
  readonly folder: string;
  readonly run: number;
  readonly key: FolderKey | null;
  readonly signal: AbortSignal;
};

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function listed(columns: readonly string[]): string {
  return columns.map(quoted).join(", ");
}

/** Bytes of a stream; files, COPY and zstd all hand out buffers. */
async function* buffersOf(source: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    if (!Buffer.isBuffer(bytes)) {
      throw new TypeError("A stream of a back-up has something else than bytes");
    }
    yield bytes;
  }
}

/** Writes a table's rows to a file of its own; null, and no file, if there are none. */
export async function writeTable(
  transaction: TransactionSql,
  table: CopiedTable,
  { folder, run, key, signal }: WriteOptions,
): Promise<BackupFile | null> {
  const ending = key === null ? "" : ".sealed";
  const name = `${String(run).padStart(6, "0")}-${table.name}.copy.zst${ending}`;
  const draft = join(folder, `${name}.part`);
  const from = `${quoted(table.schema)}.${quoted(table.table)}`;
  const where = table.where === null ? "" : ` where ${table.where}`;
  const digest = createHash("sha256");
  let plainBytes = 0;
  let bytes = 0;
  await using file = await open(draft, "w", 0o600);
  const rows: Readable = await transaction
    .unsafe(`copy (select ${listed(table.columns)} from ${from}${where}) to stdout`)
    .readable();
  await pipeline(
    rows,
    async function* (source: AsyncIterable<unknown>) {
      for await (const chunk of buffersOf(source)) {
        plainBytes += chunk.length;
        yield chunk;
      }
    },
    createZstdCompress(),
    async function* (source: AsyncIterable<unknown>) {
      const sealed = key === null ? buffersOf(source) : seal(key, name, buffersOf(source));
      for await (const chunk of sealed) {
        digest.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) {
        // `write` may write a part and not say so.
        await file.appendFile(chunk);
      }
    },
    { signal },
  );
  if (plainBytes === 0) {
    await rm(draft, { force: true });
    return null;
  }
  await file.sync();
  await rename(draft, join(folder, name));
  const columns = [...table.columns];
  return { name, table: table.name, columns, bytes, sha256: digest.digest("hex") };
}

/** Refuses a file that is missing or not the one that the back-up wrote, by its name. */
export async function checkFile(
  folder: string,
  { name, bytes, sha256 }: BackupFile,
): Promise<void> {
  const digest = createHash("sha256");
  let found = 0;
  try {
    for await (const chunk of buffersOf(createReadStream(join(folder, name)))) {
      digest.update(chunk);
      found += chunk.length;
    }
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") {
      throw new BackupError(`The back-up is not complete: ${name} is missing`);
    }
    throw error;
  }
  if (found !== bytes || digest.digest("hex") !== sha256) {
    throw new BackupError(`${name} was changed: it is not what the back-up wrote`);
  }
}

/** Loads a file into a table; `into` names a table with the same columns. */
export async function loadTable(
  transaction: TransactionSql,
  into: string,
  { folder, file, key }: { folder: string; file: BackupFile; key: FolderKey | null },
): Promise<void> {
  const target = await transaction
    .unsafe(`copy ${into} (${listed(file.columns)}) from stdin`)
    .writable();
  await pipeline(
    createReadStream(join(folder, file.name)),
    (source: AsyncIterable<unknown>) =>
      key === null ? buffersOf(source) : unseal(key, file.name, buffersOf(source)),
    createZstdDecompress(),
    target,
  );
}
