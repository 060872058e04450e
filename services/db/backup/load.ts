// Loads a back-up into an empty database: the schema it was made with, its rows, and then this program's schema.
import { BackupError } from "#db/backup/manifest.ts";
import type { BackupFile, Manifest, Segment } from "#db/backup/manifest.ts";
import { filesOf } from "#db/backup/back-up.ts";
import type { FolderKey } from "#db/backup/seal.ts";
import { checkFile, listed, loadTable, quoted } from "#db/backup/table-file.ts";
import { readTables, tablesToCopy } from "#db/backup/tables.ts";
import type { CopiedTable } from "#db/backup/tables.ts";
import { connect } from "#db/connect.ts";
import type { Sql, TransactionSql } from "#db/connect.ts";
import { migrate, refuseForeignSchema, UNFINISHED_RESTORE } from "#db/migrate.ts";

export type LoadOptions = {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly key: FolderKey | null;
  /** The owner's address of the database to fill. */
  readonly ownerUrl: string;
  readonly appRole: string;
  readonly onProgress?: (label: string, done: number, of: number) => void;
};

/** Refuses a back-up of a newer program, and one with a file that is missing or was changed, by its name. */
export async function checkBackup({
  folder,
  manifest,
  onProgress,
}: Pick<LoadOptions, "folder" | "manifest" | "onProgress">): Promise<void> {
  try {
    await refuseForeignSchema(manifest.schema);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BackupError(`This program cannot read the back-up. ${reason}`, { cause });
  }
  refuseGaps(manifest);
  const files = filesOf(manifest);
  for (const [index, file] of files.entries()) {
    onProgress?.("checking files", index, files.length);
    await checkFile(folder, file);
  }
  onProgress?.("checking files", files.length, files.length);
}

function refuseGaps({ segments, position, head }: Manifest): void {
  let reached = 0;
  for (const { after, through } of segments) {
    if (after !== reached || through < after) {
      throw new BackupError(`The back-up is not complete: it has no segment behind ${reached}`);
    }
    reached = through;
  }
  if (reached !== position || (segments.at(-1)?.head ?? null) !== head) {
    throw new BackupError(`The back-up is not complete: it ends at ${reached}, not at ${position}`);
  }
}

/**
 * Fills an empty database. It is marked as unfinished, so that no program starts on it, until `finishRestore`.
 * Throws BackupError if it is not empty, or if what was loaded is not what the manifest says.
 */
export async function loadBackup(options: LoadOptions): Promise<void> {
  const { manifest, ownerUrl, appRole } = options;
  const sql = connect(ownerUrl, { applicationName: "ledger-restore", maxConnections: 1 });
  try {
    await refuseFilled(sql);
    await sql.unsafe(`create schema ledger_meta; create table ${UNFINISHED_RESTORE} ()`);
    const last = manifest.schema.at(-1)?.number ?? 0;
    await migrate({ ownerUrl, appRole, through: last, restores: true });
    await sql.begin((transaction) => loadAll(transaction, options));
    await migrate({ ownerUrl, appRole, restores: true });
    await sql.unsafe("analyze");
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** From now on, programs start on this database. */
export async function finishRestore(ownerUrl: string): Promise<void> {
  const sql = connect(ownerUrl, { applicationName: "ledger-restore", maxConnections: 1 });
  try {
    await sql.unsafe(`drop table ${UNFINISHED_RESTORE}`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function refuseFilled(sql: Sql): Promise<void> {
  const [first] = await readTables(sql);
  if (first !== undefined) {
    throw new BackupError(
      `The database to restore into is not empty: it has the table ${first.schema}.${first.table}`,
    );
  }
}

async function loadAll(transaction: TransactionSql, options: LoadOptions): Promise<void> {
  const { folder, manifest, key, onProgress } = options;
  const { log, others } = tablesToCopy(await readTables(transaction), 0);
  const tables = new Map([...log, ...others].map((table) => [table.name, table]));
  const names = [...tables.values()].map(nameOf);
  // What a row sets off has happened already: its traces are rows of the back-up too.
  await eachTable(transaction, names, "disable trigger user");
  // Tables that a restore leaves empty may refer to these.
  await transaction.unsafe(`truncate ${names.join(", ")} cascade`);
  const files = filesOf(manifest);
  let done = 0;
  const load = async (file: BackupFile, segment: Segment | null): Promise<void> => {
    onProgress?.("loading", done, files.length);
    const table = tables.get(file.table);
    if (table === undefined) {
      throw new BackupError(`${file.name} is of the table ${file.table}, which does not exist`);
    }
    const isLater = segment !== null && segment.after > 0;
    if (isLater && (file.table === "log.streams" || file.table === "log.command_keys")) {
      await loadOver(transaction, table, { folder, file, key });
    } else {
      await loadTable(transaction, nameOf(table), { folder, file, key });
    }
    done += 1;
  };
  for (const segment of manifest.segments) {
    for (const file of segment.files) {
      await load(file, segment);
    }
    await checkHead(transaction, segment);
  }
  for (const file of await inOrderOfReferences(transaction, manifest.tables)) {
    await load(file, null);
  }
  onProgress?.("loading", files.length, files.length);
  await eachTable(transaction, names, "enable trigger user");
}

function nameOf({ schema, table }: CopiedTable): string {
  return `${quoted(schema)}.${quoted(table)}`;
}

async function eachTable(
  transaction: TransactionSql,
  names: readonly string[],
  action: string,
): Promise<void> {
  await transaction.unsafe(names.map((name) => `alter table ${name} ${action}`).join("; "));
}

/** Loads rows of which some may be there already: an answer stays, a stream's state is the newer one. */
async function loadOver(
  transaction: TransactionSql,
  table: CopiedTable,
  from: Parameters<typeof loadTable>[2],
): Promise<void> {
  const columns = listed(from.file.columns);
  const conflict =
    table.name === "log.streams"
      ? `(id) do update set version = excluded.version, state = excluded.state,
           state_version = excluded.state_version`
      : "(scope, key) do nothing";
  await transaction.unsafe(
    `create temporary table loaded on commit drop as select ${columns} from ${nameOf(table)} limit 0`,
  );
  await loadTable(transaction, "loaded", from);
  await transaction.unsafe(
    `insert into ${nameOf(table)} (${columns}) select ${columns} from loaded on conflict ${conflict};
     drop table loaded`,
  );
}

/** The log must end at a segment's end with the head that the manifest names. */
async function checkHead(transaction: TransactionSql, segment: Segment): Promise<void> {
  const [row] = await transaction<{ position: number; head: string }[]>`
    select position, encode(hash, 'hex') as head from log.events order by position desc limit 1`;
  if ((row?.position ?? 0) !== segment.through || (row?.head ?? null) !== segment.head) {
    throw new BackupError(
      `The back-up's log ends at ${row?.position ?? 0}, where its manifest has another event at ${segment.through}`,
    );
  }
}

/** A table comes after those that its foreign keys refer to. */
async function inOrderOfReferences(
  transaction: TransactionSql,
  files: readonly BackupFile[],
): Promise<BackupFile[]> {
  const references = await transaction<{ from: string; to: string }[]>`
    select a.nspname || '.' || c.relname as from, b.nspname || '.' || d.relname as to
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid join pg_namespace a on a.oid = c.relnamespace
    join pg_class d on d.oid = k.confrelid join pg_namespace b on b.oid = d.relnamespace
    where k.contype = 'f' and k.conrelid <> k.confrelid limit 10000`;
  const ordered: BackupFile[] = [];
  let waiting = [...files];
  while (waiting.length > 0) {
    const blocked = new Set(waiting.map(({ table }) => table));
    const isReady = ({ table }: BackupFile) =>
      !references.some(({ from, to }) => from === table && blocked.has(to));
    const ready = waiting.filter(isReady);
    if (ready.length === 0) {
      throw new BackupError(`${waiting[0]?.table ?? ""} refers to a table that refers back to it`);
    }
    ordered.push(...ready);
    waiting = waiting.filter((file) => !isReady(file));
  }
  return ordered;
}
