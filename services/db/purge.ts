// After rows were deleted for good: makes PostgreSQL forget the dead rows, the old statistics and the old write-ahead log too.
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";

/** What was made to forget, and what is left to whoever runs the server. */
export type Purged = {
  /** False while a transaction that began before can still see what was deleted: try again later. */
  readonly rowsAreGone: boolean;
  /** False where this role may not do it: the log is then recycled in the server's own time. */
  readonly logIsGone: boolean;
};

/** Rewrites every table of these schemas. Each is locked while it is rewritten: milliseconds for small ones. */
export type Purge = (schemas: readonly string[]) => Promise<Purged>;

const LOCK_TIMEOUT_MS = 5_000;
/** PostgreSQL's code for what a role may not do. */
const FORBIDDEN = "42501";

/** A purge over connections of its own, as the owner of the schemas or a superuser. */
export function createPurge(url: string): Purge {
  return async (schemas) => {
    const notices: string[] = [];
    const sql = connect(url, {
      applicationName: "ledger-purge",
      maxConnections: 1,
      onNotice: (notice) => notices.push(notice),
    });
    try {
      await sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, false)`;
      const rowsAreGone = await rewriteTables(sql, schemas, notices);
      return { rowsAreGone, logIsGone: rowsAreGone && (await dropOldLog(sql)) };
    } finally {
      await sql.end({ timeout: 5 });
    }
  };
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
  // Samples of the columns' values live in the catalogue.
  for (const { name } of [...tables, { name: "pg_catalog.pg_statistic" }]) {
    await sql.unsafe(`vacuum (full, verbose) ${name}`);
  }
  // What it says of each table: "1 dead row versions cannot be removed yet."
  return !notices.some((notice) =>
    /(?:^|\n)[1-9]\d* dead row versions? cannot be removed/u.test(notice),
  );
}

/**
 * Moves on to a new file of the write-ahead log and has a checkpoint drop those before. Files that a checkpoint
 * kept for use again still hold what was in them: they are run through, which overwrites them.
 */
async function dropOldLog(sql: Sql): Promise<boolean> {
  try {
    const [ahead] = await sql<{ files: number }[]>`
      select count(*) as files from pg_ls_waldir()
      where name ~ '^[0-9A-F]{24}$' and name > pg_walfile_name(pg_current_wal_insert_lsn())`;
    for (let file = 0; file <= (ahead?.files ?? 0); file += 1) {
      await sql`select pg_logical_emit_message(false, 'purge', 'next file')`;
      await sql`select pg_switch_wal()`;
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
