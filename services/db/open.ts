// Opens a process's database: the embedded server or the configured one, with its schema up to date.
import { connect } from "#db/connect.ts";
import { appRole, startEmbedded } from "#db/embedded.ts";
import type { HolderKind } from "#db/embedded/home.ts";
import type { WatchedFolder } from "#db/free-space.ts";
import type { Purge } from "#db/purge.ts";
import { createPurge } from "#db/purge.ts";
import { migrate, pendingMigrations, roleOf } from "#db/migrate.ts";

/** Where the database is, from the configuration. */
export type DatabaseSettings = {
  readonly dataDir: string;
  readonly database:
    | { readonly kind: "embedded" }
    | {
        readonly kind: "external";
        readonly appUrl: string;
        readonly ownerUrl: string | null;
      };
};

export type OpenedDatabase = {
  readonly appUrl: string;
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
 * that is not up to date is an error.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  holder: HolderKind,
  report: (line: string) => void,
): Promise<OpenedDatabase> {
  const { database } = settings;
  if (database.kind === "embedded") {
    const server = await startEmbedded({
      dataDir: settings.dataDir,
      durability: "durable",
      holder,
      report,
    });
    try {
      await migrate({ ownerUrl: server.ownerUrl, appRole });
    } catch (error) {
      await server.stop();
      throw error;
    }
    return {
      appUrl: server.appUrl,
      purge: createPurge(server.superuserLedgerUrl),
      folders: server.folders,
      lost: server.lost,
      close: server.stop,
    };
  }
  const { appUrl, ownerUrl } = database;
  if (ownerUrl === null) {
    await refusePending(appUrl);
  } else {
    await migrate({ ownerUrl, appRole: roleOf(appUrl) });
  }
  const never = Promise.withResolvers<never>().promise;
  const purge = ownerUrl === null ? null : createPurge(ownerUrl);
  return { appUrl, purge, folders: [], lost: never, close: () => Promise.resolve() };
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
