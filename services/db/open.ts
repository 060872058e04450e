// Opens a process's database: the embedded server or the configured one, with its schema up to date.
import { backUp } from "#db/backup/back-up.ts";
import { connect } from "#db/connect.ts";
import { appRole, startEmbedded } from "#db/embedded.ts";
import type { HolderKind } from "#db/embedded/home.ts";
import type { WatchedFolder } from "#db/free-space.ts";
import type { Purge } from "#db/purge.ts";
import { refuseLogWriters } from "#db/log-writers.ts";
import { createPurge } from "#db/purge.ts";
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
  /** Makes PostgreSQL forget deleted data; null if this process does not have the owner's address. */
  readonly purge: Purge | null;
  /** The folders an embedded server writes to; empty for a configured database, whose disks are elsewhere. */
  readonly folders: readonly WatchedFolder[];
  /** Rejects when an embedded server died and could not be restarted; never resolves. */
  readonly lost: Promise<never>;
  /** Stops an embedded server. Close every pool first. */
  readonly close: () => Promise<void>;
};

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
  const bringUp = async (ownerUrl: string, role: string): Promise<void> => {
    if (!keepsSchema) {
      if (holder === "script" && (await isOlderSchema(ownerUrl))) {
        report(
          "The store is of an older program: its schema is migrated now, and older programs cannot open it again.",
        );
      }
      await backUpBeforeMigration(settings, ownerUrl, report);
      await migrate({ ownerUrl, appRole: role });
    }
  };
  if (database.kind === "embedded") {
    const server = await startEmbedded({
      dataDir: settings.dataDir,
      durability: "durable",
      holder,
      report,
    });
    try {
      if (isGuarded) {
        await refuseAsLogWriter(server.appUrl, null);
      }
      await bringUp(server.ownerUrl, appRole);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return {
      appUrl: server.appUrl,
      ownerUrl: server.ownerUrl,
      purge: createPurge(server.superuserLedgerUrl),
      folders: server.folders,
      lost: server.lost,
      close: server.stop,
    };
  }
  const { appUrl, ownerUrl, readUrl } = database;
  if (isGuarded) {
    await refuseAsLogWriter(appUrl, readUrl);
  }
  if (ownerUrl !== null) {
    await bringUp(ownerUrl, roleOf(appUrl));
  } else if (!keepsSchema) {
    await refusePending(appUrl);
  }
  const never = Promise.withResolvers<never>().promise;
  const purge = ownerUrl === null ? null : createPurge(ownerUrl);
  return { appUrl, ownerUrl, purge, folders: [], lost: never, close: () => Promise.resolve() };
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
        `The database lacks ${pending.join(", ")}: set DATABASE_OWNER_URL, so that the schema can be migrated`,
      );
    }
  } finally {
    await sql.end();
  }
}

/** A migration cannot be taken back, but a restore of this back-up by the older program can. */
async function backUpBeforeMigration(
  { backup: { folder, passphrase } }: DatabaseSettings,
  ownerUrl: string,
  report: (line: string) => void,
): Promise<void> {
  if (folder !== null && (await isOlderSchema(ownerUrl))) {
    const { position } = await backUp({ ownerUrl, folder, passphrase, clock: () => new Date() });
    report(`The schema is about to be migrated: backed up to position ${position} before`);
  }
}
