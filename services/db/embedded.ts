// The embedded PostgreSQL: started before anything else on one machine and in tests, stopped after everything else.
import { connect } from "#db/connect.ts";
import {
  homeOf,
  loadSecrets,
  makeHome,
  publishPort,
  readHolder,
  releaseHome,
} from "#db/embedded/home.ts";
import type { Holder, HolderKind, Secrets } from "#db/embedded/home.ts";
import {
  databaseFolders,
  dataFolderOf,
  explainNoRoom,
  initialise,
  startPostmaster,
  stopLeftBehind,
  stopProcess,
} from "#db/embedded/postmaster.ts";
import type { Cluster } from "#db/embedded/postmaster.ts";
import { serverAccountFor } from "#db/embedded/server-account.ts";
import { findSoftware } from "#db/embedded/software.ts";
import { supervise } from "#db/embedded/supervise.ts";
import type { Supervisor } from "#db/embedded/supervise.ts";
import { takeHome } from "#db/embedded/take-over.ts";
import type { WatchedFolder } from "#db/free-space.ts";
import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";

export const ownerRole = "ledger_owner";
export const appRole = "ledger_app";
const databaseName = "ledger";

/** Addresses of one database, one for each role. */
export type DatabaseUrls = { readonly ownerUrl: string; readonly appUrl: string };

export type EmbeddedPostgres = DatabaseUrls & {
  /** May create databases and roles: for tests and experiments, never for the application. */
  readonly superuserUrl: string;
  /** The same in the ledger's own database: for upkeep that only a superuser may do. */
  readonly superuserLedgerUrl: string;
  readonly port: number;
  /** What the server writes to. */
  readonly folders: readonly WatchedFolder[];
  /** The postmaster's process id; another one after it was restarted. */
  readonly pid: () => number;
  /** Rejects when the server died and could not be restarted; never resolves. A full disk is waited for. */
  readonly lost: Promise<never>;
  /** Stops the server. Close every pool first. */
  readonly stop: () => Promise<void>;
};

export type EmbeddedOptions = {
  readonly dataDir: string;
  /** "durable" survives power loss; "test" trades that for speed (no fsync). */
  readonly durability: "durable" | "test";
  /** A service has the folder from a script, and nobody has it from a service. */
  readonly holder: HolderKind;
  /** Server settings as `name=value`, in place of those that come with the durability. */
  readonly settings?: readonly string[];
  /** Told about things a person may want to know; silent unless given. */
  readonly report?: (line: string) => void;
};

const commonSettings = [
  // An empty list: TCP on the loopback alone, since a socket's path may get longer than systems allow.
  "unix_socket_directories=",
  "max_connections=200",
  "work_mem=16MB",
  "maintenance_work_mem=256MB",
  "effective_cache_size=2GB",
  "random_page_cost=1.1",
  "jit=off",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_checkpoints=off",
  // The details of an error name the values it was about.
  "log_error_verbosity=terse",
  // Errors of statements reach the application, which logs them; here only what concerns the server.
  "log_min_messages=log",
];

const settingsFor: Record<EmbeddedOptions["durability"], readonly string[]> = {
  durable: [
    ...commonSettings,
    "shared_buffers=256MB",
    "max_wal_size=2GB",
    "min_wal_size=256MB",
    "wal_compression=on",
    // A file of the write-ahead log that is used again keeps what was in it: erased people would live on there.
    "wal_recycle=off",
    "checkpoint_timeout=15min",
  ],
  test: [
    ...commonSettings,
    "shared_buffers=128MB",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_wal_size=4GB",
    "checkpoint_timeout=1h",
  ],
};

/**
 * Starts PostgreSQL in `<dataDir>/postgres`, makes roles and database the first time, and keeps it running.
 * A server that a killed process left behind is stopped first. A script that runs it gives it up to a
 * service; throws `DataFolderInUse` while any other live process runs it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const report = options.report ?? (() => undefined);
  const account = serverAccountFor(dataFolderOf(homeOf(options.dataDir)));
  const home = await makeHome(options.dataDir, account, report);
  await takeHome(options.dataDir, home, options.holder, report).catch((error: unknown) => {
    throw explainNoRoom(error, home);
  });
  try {
    if (await stopLeftBehind(home)) {
      report("Stopped the PostgreSQL that a killed process had left behind");
    }
    const software = await findSoftware(home, account);
    const cluster: Cluster = {
      home,
      software,
      account,
      settings: [...settingsFor[options.durability], ...(options.settings ?? [])],
    };
    const secrets = await loadSecrets(home, existsSync(dataFolderOf(home)));
    await initialise(cluster, secrets.superuser);
    await refuseOtherMajor(home);
    const postmaster = await startPostmaster(cluster);
    try {
      await makeRolesAndDatabase(postmaster.port, secrets);
      await publishPort(home, options.holder, postmaster.port);
    } catch (error) {
      await stopProcess(postmaster.pid);
      throw error;
    }
    return running(home, supervise(cluster, postmaster, report), postmaster.port, secrets);
  } catch (error) {
    await releaseHome(home);
    throw explainNoRoom(error, home);
  }
}

/** The live process that holds this data folder, or null. */
export async function findHolder(dataDir: string): Promise<Holder | null> {
  return existsSync(homeOf(dataDir)) ? readHolder(await realpath(homeOf(dataDir))) : null;
}

/** Addresses of the server that another live process runs in this data folder, or null. */
export async function findRunningEmbedded(dataDir: string): Promise<DatabaseUrls | null> {
  const holder = await findHolder(dataDir);
  if (holder === null || holder.port === null) {
    return null;
  }
  return urlsAt(holder.port, await loadSecrets(await realpath(homeOf(dataDir)), true));
}

function running(
  home: string,
  supervisor: Supervisor,
  port: number,
  secrets: Secrets,
): EmbeddedPostgres {
  return {
    ...urlsAt(port, secrets),
    superuserUrl: url("postgres", secrets.superuser, port, "postgres"),
    superuserLedgerUrl: url("postgres", secrets.superuser, port, databaseName),
    port,
    folders: databaseFolders(home),
    pid: supervisor.pid,
    lost: supervisor.lost,
    stop: async () => {
      await supervisor.stop();
      await releaseHome(home);
    },
  };
}

function urlsAt(port: number, secrets: Secrets): DatabaseUrls {
  return {
    ownerUrl: url(ownerRole, secrets.owner, port, databaseName),
    appUrl: url(appRole, secrets.app, port, databaseName),
  };
}

function url(role: string, password: string, port: number, database: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
}

async function refuseOtherMajor(home: string): Promise<void> {
  const major = (await readFile(join(dataFolderOf(home), "PG_VERSION"), "utf8")).trim();
  if (major !== "18") {
    throw new Error(
      `The data in ${home} was written by PostgreSQL ${major}; this program brings version 18.`,
    );
  }
}

/** Each step is skipped when an earlier, interrupted start has done it. */
async function makeRolesAndDatabase(port: number, secrets: Secrets): Promise<void> {
  const sql = connect(url("postgres", secrets.superuser, port, "postgres"), {
    applicationName: "ledger-setup",
    maxConnections: 1,
  });
  try {
    for (const [role, password] of [
      [ownerRole, secrets.owner],
      [appRole, secrets.app],
    ] as const) {
      const found = await sql`select 1 from pg_roles where rolname = ${role}`;
      // The password is our own base64url, so it needs no quoting. It is set anew at each start: a role may change its own.
      await sql.unsafe(
        `${found.length === 0 ? "create" : "alter"} role ${role} login password '${password}'`,
      );
    }
    // Lets migrations make schemas that belong to the application's role.
    await sql.unsafe(`grant ${appRole} to ${ownerRole}`);
    const found = await sql`select 1 from pg_database where datname = ${databaseName}`;
    if (found.length === 0) {
      await sql.unsafe(`create database ${databaseName} owner ${ownerRole}`);
    }
  } finally {
    await sql.end();
  }
}
