// Opens a process's database: the embedded server or the configured one, with its schema up to date.
import { backUp } from "#db/backup/back-up.ts";
import { connect } from "#db/connect.ts";
import { appRole, startEmbedded } from "#db/embedded.ts";
import type { HolderKind } from "#db/embedded/home.ts";
import type { WatchedFolder } from "#db/free-space.ts";
import type { Purge } from "#db/purge.ts";
import { refuseLogWriters } from "#db/log-writers.ts";
import { createPurge } from "#db/purge.ts";
import { vacuumsGivingWay } from "#db/give-way.ts";
import { migrationNames } from "#db/migration-names.ts";
import { refuseUnfinishedRestoreIn } from "#db/unfinished-restore.ts";
import { isOlderSchema, migrate, pendingMigrations, roleOf } from "#db/migrate.ts";

/** Where the database is, from the configuration. */
export type DatabaseSettings = {
  readonly dataDir: string;
  readonly database:
    | { readonly kind: "embedded" }
    | {
        readonly kind: "external";
        readonly appUrl: string;
        readonly ownerUrl: string | null;
        /** A hot standby for reads, whose roles are those of the primary. */
        readonly readUrl: string | null;
      };
  /** In production, a service does not connect as a role that could write the log. */
  readonly isProduction: boolean;
  /** Without a folder, nothing is backed up before a migration. */
  readonly backup: { readonly folder: string | null; readonly passphrase: string | null };
};

export type OpenedDatabase = {
  readonly appUrl: string;
  /** Null if this process does not have the owner's address. */
  readonly ownerUrl: string | null;
  /** The migrations that an existing store lacked and that were applied now; empty for a new store. */
  readonly migrated: readonly string[];
  /** Makes PostgreSQL forget deleted data; null if this process does not have the owner's address. */
  readonly purge: Purge | null;
  /** Whether the server runs on this machine for this store alone. */
  readonly isEmbedded: boolean;
  /** The folders an embedded server writes to; empty for a configured database, whose disks are elsewhere. */
  readonly folders: readonly WatchedFolder[];
  /** Rejects when an embedded server died and could not be restarted; never resolves. */
  readonly lost: Promise<never>;
  /** Stops an embedded server. Close every pool first. */
  readonly close: () => Promise<void>;
};

/** How often the server's vacuums are looked for. */
const SLOWED_EVERY_MS = 500;

/**
 * Opens and migrates. With a configured database and no owner's address nothing is migrated, and a schema
 * that is not up to date is an error. A store that is migrated is backed up before. `keepsSchema`: the schema stays as
 * it is.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  holder: HolderKind,
  report: (line: string) => void,
  keepsSchema = false,
): Promise<OpenedDatabase> {
  const { database } = settings;
  const isGuarded = holder === "service" && settings.isProduction;
  const bringUp = (ownerUrl: string, role: string): Promise<readonly string[]> =>
    keepsSchema
      ? Promise.resolve([])
      : migrateStore(settings, { ownerUrl, appRole: role, holder, report });
  if (database.kind === "embedded") {
    await refuseUnfinishedRestoreIn(settings.dataDir, report);
    const server = await startEmbedded({
      dataDir: settings.dataDir,
      durability: "durable",
      holder,
      report,
    });
    let migrated: readonly string[];
    try {
      if (isGuarded) {
        await refuseAsLogWriter(server.appUrl, null);
      }
      migrated = await bringUp(server.ownerUrl, appRole);
    } catch (error) {
      await server.stop();
      throw error;
    }
    const slowing = setInterval(vacuumsGivingWay(server.pid), SLOWED_EVERY_MS).unref();
    return {
      appUrl: server.appUrl,
      ownerUrl: server.ownerUrl,
      migrated,
      purge: createPurge(server.superuserLedgerUrl),
      isEmbedded: true,
      folders: server.folders,
      lost: server.lost,
      close: () => {
        clearInterval(slowing);
        return server.stop();
      },
    };
  }
  const { appUrl, ownerUrl, readUrl } = database;
  if (isGuarded) {
    await refuseAsLogWriter(appUrl, readUrl);
  }
  const migrated = ownerUrl === null ? [] : await bringUp(ownerUrl, roleOf(appUrl));
  if (ownerUrl === null && !keepsSchema) {
    await refusePending(appUrl);
  }
  const never = Promise.withResolvers<never>().promise;
  const purge = ownerUrl === null ? null : createPurge(ownerUrl);
  return {
    appUrl,
    ownerUrl,
    migrated,
    purge,
    isEmbedded: false,
    folders: [],
    lost: never,
    close: () => Promise.resolve(),
  };
}

type Migrating = {
  readonly ownerUrl: string;
  readonly appRole: string;
  readonly holder: HolderKind;
  readonly report: (line: string) => void;
};

/** Backs up and migrates. Returns what an existing store lacked. */
async function migrateStore(
  { backup: { folder, passphrase } }: DatabaseSettings,
  { ownerUrl, appRole: role, holder, report }: Migrating,
): Promise<readonly string[]> {
  const isOlder = await isOlderSchema(ownerUrl);
  if (isOlder && holder === "script") {
    report(
      "The store is of an older program: its schema is migrated now, and older programs cannot open it again.",
    );
  }
  // A migration cannot be taken back, but a restore of this back-up by the older program can.
  if (isOlder && folder !== null) {
    const { position } = await backUp({ ownerUrl, folder, passphrase, clock: () => new Date() });
    report(`The schema is about to be migrated: backed up to position ${position} before`);
  }
  const applied = await migrate({ ownerUrl, appRole: role });
  return isOlder ? applied : [];
}

/** Before anything is migrated: a migration gives rights to the role. */
async function refuseAsLogWriter(appUrl: string, readUrl: string | null): Promise<void> {
  const sql = connect(appUrl, { applicationName: "ledger-role-check", maxConnections: 1 });
  try {
    await refuseLogWriters(
      sql,
      [appUrl, readUrl].flatMap((url) => (url === null ? [] : [roleOf(url)])),
    );
  } finally {
    await sql.end();
  }
}

async function refusePending(appUrl: string): Promise<void> {
  const sql = connect(appUrl, { applicationName: "ledger-schema-check", maxConnections: 1 });
  try {
    const pending = await pendingMigrations(sql);
    if (pending.length > 0) {
      throw new Error(
        `The database lacks ${migrationNames(pending)}: set DATABASE_OWNER_URL, so that the schema can be migrated`,
      );
    }
  } finally {
    await sql.end();
  }
}
