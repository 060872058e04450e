// The embedded PostgreSQL for one machine and for tests: started before everything else, and stopped after it.
import { connect } from "#db/connect.ts";
import {
  DataFolderInUse,
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
import { maxWalMb } from "#db/embedded/wal-size.ts";
import { MEBIBYTE, readFreeSpace } from "#db/free-space.ts";
import type { WatchedFolder } from "#db/free-space.ts";
import { existsSync } from "node:fs";
import { readdir, readFile, realpath, rm } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";

export const ownerRole = "ledger_owner";
export const appRole = "ledger_app";
const databaseName = "ledger";

/** Addresses of one database, one for each role. */
export type DatabaseUrls = { readonly ownerUrl: string; readonly appUrl: string };

export type EmbeddedPostgres = DatabaseUrls & {
  /** May create databases and roles: for tests and experiments, not for the application. */
  readonly superuserUrl: string;
  /** The same in the ledger's own database: for maintenance that only a superuser may do. */
  readonly superuserLedgerUrl: string;
  readonly port: number;
  /** The folders the server writes to. */
  readonly folders: readonly WatchedFolder[];
  /** The postmaster's process id, which changes after a restart. */
  readonly pid: () => number;
  /** Rejects when the server died and could not be restarted; never resolves. A full disk only makes it wait. */
  readonly lost: Promise<never>;
  /** Stops the server. Close every pool first. */
  readonly stop: () => Promise<void>;
};

export type EmbeddedOptions = {
  readonly dataDir: string;
  /** "durable" survives power loss; "test" trades that for speed (no fsync). */
  readonly durability: "durable" | "test";
  /** A service takes the folder from a script; nobody takes it from a service. */
  readonly holder: HolderKind;
  /** Server settings as `name=value`, which override those of the durability. */
  readonly settings?: readonly string[];
  /** Called with messages that a person may want to know; silent by default. */
  readonly report?: (line: string) => void;
};

const commonSettings = [
  "max_connections=200",
  "work_mem=16MB",
  "maintenance_work_mem=256MB",
  "effective_cache_size=2GB",
  "random_page_cost=1.1",
  "jit=off",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_checkpoints=off",
  // The details of an error contain the values it is about.
  "log_error_verbosity=terse",
  // The application logs errors of statements; this is only for the server's own messages.
  "log_min_messages=log",
];

/**
 * An eighth of the memory that this process may use, up to 1 GB: sums over a million sales read 270 MB of their table,
 * which are copied from the system's cache each time if they do not fit. Only what is used is taken.
 */
function sharedBuffersMb(): number {
  const available = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.round(Math.min(1024, Math.max(128, available / MEBIBYTE / 8)));
}

async function walSize(home: string): Promise<string> {
  const [space] = await readFreeSpace([{ name: "database", path: home }]);
  return `max_wal_size=${maxWalMb(space?.freeBytes ?? 0)}MB`;
}

const settingsFor: Record<EmbeddedOptions["durability"], readonly string[]> = {
  durable: [
    ...commonSettings,
    `shared_buffers=${sharedBuffersMb()}MB`,
    // So many files of it are kept and reused: for each new one, commits wait until 16 MB of zeros are on the disk.
    "min_wal_size=1GB",
    // Compressed pages are a quarter less to write, but the first change of each page after a checkpoint took so much CPU
    // that a step of 100 sales cost a third more.
    "wal_compression=off",
    // What is written while the disk makes a new file of the log durable, or a checkpoint, has room in memory: with 16 MB,
    // steps of read tables waited for it.
    "wal_buffers=64MB",
    // A vacuum that gives a table's end back to the disk locks the table: steps would wait for it.
    "vacuum_truncate=off",
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
    // Tests open thousands of connections; by default, each hashes the password 4096 times, on both sides.
    "scram_iterations=1",
  ],
};

/**
 * Starts PostgreSQL in `<dataDir>/postgres`, makes roles and database the first time, and keeps it running. First, a
 * server that a killed process left behind is stopped. A script that runs one gives it up to a service; throws
 * `DataFolderInUse` while any other live process runs it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const report = options.report ?? (() => undefined);
  const account = serverAccountFor(dataFolderOf(homeOf(options.dataDir)));
  const home = await makeHome(options.dataDir, account, report);
  await takeHome(options.dataDir, home, options.holder, report).catch((error: unknown) => {
    throw explainNoRoom(error, home);
  });
  try {
    await reportStopped(home, report);
    const software = await findSoftware(home, account);
    const cluster: Cluster = {
      home,
      software,
      account,
      settings: [
        `unix_socket_directories=${socketFolderOf(home) ?? ""}`,
        ...settingsFor[options.durability],
        ...(options.durability === "durable" ? [await walSize(home)] : []),
        ...(options.settings ?? []),
      ],
    };
    const secrets = await loadSecrets(home, existsSync(dataFolderOf(home)));
    await initialise(cluster, secrets.superuser);
    await refuseOtherMajor(home);
    await removeOldSockets(home);
    const postmaster = await startPostmaster(cluster, { report });
    try {
      await makeRolesAndDatabase(placeOf(home, postmaster.port), secrets);
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

async function reportStopped(home: string, report: (line: string) => void): Promise<void> {
  if (await stopLeftBehind(home)) {
    report("Stopped the PostgreSQL that a killed process had left behind");
  }
}

/**
 * Stops the server that a killed process left behind, in a folder where none will be started. Throws `DataFolderInUse`
 * while a live process holds it.
 */
export async function stopUnheld(dataDir: string, report: (line: string) => void): Promise<void> {
  const holder = await findHolder(dataDir);
  if (holder !== null) {
    throw new DataFolderInUse(dataDir, holder);
  }
  if (existsSync(homeOf(dataDir))) {
    await reportStopped(await realpath(homeOf(dataDir)), report);
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
  const home = await realpath(homeOf(dataDir));
  return urlsAt(placeOf(home, holder.port), await loadSecrets(home, true));
}

function running(
  home: string,
  supervisor: Supervisor,
  port: number,
  secrets: Secrets,
): EmbeddedPostgres {
  const at = placeOf(home, port);
  return {
    ...urlsAt(at, secrets),
    superuserUrl: url("postgres", secrets.superuser, at, "postgres"),
    superuserLedgerUrl: url("postgres", secrets.superuser, at, databaseName),
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

function urlsAt(at: string, secrets: Secrets): DatabaseUrls {
  return {
    ownerUrl: url(ownerRole, secrets.owner, at, databaseName),
    appUrl: url(appRole, secrets.app, at, databaseName),
  };
}

function url(role: string, password: string, at: string, database: string): string {
  return `postgres://${role}:${password}@${at}/${database}`;
}

/**
 * Host and port of the server's address: its socket if this process can reach that, because a statement takes a third
 * less CPU by it; else TCP on the loopback.
 */
function placeOf(home: string, port: number): string {
  const folder = socketFolderOf(home);
  return folder !== null && existsSync(join(folder, `.s.PGSQL.${port}`))
    ? `${encodeURIComponent(folder)}:${port}`
    : `127.0.0.1:${port}`;
}

/** Systems allow 107 bytes for the path of a socket, of which its own name takes up to fifteen; some a few less. */
const LONGEST_SOCKET_FOLDER = 88;

/** The data folder, which only the server's account and root may enter; null if its path is too long. */
function socketFolderOf(home: string): string | null {
  const folder = dataFolderOf(home);
  return Buffer.byteLength(folder) > LONGEST_SOCKET_FOLDER || folder.includes(",") ? null : folder;
}

/** Those that killed servers left behind: each start takes another port. */
async function removeOldSockets(home: string): Promise<void> {
  const data = dataFolderOf(home);
  const names = (await readdir(data)).filter((name) => name.startsWith(".s.PGSQL."));
  await Promise.all(names.map((name) => rm(join(data, name), { force: true })));
}

async function refuseOtherMajor(home: string): Promise<void> {
  const major = (await readFile(join(dataFolderOf(home), "PG_VERSION"), "utf8")).trim();
  if (major !== "18") {
    throw new Error(
      `The data in ${home} was written by PostgreSQL ${major}; this program comes with version 18.`,
    );
  }
}

/** Each step is skipped if an earlier, interrupted start has done it. */
async function makeRolesAndDatabase(at: string, secrets: Secrets): Promise<void> {
  const sql = connect(url("postgres", secrets.superuser, at, "postgres"), {
    applicationName: "ledger-setup",
    maxConnections: 1,
  });
  try {
    for (const [role, password] of [
      [ownerRole, secrets.owner],
      [appRole, secrets.app],
    ] as const) {
      const found = await sql`select 1 from pg_roles where rolname = ${role}`;
      // The password is base64url, so it needs no quoting. It is set again at each start, because a role can change its own.
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
