// After rows are deleted for good: makes PostgreSQL forget dead rows, old statistics and the old write-ahead log too.
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";

/** What was purged, and what is left to the operator of the server. */
export type Purged = {
  /** False while an older transaction can still see the deleted rows: try again later. */
  readonly rowsAreGone: boolean;
  /** False if this role may not do it: then the server recycles the log at some later time. */
  readonly logIsGone: boolean;
};

/**
 * Rewrites every table of these schemas. Each is locked while it is rewritten, which takes milliseconds for small
 * ones.
 */
export type Purge = (schemas: readonly string[]) => Promise<Purged>;

const LOCK_TIMEOUT_MS = 5_000;
/** PostgreSQL's code for insufficient privileges. */
const FORBIDDEN = "42501";

/** Most transactions end within this time, so that the tables need not wait for the next purge. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/** A purge over its own connections, as the owner of the schemas or a superuser. */
export function createPurge(url: string): Purge {
  // The transaction id before which everything to purge was deleted, as far as is known. It stays until the older
  // transactions are over: there are always some that are older than now.
  let fence: string | null = null;
  return async (schemas) => {
    const notices: string[] = [];
    const sql = connect(url, {
      applicationName: "ledger-purge",
      maxConnections: 1,
      onNotice: (notice) => notices.push(notice),
    });
    try {
      await sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, false)`;
      const now = await nextTransactionId(sql);
      fence ??= now;
      // Rewriting every table would only find that nothing can be removed.
      if (await isSomebodyOlder(sql, fence)) {
        return { rowsAreGone: false, logIsGone: false };
      }
      const rowsAreGone = await rewriteTables(sql, schemas, notices);
      fence = rowsAreGone ? null : now;
      return { rowsAreGone, logIsGone: rowsAreGone && (await dropOldLog(sql)) };
    } finally {
      await sql.end({ timeout: 5 });
    }
  };
}

async function nextTransactionId(sql: Sql): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as id`;
  return row?.id ?? "";
}

/**
 * Whether a transaction still runs that began before this id and keeps dead rows alive. This role may not see those of
 * all others: then the rewriting finds it.
 */
async function isSomebodyOlder(sql: Sql, fence: string): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const older = await sql`
      select 1 from pg_stat_activity
      where pid <> pg_backend_pid() and backend_type <> 'autovacuum worker'
        and (datname = current_database() or backend_type = 'walsender')
        and greatest(age(backend_xmin), age(backend_xid)) > age(${fence}::text::xid8::xid)
      limit 1`;
    if (older.length === 0 || performance.now() > deadline) {
      return older.length > 0;
    }
    await delay(LOOK_AGAIN_MS);
  }
}

async function rewriteTables(
  sql: Sql,
  schemas: readonly string[],
  notices: string[],
): Promise<boolean> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = any(${[...schemas]}::text[])
    order by 1 limit 10000`;
  // Samples of column values are in the catalog.
  for (const { name } of [...tables, { name: "pg_catalog.pg_statistic" }]) {
    await sql.unsafe(`vacuum (full, verbose) ${name}`);
  }
  // Its output for each table: "1 dead row versions cannot be removed yet."
  return !notices.some((notice) =>
    /(?:^|\n)[1-9]\d* dead row versions? cannot be removed/u.test(notice),
  );
}

/**
 * Switches to a new file of the write-ahead log and runs a checkpoint, which drops the older ones or keeps them for
 * reuse, with their contents. So it switches through those that are kept, which overwrites them; a second checkpoint
 * leaves only what was written since.
 */
async function dropOldLog(sql: Sql): Promise<boolean> {
  try {
    await switchFile(sql);
    await sql`checkpoint`;
    const [ahead] = await sql<{ files: number }[]>`
      select count(*) as files from pg_ls_waldir()
      where name ~ '^[0-9A-F]{24}$' and name > pg_walfile_name(pg_current_wal_insert_lsn())`;
    // The present file is one of them too: behind what was written into it, it has its old contents.
    for (let file = 0; file <= (ahead?.files ?? 0); file += 1) {
      await switchFile(sql);
    }
    await sql`checkpoint`;
    return true;
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === FORBIDDEN) {
      return false;
    }
    throw error;
  }
}

/** Fills the rest of the present file with zeros. A file in which nothing was written yet would not be left. */
async function switchFile(sql: Sql): Promise<void> {
  await sql`select pg_logical_emit_message(false, 'purge', 'next file')`;
  await sql`select pg_switch_wal()`;
}
