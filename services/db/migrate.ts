// Brings the database to the newest schema before anything else opens it: numbered SQL files, forward only.
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { connect } from "#db/connect.ts";
import type { Sql, TransactionSql } from "#db/connect.ts";
import type { AppliedMigration, MigrationFile } from "#db/foreign-schema.ts";
import { ForeignSchema, refuseForeign } from "#db/foreign-schema.ts";

export type MigrateOptions = {
  /** Address of the owner role. */
  readonly ownerUrl: string;
  /** The application's role; migrations read it as `current_setting('ledger.app_role')` to grant to it. */
  readonly appRole: string;
  /** The repository's migrations by default; tests use their own. */
  readonly folder?: string;
  /** Applies no migration with a higher number: a restore first makes the schema that its rows were written with. */
  readonly through?: number;
  /** A restore may migrate a database whose restore has not ended. */
  readonly restores?: boolean;
};

/** The repository's migrations. */
const migrationsFolder = join(import.meta.dirname, "..", "..", "migrations");

/** An arbitrary number for the advisory lock of migrations. */
const lockNumber = 7_203_451_118;

/**
 * Applies missing migrations, each file in its own transaction, and returns their names. Several processes may start
 * at once: a lock lets one migrate while the others wait. Throws if an applied file has changed or is gone, or if a
 * new file's number is not above those that were applied.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const all = await readMigrations(options.folder ?? migrationsFolder);
  const { through = Number.POSITIVE_INFINITY } = options;
  const migrations = all.filter(({ number }) => number <= through);
  const sql = connect(options.ownerUrl, { applicationName: "ledger-migrate", maxConnections: 1 });
  const applied: string[] = [];
  try {
    if (options.restores !== true) {
      await refuseUnfinishedRestore(sql);
    }
    for (;;) {
      const name = await applyNext(sql, migrations, options.appRole);
      if (name === null) {
        return applied;
      }
      applied.push(name);
    }
  } finally {
    await sql.end();
  }
}

/**
 * The names of this program's migrations that the database lacks, for any role that may read the list. Throws if the
 * database has one that this program does not have.
 */
export async function pendingMigrations(sql: Sql, folder = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const done = await listApplied(sql);
  refuseForeign(done, migrations);
  return migrations
    .filter(({ number }) => !done.some((old) => old.number === number))
    .map(({ name }) => name);
}

/** Says why the database has other migrations than this program, or null. The program's own are read once. */
export function createSchemaCheck(
  sql: Sql,
  folder = migrationsFolder,
): () => Promise<string | null> {
  let own: Promise<MigrationFile[]> | undefined;
  return async () => {
    own ??= readMigrations(folder);
    try {
      refuseForeign(await listApplied(sql), await own);
      return null;
    } catch (error) {
      if (error instanceof ForeignSchema) {
        return error.message;
      }
      throw error;
    }
  };
}

/** Throws if these are not migrations of this program, for example those of a newer one. */
export async function refuseForeignSchema(
  applied: readonly AppliedMigration[],
  folder = migrationsFolder,
): Promise<void> {
  refuseForeign(applied, await readMigrations(folder));
}

/** Whether the database has a schema that lacks some of this program's migrations. Throws like `pendingMigrations`. */
export async function isOlderSchema(ownerUrl: string, folder = migrationsFolder): Promise<boolean> {
  const sql = connect(ownerUrl, { applicationName: "ledger-schema-check", maxConnections: 1 });
  try {
    const pending = await pendingMigrations(sql, folder);
    return pending.length > 0 && (await listApplied(sql)).length > 0;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function listApplied(sql: Sql | TransactionSql): Promise<AppliedMigration[]> {
  const [there] = await sql<{ found: boolean }[]>`
    select to_regclass('ledger_meta.migrations') is not null as found`;
  return there?.found === true
    ? sql<AppliedMigration[]>`
        select number, name, sha256, applied_at as "appliedAt"
        from ledger_meta.migrations order by number limit 100000`
    : [];
}

/** The table that a restore makes first and drops last. */
export const UNFINISHED_RESTORE = "ledger_meta.unfinished_restore";

async function refuseUnfinishedRestore(sql: Sql): Promise<void> {
  const [found] = await sql<{ there: boolean }[]>`
    select to_regclass(${UNFINISHED_RESTORE}) is not null as there`;
  if (found?.there === true) {
    throw new Error(
      "A restore into this database did not end, so the database is not complete. Remove it, and restore again " +
        "into an empty one",
    );
  }
}

/** The application's role: the user name in its database address. */
export function roleOf(url: string): string {
  const role = decodeURIComponent(new URL(url).username);
  if (role === "") {
    throw new Error("The database address has no user name");
  }
  return role;
}

/** Applies the first file that is missing; the list is read again under the lock, so no file runs twice. */
async function applyNext(
  sql: Sql,
  migrations: readonly MigrationFile[],
  appRole: string,
): Promise<string | null> {
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${lockNumber}::bigint)`;
    const done = await readApplied(transaction, appRole);
    refuseForeign(done, migrations);
    const next = migrations.find(({ number }) => !done.some((old) => old.number === number));
    if (next === undefined) {
      return null;
    }
    const last = done.at(-1);
    if (last !== undefined && last.number > next.number) {
      throw new Error(
        `Migration ${next.name} comes before ${last.name}, which was applied already`,
      );
    }
    await transaction`select set_config('ledger.app_role', ${appRole}, true)`;
    await refuseReplaced(transaction, next, appRole);
    try {
      await transaction.unsafe(next.text);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`Migration ${next.name} failed: ${reason}`, { cause });
    }
    await transaction`
      insert into ledger_meta.migrations (number, name, sha256)
      values (${next.number}, ${next.name}, ${next.sha256})`;
    return next.name;
  });
}

/**
 * The application owns the schema `read` and may put a table of its own in the place of one that a migration made. Its
 * triggers would then run with the rights of whoever migrates.
 */
async function refuseReplaced(
  transaction: TransactionSql,
  { name, text }: MigrationFile,
  appRole: string,
): Promise<void> {
  const named = [...new Set(text.match(/\b(?:read|pgboss)\.\w+/gu))];
  const [replaced] = await transaction<{ table: string }[]>`
    select n.nspname || '.' || c.relname as table
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_roles r on r.oid = c.relowner
    where n.nspname || '.' || c.relname = any(${named}::text[])
      and r.rolname = ${appRole} and r.rolname <> current_user
    order by 1 limit 1`;
  if (replaced !== undefined) {
    throw new Error(
      `Migration ${name} works on ${replaced.table}, which a migration made and the application's role owns now: ` +
        "somebody replaced it. Nothing was changed. See what npm run verify of the installed version says about the " +
        "schema, and restore the table's owner",
    );
  }
}

async function readApplied(
  transaction: TransactionSql,
  appRole: string,
): Promise<AppliedMigration[]> {
  const [there] = await transaction<{ found: boolean }[]>`
    select to_regclass('ledger_meta.migrations') is not null as found`;
  if (there?.found !== true) {
    await transaction.unsafe(`
      create schema if not exists ledger_meta;
      create table ledger_meta.migrations (
        number     integer     not null,
        name       text        not null,
        sha256     text        not null,
        applied_at timestamptz not null default now(),
        constraint migrations_pkey primary key (number)
      );`);
    await transaction`grant usage on schema ledger_meta to ${transaction(appRole)}`;
    await transaction`grant select on ledger_meta.migrations to ${transaction(appRole)}`;
    return [];
  }
  return listApplied(transaction);
}

async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const name = basename(file, ".sql");
      const digits = /^(\d{4})_[a-z0-9_]+$/.exec(name)?.[1];
      if (digits === undefined) {
        throw new Error(`Migration ${file} is not named like 0001_what_it_does.sql`);
      }
      const text = await readFile(join(folder, file), "utf8");
      const sha256 = createHash("sha256").update(text).digest("hex");
      return { number: Number(digits), name, text, sha256 };
    }),
  );
  for (const [index, migration] of migrations.entries()) {
    if (migrations[index + 1]?.number === migration.number) {
      throw new Error(`Two migrations have the number of ${migration.name}`);
    }
  }
  return migrations;
}
