// A real primary with a hot standby that streams from it, for tests of where reads go.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { appRole, startEmbedded } from "#db/embedded.ts";
import type { EmbeddedPostgres } from "#db/embedded.ts";
import { dataFolderOf, startPostmaster, stopProcess } from "#db/embedded/postmaster.ts";
import type { Cluster, Postmaster } from "#db/embedded/postmaster.ts";
import { serverAccountFor } from "#db/embedded/server-account.ts";
import { findSoftware } from "#db/embedded/software.ts";
import { migrate } from "#db/migrate.ts";
import { makeRunFolder, removeRun } from "#testing/database/global-setup.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

/** One database on the primary and the standby. */
export type TwinDatabase = {
  /** On the primary; closing it does nothing, because the pair closes it. */
  readonly database: TestDatabase;
  /** The standby's address for the application's role. */
  readonly standbyUrl: string;
  /** As superusers, for counters and operators' actions. */
  readonly primary: Sql;
  readonly standby: Sql;
};

export type StandbyPair = TwinDatabase & {
  /** A migrated, empty database of this name on both. Its pools end with the pair's. */
  readonly newDatabase: (name: string) => Promise<TwinDatabase>;
  /** Ends the standby at once, as a crash does. */
  readonly killStandby: () => Promise<void>;
  /** Stops its processes, like a network that loses every packet; returns how to resume them. */
  readonly freezeStandby: () => Promise<() => void>;
  /** Starts it again at its address. */
  readonly startStandby: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Connections of the primary's pool: few enough to query the counters of each. */
export const POOL_SIZE = 4;

const replicationSettings = [
  // By TCP, as a standby reaches its primary.
  "unix_socket_directories=",
  "wal_level=replica",
  "max_wal_senders=4",
  "synchronous_commit=on",
  // Commits without waiting would reach the standby only after this time.
  "wal_writer_delay=10s",
  "autovacuum=off",
];

export async function openStandbyPair(): Promise<StandbyPair> {
  await using parts = new AsyncDisposableStack();
  const runFolder = async (suffix: string): Promise<string> => {
    const folder = await makeRunFolder(suffix);
    parts.defer(() => removeRun(folder));
    return folder;
  };
  const server = await startEmbedded({
    dataDir: await runFolder("-primary"),
    durability: "test",
    holder: "service",
    settings: replicationSettings,
  });
  parts.defer(server.stop);
  const home = join(await runFolder("-standby"), "postgres");
  const cluster = await copyServer(server, home);
  let postmaster: Postmaster = await startPostmaster(cluster);
  parts.defer(() => stopProcess(postmaster.pid));
  const pools: Sql[] = [];
  parts.defer(async () => {
    await Promise.all(pools.map((sql) => sql.end({ timeout: 5 })));
  });
  const open = (url: string, maxConnections: number): Sql => {
    const sql = connect(url, { applicationName: "test-standby-pair", maxConnections });
    pools.push(sql);
    return sql;
  };
  const openTwin = async (name: string): Promise<TwinDatabase> => {
    const at = (url: string) => new URL(`/${name}`, url).href;
    const onStandby = (url: string) => at(url).replace(`:${server.port}/`, `:${postmaster.port}/`);
    const [ownerUrl, appUrl] = [at(server.ownerUrl), at(server.appUrl)];
    await migrate({ ownerUrl, appRole });
    return {
      database: {
        name,
        ownerUrl,
        appUrl,
        sql: open(appUrl, POOL_SIZE),
        ownerSql: open(ownerUrl, 2),
        close: () => Promise.resolve(),
      },
      standbyUrl: onStandby(appUrl),
      primary: open(at(server.superuserUrl), 1),
      standby: open(onStandby(server.superuserUrl), 1),
    };
  };
  const twin = await openTwin("ledger");
  const opened = parts.move();
  return {
    ...twin,
    newDatabase: async (name) => {
      await twin.primary.unsafe(`create database ${name} template template0 owner ledger_owner`);
      return openTwin(name);
    },
    killStandby: async () => {
      process.kill(postmaster.pid, "SIGQUIT");
      await postmaster.exited;
    },
    freezeStandby: async () => {
      const backends = await twin.standby<{ pid: number }[]>`
        select pid from pg_stat_activity where pid <> pg_backend_pid()`;
      const pids = [postmaster.pid, ...backends.map(({ pid }) => pid)];
      const signal = (name: NodeJS.Signals) => pids.forEach((pid) => process.kill(pid, name));
      signal("SIGSTOP");
      return () => signal("SIGCONT");
    },
    startStandby: async () => {
      postmaster = await startPostmaster(cluster, { port: postmaster.port });
    },
    close: () => opened.disposeAsync(),
  };
}

/** Copies the running server's files as in PostgreSQL's manual, and makes a standby of them. */
async function copyServer(server: EmbeddedPostgres, home: string): Promise<Cluster> {
  const from = server.folders[0]?.path ?? "";
  const data = dataFolderOf(home);
  const account = serverAccountFor(from);
  await mkdir(home, { mode: 0o711 });
  // One connection, because the backup belongs to its session.
  const sql = connect(server.superuserUrl, { applicationName: "test-backup", maxConnections: 1 });
  await sql`select pg_backup_start('standby', true)`;
  const copy = spawn("cp", ["-a", from, data], { stdio: "ignore" });
  const [code] = await once(copy, "close");
  const [stopped] = await sql<{ labelfile: string }[]>`
    select labelfile from pg_backup_stop(wait_for_archive => false)`;
  await sql.end();
  if (code !== 0 || stopped === undefined) {
    throw new Error(`The files of ${from} could not be copied`);
  }
  await Promise.all([
    rm(join(data, "postmaster.pid")),
    rm(join(data, "postmaster.opts")),
    ...["backup_label", "standby.signal"].map(async (name) => {
      const file = join(data, name);
      await writeFile(file, name === "backup_label" ? stopped.labelfile : "");
      if (account !== null) {
        await chown(file, account.uid, account.gid);
      }
    }),
  ]);
  const { hostname, port, username, password } = new URL(server.superuserUrl);
  return {
    home,
    account,
    software: await findSoftware(home, account),
    settings: [
      "max_connections=200",
      "fsync=off",
      "unix_socket_directories=",
      "timezone=UTC",
      "hot_standby=on",
      "wal_receiver_status_interval=1s",
      // After a kill, the new server requests the log again this soon.
      "wal_retrieve_retry_interval=100ms",
      `primary_conninfo=host=${hostname} port=${port} user=${username} password=${password}`,
    ],
  };
}
